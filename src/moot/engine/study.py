"""Study: what batches and evaluations need to know of a protocol. One that says nothing is still a row of a batch."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from moot.record.entry import Entry

Content = dict[str, Any]
"""A debate file, as data."""
Answer = str | bool
"""What is known to be right: a text, or whether the claim that is debated holds."""
Variation = Literal["sides", "order", "premise"]


@dataclass(frozen=True, slots=True)
class Change:
    """An agent ended with another decision than it began with. `evidence` tells whether it named new evidence."""

    agent: str
    before: str
    after: str
    evidence: bool


@dataclass(frozen=True, slots=True)
class Findings:
    """What a debate came to, in terms that all protocols share; None is what one does not have or did not come to.

    `upheld` tells whether the claim that was debated stood, `first_…` what would have been without the debate.
    `ordered` says that the contestants speak one after the other, in the order of the cast. Of a judge, `confirmed`
    tells whether it named the winner when asked for the name alone, and `scores_contradict_winner` whether it gave
    another the higher score.
    """

    winner: str | None = None
    premise: str | None = None
    upheld: bool | None = None
    first_upheld: bool | None = None
    decision: str | None = None
    first_decision: str | None = None
    changed_by_debate: bool | None = None
    confirmed: bool | None = None
    scores_contradict_winner: bool | None = None
    scores: Mapping[str, float | None] = field(default_factory=dict)
    first_scores: Mapping[str, float | None] = field(default_factory=dict)
    changes: Sequence[Change] | None = None
    ordered: bool = False


class Question(Protocol):
    """A question with a right answer, as an evaluation puts it. `candidates` are the answers there can be, where they
    are known beforehand."""

    @property
    def task(self) -> str: ...
    @property
    def match(self) -> str: ...
    @property
    def candidates(self) -> tuple[str, ...]: ...
    @property
    def form(self) -> str:
        """What an answer looks like, in words."""
        ...

    def shown(self, answer: str) -> str:
        """An answer in words for those who debate it."""
        ...

    def read(self, value: str) -> str | None:
        """An answer in its canonical form; None where it cannot be read beyond doubt."""
        ...

    def states_answer(self, text: str) -> bool:
        """Whether a text ends with an answer."""
        ...

    def answer_in(self, text: str) -> str | None:
        """The answer that a text ends with, in canonical form."""
        ...


@dataclass(frozen=True, slots=True)
class Said:
    """What a debate's outcome amounts to. `answer` is canonical; without one, `undecided` tells a debate that decided
    nothing from one whose decision cannot be read. `first` are the blind answers it began with, None where there are
    none, and `first_seqs` the entries they stand in. `debated` is whether there was a debate, None where
    none was asked for; `undebated` why there was none."""

    answer: str | None
    undecided: bool
    detail: str
    first: dict[str, str | None] | None = None
    first_seqs: frozenset[int] = frozenset()
    debated: bool | None = None
    undebated: str | None = None


@dataclass(frozen=True, slots=True)
class Asking:
    """How a protocol is asked a question that has an answer, and where in its outcome the answer stands.

    `settings` makes the debate from what the user's own file says, the question, and the two answers that are held
    against each other; `read` finds the answer in an outcome. `refuses` says why a question cannot be asked, and
    `unsuited` why the user's file will not do. `speakers` are the parts and names of those who debate, where the
    settings give them. `blind_first` says that two blind answers are had first where the question names no two;
    `has_first` that its debates begin with blind answers of their own.
    """

    settings: Callable[[Mapping[str, Any], Question, tuple[str, ...]], dict[str, Any]]
    read: Callable[[Any, Question, tuple[str, ...]], Said]
    refuses: Callable[[Question], str | None] = lambda _: None
    unsuited: Callable[[Mapping[str, Any]], str | None] = lambda _: None
    speakers: Sequence[tuple[str, str]] = ()
    blind_first: bool = False
    has_first: bool = False


@dataclass(frozen=True, slots=True)
class Study:
    """`find` says what a debate came to, for a row of a batch. What is known to be right of one is a text or a claim
    (`answers`), which `check_answer` may make from the debate's config or refuse. `subjects` are the keys one of which
    a debate of a batch must have. `vary` makes a version of a debate with something exchanged, or says why it cannot.
    `asking` is None for a protocol that cannot be asked questions, and `unasked` says why."""

    find: Callable[[Any, Sequence[Entry]], Findings]
    answers: type[str] | type[bool] = str
    check_answer: Callable[[Content, Answer | None], Answer | None] | None = None
    subjects: tuple[str, ...] = ("topic",)
    vary: Callable[[Content, Mapping[Variation, bool]], Content] | None = None
    variations: tuple[Variation, ...] = ()
    lots: Callable[[Any, int], list[int]] = lambda _config, _seed: []
    """For a config and a seed: what is drawn of it that decides who speaks, and so what a debate may take."""
    asking: Asking | None = None
    unasked: str = "it says nothing about how to ask it a question that has an answer"


def plain_findings(outcome: Any, entries: Sequence[Entry]) -> Findings:  # noqa: ARG001 (one of several)
    """The winner or the decision, where the outcome has fields of that name."""
    winner, decision = (getattr(outcome, name, None) for name in ("winner", "decision"))
    winner = winner if isinstance(winner, str) else None
    return Findings(winner=winner, decision=decision if isinstance(decision, str) else winner)


PLAIN = Study(plain_findings, subjects=())
"""For a protocol that brings no study."""


def plain_words(text: str) -> str:
    """A decision without what makes no difference: case, spaces, the full stop at its end."""
    return " ".join(text.casefold().split()).rstrip(" .;!")
