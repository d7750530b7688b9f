"""Start times of calls, for a rate that holds over all workers: taken in blocks from one row. Independent of clock and
database."""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heapreplace

from moot.models.pacing import LATENESS, interval

AHEAD = 1.0
"""How many seconds ahead times are taken: two renewals, so that one can be late."""
SOON = AHEAD / 4
"""Times closer than this many seconds should have been taken by now."""


@dataclass(slots=True)
class Block:
    """`count` times from `first`, `step` seconds apart, each valid for `slack` seconds."""

    first: float
    count: int
    step: float
    slack: float = LATENESS


def divided(count: int, wanted: Sequence[int], had: Sequence[int]) -> list[int]:
    """Divide a number of times among workers: each goes to the worker with the fewest among those that want more."""
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
    """The start times of the worker at index `mine`, from the free times since `free`; also the next free time, and how
    many times the worker has had.

    `wanted` is how many more times each worker could use soon, and `had` how many it has had. A worker that wanted none
    for long can only catch up by as many as are given out at once. Times that are very close go to whoever asks first,
    because the worker that should get them may be dead.
    """
    step = interval(rate)
    # Times are never taken further ahead; if it seems so, the rate has increased or the clock was set back.
    free = min(free, now + AHEAD + step)
    first = max(free, now)
    in_reach, soon = (max(0, math.ceil((now + ahead - first) / step)) for ahead in (AHEAD, SOON))
    least = max(had) - math.ceil(AHEAD / step)
    had = [max(one, least) for one in had]
    count = max(divided(in_reach, wanted, had)[mine], min(soon, wanted[mine]))
    return Block(first, count, step), first + count * step if count else free, had[mine] + count


@dataclass(slots=True)
class Taken:
    """The times of a worker, by its own clock. Times that are not used are lost."""

    _blocks: deque[Block] = field(default_factory=deque)

    def add(self, block: Block) -> None:
        if block.count > 0 and block.slack > 0:
            self._blocks.append(block)

    def wait(self, now: float) -> float:
        """Seconds until a call can start: 0 or less for now, infinity if there is no time."""
        self._drop(now)
        return self._blocks[0].first - now if self._blocks else math.inf

    def take(self) -> None:
        """Use up a time for a call that starts."""
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
