"""Extensions of one part by an incremental SAT solver (CaDiCaL): one set, a larger one, one with or without something.

For argument x of n: variable 1 + x says it is in, 1 + n + x that the set attacks it, 1 + 2n + x that it is either
(its range). What is asked for but once is a clause behind a switch, which is turned off afterwards.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from moot.argument.parts import Attackers, Set

Base = Literal["CF", "AD", "CO", "ST"]


@dataclass(frozen=True, slots=True)
class Model:
    """`chosen` is the set; `range` it and all it attacks."""

    chosen: Set
    range: Set


@dataclass
class Search:
    """A solver that holds the sets of one kind: conflict-free, admissible, complete or stable."""

    attackers: Attackers
    base: Base
    _solver: Any = field(init=False, repr=False)
    _variables: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        from pysat.solvers import Cadical153

        self._variables = 3 * len(self.attackers)
        self._solver = Cadical153(bootstrap_with=list(_clauses(self.attackers, self.base)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    @property
    def size(self) -> int:
        return len(self.attackers)

    def inside(self, one: int) -> int:
        return 1 + one

    def attacked(self, one: int) -> int:
        return 1 + self.size + one

    def reached(self, one: int) -> int:
        return 1 + 2 * self.size + one

    def solve(self, assumed: Sequence[int] = ()) -> Model | None:
        if not self._solver.solve(assumptions=assumed):
            return None
        values, size = self._solver.get_model(), self.size
        chosen = frozenset(one for one in range(size) if values[one] > 0)
        return Model(chosen, chosen.union(one for one in range(size) if values[size + one] > 0))

    def prefer(self, literals: Sequence[int]) -> None:
        """Where it is free to choose, the solver makes these literals true; to be said before the first question."""
        self._solver.set_phases(list(literals))

    def require(self, either: Sequence[int]) -> None:
        """From now on at least one of these literals holds."""
        self._solver.add_clause(list(either))

    def solve_with_either(self, either: Sequence[int], assumed: Sequence[int] = ()) -> Model | None:
        """A set for which at least one of these literals holds."""
        if not either:
            return None
        self._variables += 1
        switch = self._variables
        self._solver.add_clause([-switch, *either])
        found = self.solve([switch, *assumed])
        self._solver.add_clause([-switch])
        return found

    def largest_from(self, found: Model) -> Model:
        """A maximal set that contains the one found."""
        while True:
            more = [self.inside(one) for one in range(self.size) if one not in found.range]
            larger = self.solve_with_either(more, [self.inside(one) for one in found.chosen])
            if larger is None:
                return found
            found = larger

    def widest_from(self, found: Model, assumed: Sequence[int] = ()) -> Model:
        """A set of maximal range that reaches at least what the one found does, under the assumptions."""
        while True:
            wider = self.wider(found, assumed)
            if wider is None:
                return found
            found = wider

    def wider(self, found: Model, assumed: Sequence[int] = ()) -> Model | None:
        more = [self.reached(one) for one in range(self.size) if one not in found.range]
        return self.solve_with_either(more, [*(self.reached(one) for one in found.range), *assumed])

    def maximal(self) -> Iterator[Set]:
        """All maximal sets, each once."""
        while (found := self.solve()) is not None:
            found = self.largest_from(found)
            yield found.chosen
            self.require_beyond(found.chosen)

    def require_beyond(self, chosen: Set) -> None:
        """From now on only sets that are no subset of this one."""
        self.require([self.inside(one) for one in range(self.size) if one not in chosen])

    def require_wider_than(self, reach: Set) -> None:
        """From now on only sets whose range is no subset of this one."""
        self.require([self.reached(one) for one in range(self.size) if one not in reach])

    def widest(self) -> Iterator[Set]:
        """All maximal ranges, each once. Between two of them nothing may be required of the search for good."""
        while (found := self.solve()) is not None:
            reach = self.widest_from(found).range
            yield reach
            self.require_wider_than(reach)

    def each(self, assumed: Sequence[int] = ()) -> Iterator[Set]:
        """All sets under the assumptions, each once; they are ruled out for later."""
        while (found := self.solve(assumed)) is not None:
            yield found.chosen
            self.require([-self.inside(one) if one in found.chosen else self.inside(one) for one in range(self.size)])


def _clauses(attackers: Attackers, base: Base) -> Iterator[list[int]]:
    size = len(attackers)
    for one, sources in enumerate(attackers):
        inside, attacked, reached = 1 + one, 1 + size + one, 1 + 2 * size + one
        yield [-attacked, *(1 + source for source in sources)]
        yield from ([attacked, -1 - source] for source in sources)
        yield [-inside, -attacked]
        yield [-reached, inside, attacked]
        yield [reached, -inside]
        yield [reached, -attacked]
        if base in ("AD", "CO"):
            yield from ([-inside, 1 + size + source] for source in sources)
        if base == "CO":
            yield [inside, *(-1 - size - source for source in sources)]
        if base == "ST":
            yield [inside, attacked]
