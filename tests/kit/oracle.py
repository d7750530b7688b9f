"""Dung's definitions, word by word, by going through all subsets: slow, and with nothing of the library in it."""

from collections.abc import Iterable
from itertools import combinations

Sets = set[frozenset[str]]


class Oracle:
    def __init__(self, names: Iterable[str], attacks: Iterable[tuple[str, str]]) -> None:
        self.names = frozenset(names)
        self.attacks = set(attacks)
        subsets = [frozenset(one) for size in range(len(self.names) + 1) for one in combinations(self.names, size)]
        free = {one for one in subsets if self.conflict_free(one)}
        admissible = {one for one in free if one <= self.defended(one)}
        complete = {one for one in admissible if one == self.defended(one)}
        preferred = {one for one in admissible if not any(one < other for other in admissible)}
        self.extensions: dict[str, Sets] = {
            "CO": complete,
            "GR": {one for one in complete if all(one <= other for other in complete)},
            "PR": preferred,
            "ST": {one for one in free if self.range(one) == self.names},
            "SST": self.widest(complete),
            "ID": largest({one for one in admissible if all(one <= other for other in preferred)}),
        }

    def conflict_free(self, chosen: frozenset[str]) -> bool:
        return not any((one, other) in self.attacks for one in chosen for other in chosen)

    def hit(self, chosen: frozenset[str]) -> frozenset[str]:
        return frozenset(target for source, target in self.attacks if source in chosen)

    def range(self, chosen: frozenset[str]) -> frozenset[str]:
        return chosen | self.hit(chosen)

    def defended(self, chosen: frozenset[str]) -> frozenset[str]:
        hit = self.hit(chosen)
        return frozenset(
            one for one in self.names if all(source in hit for source, target in self.attacks if target == one)
        )

    def widest(self, sets: Sets) -> Sets:
        return {one for one in sets if not any(self.range(one) < self.range(other) for other in sets)}


def largest(sets: Sets) -> Sets:
    return {one for one in sets if all(other <= one for other in sets)}
