"""Protocol: all that moot knows of one way of debating. What it leaves out has a default that works for any debate."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from typing import Protocol as Typing

from pydantic import BaseModel

from moot.engine.options import Option, Subject
from moot.engine.pages import Ballots, Gated
from moot.engine.plain import plain_lines, plain_sections, plain_summary
from moot.present import Block, Lines, Section, Summary, Version
from moot.record.entry import Entry
from moot.record.payloads import Payloads

if TYPE_CHECKING:
    from moot.argument.graph import Graph
    from moot.engine.contest import Contestable
    from moot.engine.material import Material
    from moot.engine.remembered import Remembered
    from moot.engine.result import Result
    from moot.engine.runs import Run
    from moot.engine.study import Study


RESERVED = frozenset(
    {"run", "protocol", "status", "reason", "limit", "summary", "flags", "failures"}
    | {"spent", "spent_by", "seconds", "longest_chain", "receipt"}
)
"""What every result says, so that no outcome may have a field of that name."""


def nobody(config: Any, speaker: str) -> str:  # noqa: ARG001 (one of several)
    return ""


@dataclass(frozen=True, slots=True)
class Words:
    """The phases of a protocol and who may say what in them; what its agents do, for the live view.

    A protocol that names no phases takes any. `steps` say what an agent is doing, by a word in the key of its call;
    those `aloud` have public replies. `verdicts` are the entry types that tell what the debate came to; those that
    give it away before are `telling`. In a `numbered` debate entries are referred to by their numbers.
    `no_notes` is told to readers where their notes are not taken.
    """

    phases: tuple[str, ...] = ()
    types: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The entry types that each role may append from outside."""
    role_of: Callable[[Any, str], str] = nobody
    """For a config and a speaker: the role, or "" for somebody who is not of the cast."""
    refused: Callable[..., str | None] | None = None
    """For the log's entries and the fields of a new one: what else speaks against appending it, or None."""
    steps: Mapping[str, str] = field(default_factory=dict)
    aloud: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ("verdict", "decision", "outcome")
    telling: tuple[str, ...] = ()
    numbered: bool = False
    no_notes: str = "Readers cannot add notes to this debate."


@dataclass(frozen=True, slots=True)
class Part:
    """A part that can be given a model: `key` is its name or its part in the script, `model` what its persona says,
    and `debates` tells those who argue from those who judge."""

    key: str
    label: str
    name: str = ""
    model: Any = None
    debates: bool = True


@dataclass(frozen=True, slots=True)
class Series:
    """How many subjects are debated one after the other, from a file with one on each line.

    `settings` makes the settings of a debate from a line, and `carry` those that later debates have from the results
    before them. `sum_up` says what all of them come to.
    """

    settings: Callable[[Any], dict[str, Any]]
    carry: "Callable[[Sequence[Result]], dict[str, Any]]"
    sum_up: "Callable[[Sequence[Result]], tuple[BaseModel, list[Block]]]"


class Complete(Typing):
    def __call__(self, given: Mapping[str, Any], *, from_file: bool) -> dict[str, Any]: ...


def as_given(given: Mapping[str, Any], *, from_file: bool) -> dict[str, Any]:  # noqa: ARG001 (one of several)
    return dict(given)


def nothing_more(material: "Material") -> dict[str, Any]:  # noqa: ARG001 (one of several)
    return {}


def no_parts(config: Any) -> list[Part]:  # noqa: ARG001 (one of several)
    return []


@dataclass(frozen=True, slots=True, eq=False)
class Protocol:
    """One way of debating. Only the first six are needed.

    `play` is the script, `outcome` what its log amounts to. `about` says in a sentence what happens, `gives` what
    comes out. `summary` puts an outcome and its log into the words that every face shows.
    """

    name: str
    about: str
    config: type[BaseModel]
    play: Callable[[Any, Any], Coroutine[Any, Any, None]]
    outcome: Callable[[Sequence[Entry]], BaseModel]
    outcome_model: type[BaseModel]
    gives: str = ""
    payloads: Payloads = field(default_factory=dict)
    """Which payload each of its entry types carries; None for a type that carries none."""
    words: Words = field(default_factory=Words)
    subject: Subject = field(default_factory=Subject)
    """What is debated: under which key of the config, and how people give it."""
    options: tuple[Option, ...] = ()
    """Options beyond those that the fields of the config declare."""
    complete: Complete = as_given
    """Adds the shipped defaults to a config."""
    parts: Callable[[Any], list[Part]] = no_parts
    """For a config: the parts that can be given a model."""
    series: Series | None = None
    """How it takes many subjects, one after the other."""
    patience: str = ""
    """The key of its config that says how many seconds an agent is waited for, where there is one."""
    offered: bool = True
    """Whether people choose it; others are made by commands of their own."""
    missing: str = ""
    """Why its code is not here, for the stand-in of a protocol whose runs are."""

    summary: Callable[[Any, Sequence[Entry]], Summary] = plain_summary
    sections: "Callable[[Material], list[Section]]" = plain_sections
    lines: Callable[[], Lines] = plain_lines
    """Makes what puts the entries of one debate into lines."""
    readable: Callable[[Sequence[Entry]], list[Entry]] = list
    """A log's entries as readers get them, where something may have been struck."""
    shown: Callable[[Sequence[Entry]], Callable[[str, str], str]] = lambda _entries: lambda _key, text: text
    """What readers see of a message in the call of that key, or in none; for the log it belongs to."""

    with_tokens: Callable[[Any, Mapping[str, int | None], int], BaseModel] | None = None
    """Adds to an outcome what the log does not tell: what each call took, by its key; None where nobody said."""
    documents: "Callable[[Material], dict[str, str]] | None" = None
    """Further files that a run leaves, by name."""
    receipt: "Callable[[Material], dict[str, Any]]" = nothing_more
    """What the receipt of a finished run says beyond what every receipt has."""
    choices: Callable[[Sequence[Entry]], list[str]] | None = None
    """What readers can vote for."""
    decided: Callable[[Any], str | None] | None = None
    """Which of the choices an outcome stands for."""
    versions: Callable[[Any], dict[str, list[Version]]] | None = None
    """For an outcome: the texts that were revised, each with its versions, by whose or what they are."""
    ballots: Ballots | None = None
    """What was read from replies, for a page that shows both."""
    gate: Callable[[Any, Sequence[Entry]], Gated] | None = None
    """Whether what was debated may pass, for an outcome, or None where there is none yet, and its log."""
    private: Mapping[str, str] = field(default_factory=dict)
    """Keys of the config that no guest of a server may set, and why: such as those that name files."""
    study: "Study | None" = None
    """What batches and evaluations need to know of it."""
    rejudge: "Callable[[Run, Sequence[Entry]], dict[str, Any]] | str" = "it has no judge who could be replaced"
    """The material for judging a run again, or why there is none."""
    remember: "Callable[[Material], Remembered] | None" = None
    """What a memory keeps of a finished run."""
    graph: "Callable[[Sequence[Entry]], Graph | None] | None" = None
    """The argument graph that a log amounts to; None before there is one."""
    contest: "Callable[[Sequence[Entry]], Contestable | None] | None" = None
    """The same, with who wins by it, where that is what decides; None before there is one."""

    @property
    def title(self) -> str:
        return self.name.replace("_", " ").replace("-", " ").capitalize()
