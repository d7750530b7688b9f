"""Dung's semantics: extensions, accepted arguments, and labellings. Supports are ignored.

| short | semantics     | its extensions                                                   |
|-------|---------------|------------------------------------------------------------------|
| CO    | complete      | conflict-free, holding exactly what they defend                  |
| GR    | grounded      | the smallest complete one                                        |
| PR    | preferred     | the maximal complete ones                                        |
| ST    | stable        | conflict-free, and every other argument is attacked              |
| SST   | semi-stable   | complete, with as much as can be accepted or attacked            |
| ID    | ideal         | the largest complete one within every preferred one              |

A stable extension does not always exist. Without one, every argument is sceptically but not credulously accepted. The
other semantics always have an extension, possibly empty. Every extension contains the grounded one, so what that
decides is removed first. The rest is solved by weakly connected parts, and equal parts only once.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain

from moot.argument import solving
from moot.argument.families import product
from moot.argument.graph import ArgumentError, Graph
from moot.argument.parts import Attackers, Part, Set, parts
from moot.argument.propagation import IN, OUT, accepted_names, labelled, propagated

SEMANTICS = ("CO", "GR", "ID", "PR", "SST", "ST")


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether an argument is accepted, and the extension that proves it.

    For a credulous question this is an extension with the argument, for a sceptical one an extension without it. If the
    answer depends on all extensions, there is no such certificate: None.
    """

    accepted: bool
    certificate: frozenset[str] | None


def extension(graph: Graph, semantics: str) -> frozenset[str] | None:
    """One extension; None if there is none, which happens only under ST."""
    return _Task(graph, semantics).one()


def extensions(graph: Graph, semantics: str) -> Iterator[frozenset[str]]:
    """All extensions, each once, in order of discovery."""
    return _Task(graph, semantics).every()


def credulous(graph: Graph, semantics: str, name: str) -> Answer:
    """Whether some extension contains the argument."""
    return _Task(graph, semantics).credulous(graph.number(name))


def sceptical(graph: Graph, semantics: str, name: str) -> Answer:
    """Whether every extension contains the argument; also true if there is no extension."""
    return _Task(graph, semantics).sceptical(graph.number(name))


class _Task:
    """A framework under one semantics: the arguments already decided, and the remaining parts."""

    def __init__(self, graph: Graph, semantics: str) -> None:
        if semantics not in SEMANTICS:
            raise ArgumentError(f"there is no semantics {semantics!r}; there are {', '.join(SEMANTICS)}")
        self.graph, self.semantics = graph, semantics
        self.labels = propagated(graph)
        self._parts: list[Part] | None = None
        self._ones: dict[Attackers, Set | None] = {}

    @property
    def fixed(self) -> list[int]:
        """The arguments that every extension contains."""
        return labelled(self.labels, IN)

    @property
    def parts(self) -> list[Part]:
        """The parts to solve, largest first."""
        if self._parts is None:
            found = parts(self.graph.attacks, self.labels)
            self._parts = sorted(found, key=lambda part: -len(part.numbers))
        return self._parts

    def part_of(self, number: int) -> Part:
        return next(part for part in self.parts if number in part.numbers)

    def named(self, *groups: Iterable[int]) -> frozenset[str]:
        return frozenset(map(self.graph.names.__getitem__, chain(*groups)))

    def one(self) -> frozenset[str] | None:
        if self.semantics in ("CO", "GR"):
            return accepted_names(self.graph, self.labels)
        return self.combined(self.parts)

    def combined(self, others: Iterable[Part], already: Iterable[int] = ()) -> frozenset[str] | None:
        """An extension of the fixed arguments, the chosen ones, and one choice for each of the other parts."""
        chosen: list[list[int]] = []
        for part in others:
            if (mine := self.one_of(part.attackers)) is None:
                return None
            chosen.append(part.outside(mine))
        return self.named(self.fixed, already, *chosen)

    def one_of(self, attackers: Attackers) -> Set | None:
        if attackers not in self._ones:
            self._ones[attackers] = solving.one(attackers, self.semantics)
        return self._ones[attackers]

    def every(self) -> Iterator[frozenset[str]]:
        if self.semantics == "GR":
            yield self.named(self.fixed)
            return
        if self.semantics == "ST" and any(self.one_of(part.attackers) is None for part in self.parts):
            return
        sources = [partial(solving.every, part.attackers, self.semantics) for part in self.parts]
        fixed = self.fixed
        for choice in product(sources):
            chosen = (part.outside(mine) for part, mine in zip(self.parts, choice, strict=True))
            yield self.named(fixed, *chosen)

    def credulous(self, number: int) -> Answer:
        if self.labels[number] == OUT:
            return Answer(False, None)
        if self.labels[number] == IN or self.semantics in ("GR", "ID"):
            return self._if_holds(number, self.one())
        if self.semantics == "CO":
            return self._complete_with(number)
        return self._by_part(number, solving.with_it)

    def sceptical(self, number: int) -> Answer:
        if self.labels[number] == IN:
            return Answer(True, None)
        if self.labels[number] == OUT or self.semantics in ("CO", "GR", "ID"):
            found = self.one()
            accepted = found is None or self.graph.names[number] in found
            return Answer(accepted, None if accepted else found)
        counter = self._by_part(number, solving.without_it)
        return Answer(not counter.accepted, counter.certificate)

    def _if_holds(self, number: int, extension: frozenset[str] | None) -> Answer:
        holds = extension is not None and self.graph.names[number] in extension
        return Answer(holds, extension if holds else None)

    def _complete_with(self, number: int) -> Answer:
        """Whether a complete set contains the argument. Every admissible set is in a complete one, so a small
        admissible set is enough."""
        mine = self.part_of(number)
        admissible = solving.admissible_with(mine.attackers, mine.numbers.index(number))
        if admissible is None:
            return Answer(False, None)
        labels = propagated(self.graph, mine.outside(admissible))
        return Answer(True, accepted_names(self.graph, labels))

    def _by_part(self, number: int, search: Callable[[Attackers, str, int], Set | None]) -> Answer:
        """Search one part for an extension with a property of the argument, and extend it to the rest of the graph."""
        mine = self.part_of(number)
        local = search(mine.attackers, self.semantics, mine.numbers.index(number))
        if local is None:
            return Answer(False, None)
        extension = self.combined((part for part in self.parts if part is not mine), mine.outside(local))
        return Answer(extension is not None, extension)
