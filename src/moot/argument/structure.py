"""What an argument map knows beyond a graph: statements, the steps between them, and who said what."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Step:
    """A step of an argument from premises to a conclusion. The conclusion of its last step is the argument's own."""

    argument: str
    premises: tuple[str, ...]
    conclusion: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Locution:
    """Something said in a dialogue. `asserts` are arguments and relations, each with the illocutionary force that ties
    it to them; `answers` are the locutions it answers, each with the kind of transition."""

    name: str
    text: str = ""
    speaker: str = ""
    time: str = ""
    asserts: tuple[tuple[str, str | Pair], ...] = ()
    answers: tuple[Pair, ...] = ()


@dataclass(frozen=True, slots=True)
class Structure:
    """`statements` are the arguments that only state something. `wordings` are further texts of an argument."""

    statements: frozenset[str] = frozenset()
    steps: tuple[Step, ...] = ()
    wordings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    locutions: tuple[Locution, ...] = ()

    def __bool__(self) -> bool:
        return self != Structure()

    def by_argument(self) -> dict[str, list[Step]]:
        """The steps of each argument that has some, in order."""
        found: dict[str, list[Step]] = {}
        for step in self.steps:
            found.setdefault(step.argument, []).append(step)
        return found

    def within(self, names: Collection[str], supports: Collection[Pair]) -> Self:
        """The structure left in a smaller graph. An argument keeps its steps if all their supports are there."""
        inside = names.__contains__
        steps = [
            step
            for mine in self.by_argument().values()
            if all(pair in supports for pair in implied_supports(mine))
            for step in mine
        ]
        return type(self)(
            frozenset(filter(inside, self.statements)),
            tuple(steps),
            {name: words for name, words in self.wordings.items() if inside(name)},
            tuple(_without_others(self.locutions, inside)),
        )


def implied_supports(steps: Iterable[Step]) -> list[Pair]:
    """The supports that the steps of one argument stand for.

    The premises of a step support its conclusion; of the last step they support the argument, which supports its
    conclusion.
    """
    *before, last = steps
    found = [(premise, step.conclusion) for step in before for premise in step.premises]
    found += [(premise, last.argument) for premise in last.premises]
    return list(dict.fromkeys([*found, (last.argument, last.conclusion)]))


def _without_others(locutions: Iterable[Locution], inside: Callable[[str], bool]) -> Iterable[Locution]:
    """The locutions without what they assert about arguments that are not there."""
    for one in locutions:
        asserts = tuple(
            (force, what) for force, what in one.asserts if all(map(inside, [what] if isinstance(what, str) else what))
        )
        yield Locution(one.name, one.text, one.speaker, one.time, asserts, one.answers)
