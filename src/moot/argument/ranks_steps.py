"""Arguments compared step by step, where only what changes is looked at.

Arguments are in one block as long as they have as many attackers of each block, so that a block has one value in each
step. Blocks are in one rank as long as their values were equal in every step. A step looks at the blocks whose
attackers have another value than before, and at the arguments whose attackers went into another block. So a chain of
attacks, in which every step parts one argument from the others, takes as many steps as it has arguments, and each is
short.
"""

from collections.abc import Iterable, Sequence
from functools import cmp_to_key
from itertools import pairwise
from math import inf
from typing import Any, Protocol

from moot.argument.graph import ArgumentError
from moot.argument.ranks_alike import Alike, targets_of

Block = int
Rank = int


class Values(Protocol):
    """What the arguments of a step are compared by."""

    name: str
    start: Any
    """The value of every argument before the first step."""
    adds: bool
    """Whether values are sums over the attackers, with what follows for sequences of them."""
    weight: int
    """How much work a value is."""

    def begin(self, number: int) -> None:
        """A step begins, counted from 1."""

    def value(self, sources: list[Any], before: Any) -> Any:
        """The value that follows from those of the attackers in the step before; `before` itself if it is the same."""

    def compared(self, one: Any, other: Any) -> int:
        """-1, 0 or 1: in this step the first is better, the same, or worse."""


class Stepwise:
    """The ranks of the arguments after a number of steps."""

    def __init__(self, attackers: Sequence[Sequence[int]], values: Values, most_work: int) -> None:
        size = len(attackers)
        self._attackers, self._values, self._work_left = attackers, values, most_work
        self._targets = targets_of(attackers)
        self._settling = _settling(attackers, self._targets)
        self._block: list[Block] = [0] * size
        self._members: list[set[int]] = [set(range(size))]
        self._keys: list[tuple[Block, ...]] = [()]
        """The blocks of the attackers of each block's arguments."""
        self._users: list[set[Block]] = [set()]
        """The blocks in whose key a block is."""
        self._value: list[Any] = [values.start]
        self._pending: Iterable[int] = range(size)
        self._changed: list[Block] = []
        self._rank_of: list[Rank] = [0]
        self._blocks: list[set[Block]] = [{0}]
        self._mixed: set[Rank] = set()
        """The ranks of several blocks."""
        self._before: list[Rank | None] = [None]
        self._after: list[Rank | None] = [None]
        self._first: Rank = 0

    def places(self) -> list[int]:
        """The rank of each argument, counted from 0."""
        number, check_at = 0, 0
        alike = Alike(self._attackers) if self._values.adds else None
        while not self._is_done(number):
            number += 1
            ranks = len(self._blocks)
            self._step(number)
            if len(self._blocks) == ranks and not self._pending and number >= check_at:
                if self._is_settled(number, alike):
                    break
                check_at = number + number // 8 + 1
            if self._work_left < 0:
                raise ArgumentError(
                    f"{self._values.name} is not done after {number:,} steps: arguments that are equal so far can still"
                    " differ; no ranks are given, as they could be wrong"
                )
        found, place, rank = [0] * len(self._attackers), 0, self._first if self._attackers else None
        while rank is not None:
            for block in self._blocks[rank]:
                for argument in self._members[block]:
                    found[argument] = place
            place, rank = place + 1, self._after[rank]
        return found

    def _is_done(self, number: int) -> bool:
        size = len(self._attackers)
        # Sums over paths follow a linear recurrence of at most this order: equal so far, they stay so.
        if len(self._blocks) == size or (self._values.adds and number >= size):
            return True
        return not self._pending and not (self._mixed and self._changed)

    def _step(self, number: int) -> None:
        self._values.begin(number)
        dirty: set[Block] = set()
        for changed in self._changed:
            dirty |= self._users[changed]
        new = self._split_blocks(dirty)
        following = {block: self._valued(block) for block in dirty}
        self._changed = [block for block, value in following.items() if value is not self._value[block]]
        for block in self._changed:
            self._value[block] = following[block]
        touched: dict[Rank, set[Block]] = {}
        for block in (*self._changed, *new):
            touched.setdefault(self._rank_of[block], set()).add(block)
        for rank, blocks in touched.items():
            if len(self._blocks[rank]) > 1:
                self._split_rank(rank, blocks)

    def _valued(self, block: Block) -> Any:
        sources = [self._value[source] for source in self._keys[block]]
        self._work_left -= self._values.weight * (1 + len(sources))
        return self._values.value(sources, self._value[block])

    def _split_blocks(self, dirty: set[Block]) -> list[Block]:
        """Part the arguments whose attackers went into other blocks in the last step; the new blocks."""
        parts: dict[Block, dict[tuple[Block, ...], list[int]]] = {}
        for number in self._pending:
            key = tuple(sorted(self._block[source] for source in self._attackers[number]))
            self._work_left -= 1 + len(key)
            parts.setdefault(self._block[number], {}).setdefault(key, []).append(number)
        new: list[Block] = []
        moved: list[int] = []
        for old, found in parts.items():
            groups = sorted(found.items(), key=lambda group: len(group[1]))
            if sum(map(len, found.values())) == len(self._members[old]):
                self._key(old, groups.pop()[0])
                dirty.add(old)
            for key, group in groups:
                new.append(self._new_block(old, key, group))
                moved += group
        dirty.update(new)
        self._pending = {target for number in moved for target in self._targets[number]}
        return new

    def _new_block(self, old: Block, key: tuple[Block, ...], arguments: list[int]) -> Block:
        block = len(self._members)
        self._members[old].difference_update(arguments)
        self._members.append(set(arguments))
        for number in arguments:
            self._block[number] = block
        self._keys.append(())
        self._users.append(set())
        self._key(block, key)
        self._value.append(self._value[old])
        rank = self._rank_of[old]
        self._rank_of.append(rank)
        self._blocks[rank].add(block)
        self._mixed.add(rank)
        return block

    def _key(self, block: Block, key: tuple[Block, ...]) -> None:
        for source in self._keys[block]:
            self._users[source].discard(block)
        for source in key:
            self._users[source].add(block)
        self._keys[block] = key

    def _split_rank(self, rank: Rank, touched: set[Block]) -> None:
        """Part the blocks of a rank by their values. Those that were not touched have one value."""
        rest = next((block for block in self._blocks[rank] if block not in touched), None)
        blocks = [*sorted(touched), *([] if rest is None else [rest])]
        self._work_left -= len(blocks)
        compared = self._values.compared
        by_value = cmp_to_key(compared)
        blocks.sort(key=lambda block: by_value(self._value[block]))
        groups: list[list[Block]] = [[blocks[0]]]
        for before, block in pairwise(blocks):
            if compared(self._value[before], self._value[block]):
                groups.append([])
            groups[-1].append(block)
        if len(groups) == 1:
            return
        sizes = [len(group) if rest is None else rest in group for group in groups]
        stays = sizes.index(max(sizes))
        ranks = [rank if place == stays else self._new_rank(rank, group) for place, group in enumerate(groups)]
        if len(self._blocks[rank]) < 2:
            self._mixed.discard(rank)
        self._link(ranks, stays)

    def _link(self, ranks: list[Rank], stays: int) -> None:
        """Put new ranks before and after the one that stays in its place."""
        before, after = self._before[ranks[stays]], self._after[ranks[stays]]
        chain = [before, *ranks, after]
        for one, other in pairwise(chain):
            if one is not None:
                self._after[one] = other
            if other is not None:
                self._before[other] = one
        if before is None:
            self._first = ranks[0]

    def _new_rank(self, old: Rank, blocks: list[Block]) -> Rank:
        rank = len(self._blocks)
        self._blocks[old].difference_update(blocks)
        self._blocks.append(set(blocks))
        self._before.append(None)
        self._after.append(None)
        for block in blocks:
            self._rank_of[block] = rank
        if len(blocks) > 1:
            self._mixed.add(rank)
        return rank

    def _is_settled(self, number: int, alike: Alike | None) -> bool:
        """Whether blocks of one rank have as many attackers of each rank: then no later step can part them.

        Attackers that keep their value from now on do not count: those of equal arguments have equal sums already.
        """
        for rank in self._mixed:
            found: tuple[int, list[Rank]] | None = None
            for block in self._blocks[rank]:
                one = next(iter(self._members[block]))
                self._work_left -= 1 + len(self._attackers[one])
                unsettled = (source for source in self._attackers[one] if self._settling[source] >= number)
                attacked_by = sorted(self._rank_of[self._block[source]] for source in unsettled)
                first, by = found = found or (one, attacked_by)
                if by != attacked_by and not (alike and alike.same_paths(first, one)):
                    return False
        return True


def _settling(attackers: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]) -> list[float]:
    """The step from which each argument keeps its value: the longest path to it, infinite behind a cycle."""
    open_attackers = [len(sources) for sources in attackers]
    settling = [inf if number else 0.0 for number in open_attackers]
    reached = [number for number, count in enumerate(open_attackers) if not count]
    for source in reached:
        for target in targets[source]:
            open_attackers[target] -= 1
            if not open_attackers[target]:
                settling[target] = settling[source] + 1
                reached.append(target)
    return settling
