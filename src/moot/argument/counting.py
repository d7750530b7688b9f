"""Counts complete, preferred or stable extensions without enumerating all of them.

These semantics can be decided in the direction of attacks. A part is solved on a strongly connected component without
outside attackers. Each solution leaves a smaller framework, which splits into parts again. Solutions that leave the
same framework are counted once. An argument attacked by an undecided one can no longer be accepted; it stays as one
that attacks itself, which has the same effect on the others.
"""

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from math import prod

from moot.argument import solving
from moot.argument.parts import Attackers, Set, attacked_by, parts
from moot.argument.propagation import OUT, propagated

# The remaining parts, and the number of solutions that lead to them.
Ways = Counter[tuple[Attackers, ...]]
_FEW = 64
SCC_WISE = frozenset({"CO", "PR", "ST"})


@dataclass
class Counting:
    """Counts the extensions of parts under one semantics, with a cache."""

    semantics: str
    _known: dict[Attackers, int] = field(default_factory=dict)

    def of(self, attackers: Attackers) -> int:
        """The number of extensions of a part. Uses a stack instead of recursion, since there can be thousands of
        components."""
        stack, ways = [attackers], dict[Attackers, Ways]()
        while stack:
            top = stack[-1]
            if top not in self._known and top not in ways:
                few = sum(1 for _ in islice(solving.every(top, self.semantics), _FEW + 1))
                if few <= _FEW:  # which is quicker than taking a small part apart
                    self._known[top] = few
                else:
                    ways[top] = self._ways(top)
            missing = [part for left in ways.get(top, ()) for part in left if part not in self._known]
            if missing:
                stack += missing
                continue
            stack.pop()
            if top in ways:
                outcomes = ways.pop(top).items()
                self._known[top] = sum(often * prod(self._known[part] for part in left) for left, often in outcomes)
        return self._known[attackers]

    def _ways(self, attackers: Attackers) -> Ways:
        """The remaining parts after deciding one component, with the number of solutions for each."""
        first = _unattacked_component(attackers)
        if len(first) == len(attackers) or self.semantics not in SCC_WISE:
            return Counter({(): solving.number(attackers, self.semantics)})
        place = {one: local for local, one in enumerate(first)}
        alone = tuple(tuple(place[source] for source in attackers[one]) for one in first)
        every = solving.every(alone, self.semantics)
        return Counter(_left(attackers, first, frozenset(first[one] for one in chosen)) for chosen in every)


def _left(attackers: Attackers, decided: list[int], chosen: Set) -> tuple[Attackers, ...]:
    """The remaining parts after a component is decided, in canonical order."""
    attacked = attacked_by(attackers)
    out = {target for one in chosen for target in attacked[one]}
    undecided = set(decided) - chosen - out
    gone = out.union(decided)
    pairs = [
        (source, one)
        for one, sources in enumerate(attackers)
        if one not in gone
        for source in {one if source in undecided else source for source in sources}
        if source not in gone
    ]
    labels = propagated(len(attackers), pairs)
    for one in gone:
        labels[one] = OUT
    return tuple(sorted(part.attackers for part in parts(len(attackers), pairs, labels)))


def _unattacked_component(attackers: Attackers) -> list[int]:
    """A strongly connected component without outside attackers, found by walking back along attacks."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    path: list[int] = []
    walk: list[tuple[int, int]] = []
    order[0] = low[0] = 0
    path.append(0)
    walk.append((0, 0))
    while walk:
        one, step = walk.pop()
        if step < len(attackers[one]):
            walk.append((one, step + 1))
            source = attackers[one][step]
            if source not in order:
                order[source] = low[source] = len(order)
                path.append(source)
                walk.append((source, 0))
            else:
                low[one] = min(low[one], order[source])
        elif low[one] == order[one]:
            # The first component that closes is attacked only from inside.
            return sorted(path[path.index(one) :])
        else:
            low[walk[-1][0]] = min(low[walk[-1][0]], low[one])
    raise AssertionError("a framework without arguments has no parts")
