"""Arguments that attack paths cannot tell apart: proofs that they are equal in semantics that add up."""

from collections import Counter
from collections.abc import Sequence

# A proof that is longer, or goes through more classes, is not looked for.
_LONGEST, _WIDEST = 24, 200


class Alike:
    """The classes of arguments that have as many attackers of each class, and what follows from them."""

    def __init__(self, attackers: Sequence[Sequence[int]]) -> None:
        self.classes = _classes(attackers)
        self._sources: dict[int, list[int]] = {}
        for one, sources in zip(self.classes, attackers, strict=True):
            if one not in self._sources:
                self._sources[one] = [self.classes[source] for source in sources]
        self._proofs: dict[tuple[int, int], bool] = {}

    def same_paths(self, one: int, other: int) -> bool:
        """Whether it is proven that as many paths of each length lead to both. False: no proof was found.

        The paths of one length lead through these classes, counted for the first argument and against the second. If
        nothing is left at some length, and as much of both before, they are the same.
        """
        pair = self.classes[one], self.classes[other]
        if pair not in self._proofs:
            self._proofs[pair] = self._cancels(*pair)
        return self._proofs[pair]

    def _cancels(self, one: int, other: int) -> bool:
        left: Counter[int] = Counter({one: 1})
        left[other] -= 1
        for _ in range(_LONGEST):
            left = Counter({each: count for each, count in left.items() if count})
            if not left:
                return True
            if len(left) > _WIDEST or sum(left.values()) != 0:
                return False
            longer: Counter[int] = Counter()
            for each, count in left.items():
                for source in self._sources[each]:
                    longer[source] += count
            left = longer
        return False


def _classes(attackers: Sequence[Sequence[int]]) -> list[int]:
    """A class for each argument, as few as possible, so that arguments of one have as many attackers of each."""
    targets = targets_of(attackers)
    classes, sizes = [0] * len(attackers), Counter({0: len(attackers)})
    waiting = set(range(len(attackers)))
    while waiting:
        parts: dict[int, dict[tuple[int, ...], list[int]]] = {}
        for number in waiting:
            key = tuple(sorted(classes[source] for source in attackers[number]))
            parts.setdefault(classes[number], {}).setdefault(key, []).append(number)
        moved: list[int] = []
        for old, found in parts.items():
            groups = sorted(found.values(), key=len)
            if sum(map(len, groups)) == sizes[old]:
                groups.pop()
            for group in groups:
                new = len(sizes)
                sizes[new] = len(group)
                sizes[old] -= len(group)
                moved += group
                for number in group:
                    classes[number] = new
        waiting = {target for number in moved for target in targets[number]}
    return classes


def targets_of(attackers: Sequence[Sequence[int]]) -> list[list[int]]:
    """The arguments that each argument attacks."""
    targets: list[list[int]] = [[] for _ in attackers]
    for target, sources in enumerate(attackers):
        for source in sources:
            targets[source].append(target)
    return targets
