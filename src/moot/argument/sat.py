"""Extensions of one part by an incremental SAT solver (CaDiCaL): one set, a larger one, one with or without something.

For argument x of n: variable 1 + x means that it is in the set, 1 + n + x that the set attacks it, 1 + 2n + x that it
is either (its range). A condition for a single question is a clause with a switch, which is turned off afterwards.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from moot.argument.parts import Attackers, Set

Base = Literal["AD", "CO", "ST"]


@dataclass(frozen=True, slots=True)
class Model:
    """`chosen` is the set; `range` is the set and everything it attacks."""

    chosen: Set
    range: Set


@dataclass
class Search:
    """A solver for the sets of one kind: admissible, complete or stable."""

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
        """Make these literals true whenever the solver is free to choose. Call it before the first question."""
        self._solver.set_phases(list(literals))

    def require(self, either: Sequence[int]) -> None:
        """Require at least one of these literals from now on."""
        self._solver.add_clause(list(either))

    def solve_with_either(self, either: Sequence[int], assumed: Sequence[int] = ()) -> Model | None:
        """A set that satisfies at least one of these literals."""
        if not either:
            return None
        self._variables += 1
        switch = self._variables
        self._solver.add_clause([-switch, *either])
        model = self.solve([switch, *assumed])
        self._solver.add_clause([-switch])
        return model

    def largest_from(self, model: Model) -> Model:
        """A maximal set that contains this one."""
        while True:
            more = [self.inside(one) for one in range(self.size) if one not in model.range]
            larger = self.solve_with_either(more, [self.inside(one) for one in model.chosen])
            if larger is None:
                return model
            model = larger

    def widest_from(self, model: Model, assumed: Sequence[int] = ()) -> Model:
        """A set of maximal range that includes the range of this one, under the assumptions."""
        while True:
            wider = self.wider(model, assumed)
            if wider is None:
                return model
            model = wider

    def wider(self, model: Model, assumed: Sequence[int] = ()) -> Model | None:
        more = [self.reached(one) for one in range(self.size) if one not in model.range]
        return self.solve_with_either(more, [*(self.reached(one) for one in model.range), *assumed])

    def maximal(self) -> Iterator[Set]:
        """All maximal sets, each once."""
        while (model := self.solve()) is not None:
            model = self.largest_from(model)
            yield model.chosen
            self.require_beyond(model.chosen)

    def require_beyond(self, chosen: Set) -> None:
        """From now on exclude the subsets of this set."""
        self.require([self.inside(one) for one in range(self.size) if one not in chosen])

    def require_wider_than(self, reach: Set) -> None:
        """From now on exclude sets whose range is a subset of this one."""
        self.require([self.reached(one) for one in range(self.size) if one not in reach])

    def widest(self) -> Iterator[Set]:
        """All maximal ranges, each once. Do not add permanent requirements to the search between two of them."""
        while (model := self.solve()) is not None:
            reach = self.widest_from(model).range
            yield reach
            self.require_wider_than(reach)

    def each(self, assumed: Sequence[int] = ()) -> Iterator[Set]:
        """All sets under the assumptions, each once; later searches exclude them."""
        while (model := self.solve(assumed)) is not None:
            yield model.chosen
            self.require([-self.inside(one) if one in model.chosen else self.inside(one) for one in range(self.size)])


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
        if base != "ST":
            yield from ([-inside, 1 + size + source] for source in sources)
        if base == "CO":
            yield [inside, *(-1 - size - source for source in sources)]
        if base == "ST":
            yield [inside, attacked]
