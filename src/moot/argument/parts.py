"""The weakly connected parts of a framework, which can be solved separately, with local numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from moot.argument.graph import Pair
from moot.argument.propagation import UNDECIDED, labelled

Attackers = tuple[tuple[int, ...], ...]
Set = frozenset[int]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a framework. `attackers[i]` are the local numbers of the attackers of argument i, which is
    `numbers[i]` in the graph."""

    numbers: tuple[int, ...]
    attackers: Attackers

    def outside(self, chosen: Set) -> list[int]:
        return [self.numbers[one] for one in chosen]


def parts(attacks: Sequence[Pair], labels: Sequence[int]) -> list[Part]:
    """The weakly connected parts of the undecided arguments, by union-find."""
    numbers = labelled(labels, UNDECIDED)
    place = {number: local for local, number in enumerate(numbers)}
    open_ = [label == UNDECIDED for label in labels]
    pairs = [(place[one], place[other]) for one, other in attacks if open_[one] and open_[other]]
    leader = list(range(len(numbers)))
    for pair in pairs:
        one, other = pair
        while leader[one] != one:
            leader[one] = one = leader[leader[one]]
        while leader[other] != other:
            leader[other] = other = leader[leader[other]]
        leader[max(one, other)] = min(one, other)
    members: dict[int, list[int]] = {}
    local = [0] * len(numbers)
    for one in range(len(numbers)):
        leader[one] = leader[leader[one]]
        mine = members.setdefault(leader[one], [])
        local[one] = len(mine)
        mine.append(one)
    attackers: list[list[int]] = [[] for _ in range(len(numbers))]
    for one, other in pairs:
        attackers[other].append(local[one])
    return [
        Part(tuple(numbers[one] for one in mine), tuple(tuple(attackers[one]) for one in mine))
        for mine in members.values()
    ]


def ancestors(attackers: Attackers, one: int) -> tuple[list[int], Attackers]:
    """An argument and everything that can affect it, as a separate framework: the members, and their attackers."""
    seen, open_ = {one}, [one]
    while open_:
        for attacker in attackers[open_.pop()]:
            if attacker not in seen:
                seen.add(attacker)
                open_.append(attacker)
    members = sorted(seen)
    place = {member: local for local, member in enumerate(members)}
    return members, tuple(tuple(place[attacker] for attacker in attackers[member]) for member in members)


def attacked_by(attackers: Attackers) -> list[list[int]]:
    """The targets of each argument."""
    attacked: list[list[int]] = [[] for _ in attackers]
    for target, sources in enumerate(attackers):
        for source in sources:
            attacked[source].append(target)
    return attacked


def defended(attackers: Attackers, chosen: Set) -> Set:
    """The largest admissible subset of a conflict-free set."""
    attacked, left = attacked_by(attackers), set(chosen)
    hits = [0] * len(attackers)
    for one in left:
        for target in attacked[one]:
            hits[target] += 1
    open_ = list(left)
    while open_:
        one = open_.pop()
        if one in left and not all(hits[attacker] for attacker in attackers[one]):
            left.remove(one)
            for target in attacked[one]:
                hits[target] -= 1
                if not hits[target]:
                    open_ += [other for other in attacked[target] if other in left]
    return frozenset(left)


def defence(attackers: Attackers, admissible: Set, one: int) -> Set:
    """A small admissible subset that contains one member: only the arguments that its defence needs."""
    needed, open_ = {one}, [one]
    answered: set[int] = set()
    while open_:
        for attacker in attackers[open_.pop()]:
            if attacker in answered:
                continue
            answered.add(attacker)
            if not needed.intersection(attackers[attacker]):
                defender = next(other for other in attackers[attacker] if other in admissible)
                needed.add(defender)
                open_.append(defender)
    return frozenset(needed)
