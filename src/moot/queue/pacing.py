"""The times at which calls may start, where a rate holds over all workers: taken from one row in blocks.

What is here knows neither clock nor database.
"""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heapreplace

from moot.models.pacing import LATENESS, interval

AHEAD = 1.0
"""How many seconds ahead times are taken: as much as two renewals, so that one may be late."""
SOON = AHEAD / 4
"""How many seconds ahead a time is that its worker should have taken by now."""


@dataclass(slots=True)
class Block:
    """`count` times from `first` on, `step` seconds apart, each to be used for `slack` seconds."""

    first: float
    count: int
    step: float
    slack: float = LATENESS


def divided(count: int, wanted: Sequence[int], had: Sequence[int]) -> list[int]:
    """Divide so many times among workers: each goes to the one that has had least, of those that want one more."""
    order = [(one, place) for place, one in enumerate(had)]
    heapify(order)
    given = [0] * len(had)
    while count and order:
        had_by_now, place = order[0]
        if given[place] < wanted[place]:
            given[place] += 1
            count -= 1
            heapreplace(order, (had_by_now + 1, place))
        else:
            heappop(order)
    return given


def next_block(
    free: float, now: float, rate: int, wanted: Sequence[int], had: Sequence[int], mine: int
) -> tuple[Block, float, int]:
    """What the worker at the place `mine` gets of the times from `free` on, which nobody has; from when on they are
    free then, and how many it has had.

    `wanted` is how many more each worker could use before long, and `had` how many it has had; who wanted none for long
    is owed no more for it than is given out at once. A time that will have come very soon is for whoever asks first:
    whose it should be may be dead.
    """
    step = interval(rate)
    # No more than this is ever taken ahead; if it seems so, the rate has risen, or the server's clock was set back.
    free = min(free, now + AHEAD + step)
    first = max(free, now)
    in_reach, soon = (max(0, math.ceil((now + ahead - first) / step)) for ahead in (AHEAD, SOON))
    least = max(had) - math.ceil(AHEAD / step)
    had = [max(one, least) for one in had]
    count = max(divided(in_reach, wanted, had)[mine], min(soon, wanted[mine]))
    return Block(first, count, step), first + count * step if count else free, had[mine] + count


@dataclass(slots=True)
class Taken:
    """The times that a worker has, by its own clock. What it does not use in time is lost."""

    _blocks: deque[Block] = field(default_factory=deque)

    def add(self, block: Block) -> None:
        if block.count > 0 and block.slack > 0:
            self._blocks.append(block)

    def wait(self, now: float) -> float:
        """Seconds until a call may start: none are left at 0 or below, and infinity says that it has no time."""
        self._drop(now)
        return self._blocks[0].first - now if self._blocks else math.inf

    def take(self) -> None:
        """A call starts, as `wait` allowed."""
        self._skip(1)

    def left(self, now: float) -> int:
        self._drop(now)
        return sum(block.count for block in self._blocks)

    def _drop(self, now: float) -> None:
        while self._blocks and (over := now - self._blocks[0].slack - self._blocks[0].first) > 0:
            self._skip(math.ceil(over / self._blocks[0].step))

    def _skip(self, count: int) -> None:
        block = self._blocks[0]
        block.first += count * block.step
        block.count -= count
        if block.count <= 0:
            self._blocks.popleft()
