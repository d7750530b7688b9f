"""Study: data about a protocol for batches and evaluations. A protocol without it can still be a row of a batch."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from moot.record.entry import Entry
from moot.text.prose import plain_words

Content = dict[str, Any]
"""A debate file, as data."""
Answer = str | bool
"""The known right answer: a text, or whether the debated claim is true."""
TRUTH = (
    "The question has a right answer. Work it out step by step, briefly, and check each step: what counts is that the "
    "answer is right, not how it is put."
)
"""An instruction for everybody who is asked a question with a right answer: debaters, judges, voters and baselines."""
Variation = Literal["sides", "order", "claim"]


@dataclass(frozen=True, slots=True)
class Change:
    """An agent ended with another decision than it started with. `evidence` is true if it named new evidence."""

    agent: str
    before: str
    after: str
    evidence: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """One judge of a jury read the debate once, with the statements of `first` shown first. `winner` is None with the
    reason in `failure` if it named nobody."""

    judge: str
    first: str
    winner: str | None
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class Findings:
    """The outcome of a debate in terms common to all protocols; None for anything that a protocol or debate does not
    have.

    `upheld` is true if the debated claim was accepted, `first_…` are the values without the debate. `ordered` means
    that the contestants speak one after the other, in the order of the cast. For a judge, `confirmed` is true if it
    named the winner again when asked only for the name, and `scores_contradict_winner` if it gave another contestant
    the higher score. `readings` are those of a jury.
    """

    winner: str | None = None
    claim: str | None = None
    upheld: bool | None = None
    decision: str | None = None
    first_decision: str | None = None
    changed_by_debate: bool | None = None
    confirmed: bool | None = None
    scores_contradict_winner: bool | None = None
    scores: Mapping[str, float | None] = field(default_factory=dict)
    changes: Sequence[Change] | None = None
    accepted: bool | None = None
    ordered: bool = False
    readings: Sequence[Reading] = ()


class Question(Protocol):
    """A question with a right answer, as used by an evaluation. `candidates` are the possible answers, if known in
    advance."""

    @property
    def task(self) -> str: ...
    @property
    def bare_task(self) -> str:
        """The task without its context, for agents that must not see it."""
        ...

    @property
    def context(self) -> str | None: ...
    @property
    def match(self) -> str: ...
    @property
    def candidates(self) -> tuple[str, ...]: ...
    @property
    def form(self) -> str:
        """The form of an answer, in words."""
        ...

    def shown(self, answer: str) -> str:
        """An answer in words for debaters."""
        ...

    def read(self, value: str) -> str | None:
        """An answer in canonical form; None if it is not clear."""
        ...

    def states_answer(self, text: str) -> bool:
        """Whether a text ends with an answer."""
        ...

    def answer_in(self, text: str) -> str | None:
        """The answer at the end of a text, in canonical form."""
        ...


@dataclass(frozen=True, slots=True)
class FoundAnswer:
    """The interpretation of an outcome. `answer` is canonical; if it is missing, `undecided` distinguishes a debate
    without a decision from an unreadable one. `first` are the initial blind answers, None if there are none, and
    `last` those of the same agents in the end, None if they are not asked again. `debated` is whether a debate took
    place, None if none was requested; `undebated` is the reason if it did not."""

    answer: str | None
    undecided: bool
    detail: str
    first: dict[str, str | None] | None = None
    last: dict[str, str | None] | None = None
    debated: bool | None = None
    undebated: str | None = None


@dataclass(frozen=True, slots=True)
class Asking:
    """How to ask a protocol a question with an answer, and how to find the answer in its outcome.

    `settings` makes the debate from the user's file, the question, and the two opposing answers; `read` finds the
    answer in an outcome. `refuses` says why a question cannot be asked, and `unsuited` why the user's file is not
    suitable. `speakers` are the roles and names of the debaters, if the settings contain them. `blind_first` means that
    two blind answers are collected first if the question does not name two. `said` is for debates that start with blind
    answers: the answer that an agent gives in an entry, empty if it gives none, and None for all other entries.
    `rounds` is how often a debate with this config goes round.
    """

    settings: Callable[[Mapping[str, Any], Question, tuple[str, ...]], dict[str, Any]]
    read: Callable[[Any, Question, tuple[str, ...]], FoundAnswer]
    refuses: Callable[[Question], str | None] = lambda _: None
    unsuited: Callable[[Mapping[str, Any]], str | None] = lambda _: None
    speakers: Sequence[tuple[str, str]] = ()
    blind_first: bool = False
    said: Callable[[Entry], str | None] | None = None
    rounds: Callable[[Any], int] = lambda config: getattr(config, "rounds", 1)


@dataclass(frozen=True, slots=True)
class Match:
    """Two models debate a motion before a jury of models. `claim` is the claim that they are for or against, if the
    motion is not one itself."""

    motion: str
    claim: str | None
    for_model: str
    against_model: str
    for_opens: bool
    jury: Sequence[str]


@dataclass(frozen=True, slots=True)
class Study:
    """`find` gives the findings of a debate for a row of a batch. The right answer is a text or a claim (`answers`),
    which `check_answer` can derive from the config or refuse. A debate of a batch needs one of the keys in
    `subjects`. `vary` makes a version of a debate with something exchanged, or says why it cannot. `asking` is None
    for a protocol that cannot be asked questions, and `unasked` says why. `of_question` are the keys of a config that
    belong to its question, such as the right answer, and are not kept for a further one. `match` makes the
    settings of a match in a tournament, in which nothing differs between the two but the model; ConfigError for a
    motion without two sides."""

    find: Callable[[Any, Sequence[Entry]], Findings]
    answers: type[str] | type[bool] = str
    check_answer: Callable[[Content, Answer | None], Answer | None] | None = None
    subjects: tuple[str, ...] = ("topic",)
    of_question: tuple[str, ...] = ()
    vary: Callable[[Content, Mapping[Variation, bool]], Content] | None = None
    variations: tuple[Variation, ...] = ()
    lots: Callable[[Any, int], list[int]] = lambda _config, _seed: []
    """For a config and a seed: the random choices that decide who speaks, and so the cost of a debate."""
    match: Callable[[Match], Content] | None = None
    asking: Asking | None = None
    carry: Callable[[Content, Sequence[Content]], Content] | None = None
    """The config of a debate with what is to be carried over from the accepted debates before it."""
    unasked: str = "it says nothing about how to ask it a question that has an answer"


def answer_findings(answer: str | None, first: str | None) -> Findings:
    """The findings of a debate with a short answer; `first` is the one without the debate."""
    changed = None if answer is None or first is None else plain_words(answer) != plain_words(first)
    return Findings(decision=answer, first_decision=first, changed_by_debate=changed)


def plain_findings(outcome: Any, entries: Sequence[Entry]) -> Findings:  # noqa: ARG001 (one of several)
    """The winner or the decision, if the outcome has fields with these names."""
    winner, decision = (getattr(outcome, name, None) for name in ("winner", "decision"))
    winner = winner if isinstance(winner, str) else None
    return Findings(winner=winner, decision=decision if isinstance(decision, str) else winner)


PLAIN = Study(plain_findings, subjects=())
"""For a protocol without a study."""
