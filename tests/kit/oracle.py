"""Dung's definitions, word by word, by going through all subsets: slow, and with nothing of the library in it."""

from collections.abc import Iterable
from itertools import combinations

Sets = set[frozenset[str]]
SEMANTICS = ("AD", "CF", "CF2", "CO", "EA", "GR", "ID", "NA", "PR", "SST", "ST", "STG")


class Oracle:
    def __init__(self, names: Iterable[str], attacks: Iterable[tuple[str, str]]) -> None:
        self.names = frozenset(names)
        self.attacks = set(attacks)
        subsets = [frozenset(one) for size in range(len(self.names) + 1) for one in combinations(self.names, size)]
        free = {one for one in subsets if self.conflict_free(one)}
        admissible = {one for one in free if one <= self.defended(one)}
        complete = {one for one in admissible if one == self.defended(one)}
        preferred = {one for one in admissible if not any(one < other for other in admissible)}
        semi_stable = self.widest(complete)
        self.extensions: dict[str, Sets] = {
            "CF": free,
            "CF2": {one for one in free if is_cf2(self.names, frozenset(self.attacks), one)},
            "NA": {one for one in free if not any(one < other for other in free)},
            "AD": admissible,
            "CO": complete,
            "GR": {one for one in complete if all(one <= other for other in complete)},
            "PR": preferred,
            "ST": {one for one in free if self.range(one) == self.names},
            "SST": semi_stable,
            "STG": self.widest(free),
            "ID": largest({one for one in admissible if all(one <= other for other in preferred)}),
            "EA": largest({one for one in admissible if all(one <= other for other in semi_stable)}),
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


def is_cf2(names: frozenset[str], attacks: frozenset[tuple[str, str]], chosen: frozenset[str]) -> bool:
    """The definition of Baroni, Giacomin and Guida, word for word."""
    reach = {name: {name} for name in names}
    for _ in names:
        for one, other in attacks:
            for known in reach.values():
                if one in known:
                    known.add(other)
    components = {frozenset(other for other in names if other in reach[one] and one in reach[other]) for one in names}
    if len(components) <= 1:
        free = not any(one in chosen and other in chosen for one, other in attacks)
        barred = {one for one, other in attacks if one == other}
        rivals = {end for pair in attacks if chosen & set(pair) for end in pair}
        return free and all(name in rivals or name in barred for name in names - chosen)
    for part in components:
        hit = {other for one, other in attacks if one in chosen and one not in part}
        left = part - hit
        if chosen & part - left:
            return False
        if left and not is_cf2(
            left, frozenset((one, other) for one, other in attacks if one in left and other in left), chosen & left
        ):
            return False
    return True
