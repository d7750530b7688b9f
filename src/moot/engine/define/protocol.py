"""Protocol: everything that moot knows about one kind of debate. Optional fields have defaults that work for any
debate."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, get_args
from typing import Protocol as Typing

from pydantic import BaseModel

from moot.engine.define.gate import Decides
from moot.engine.define.options import Option, Subject
from moot.engine.define.pages import Gated
from moot.engine.define.plain import plain_lines, plain_sections, plain_summary
from moot.present import Block, Finding, Lines, Section, Summary, Version
from moot.record.entry import Entry
from moot.record.payloads import Payloads

if TYPE_CHECKING:
    from moot.argument.graph import Graph
    from moot.engine.define.contest import Contestable
    from moot.engine.define.remembered import Remembered
    from moot.engine.define.study import Study
    from moot.engine.outcome.material import Material
    from moot.engine.outcome.result import Result
    from moot.engine.staging.runs import Run


RESERVED = frozenset(
    {"run", "protocol", "status", "reason", "limit", "summary", "brief", "flags", "gate", "findings", "failures"}
    | {"spent", "spent_by", "seconds", "longest_chain", "receipt"}
)
"""The common fields of every result, which an outcome must not redefine."""


def nobody(config: Any, speaker: str) -> str:  # noqa: ARG001 (one of several)
    return ""


def nowhere(entries: Sequence[Entry]) -> str:  # noqa: ARG001 (one of several)
    return ""


@dataclass(frozen=True, slots=True)
class Due:
    """Whose turn it is according to the log: the role, the phase, the entry types that it may use now, and what is
    asked of it, in words. For an answer also the `call` to name, and the JSON Schema if JSON is requested."""

    role: str
    phase: str
    types: tuple[str, ...]
    asked: str
    call: str | None = None
    schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Words:
    """The phases of a protocol, the entry types of each role, and the words for the live view.

    A protocol without phases accepts any. `steps` describe the activity of an agent, by a word in the key of its call
    ("is thinking about turn {number}", where the number is the next part of the key); replies of the steps in `aloud`
    are public. `place` says where a debate stands ("turn 3 of 6"). `verdicts` are the entry types with the outcome;
    `telling` types give it away earlier. In a `numbered` debate entries are cited by number. `no_notes` is shown to
    readers if notes are not accepted.
    """

    phases: tuple[str, ...] = ()
    types: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The entry types that each role can append from outside."""
    role_of: Callable[[Any, str], str] = nobody
    """For a config and a speaker: the role, or "" for a speaker outside the cast."""
    refused: Callable[..., str | None] | None = None
    """For the log's entries and the fields of a new one: any other reason to refuse it, or None."""
    due: Callable[[Sequence[Entry]], Due | None] | None = None
    """For the log's entries: whose turn it is to append from outside, or None while others are working."""
    steps: Mapping[str, str] = field(default_factory=dict)
    aloud: tuple[str, ...] = ()
    place: Callable[[Sequence[Entry]], str] = nowhere
    """For the log's entries, the header first, while the debate runs: where it stands; "" if that is unknown."""
    verdicts: tuple[str, ...] = ("verdict", "decision", "outcome")
    telling: tuple[str, ...] = ()
    numbered: bool = False
    no_notes: str = "Readers cannot add notes to this debate."
    looks_up: tuple[str, ...] = ()
    """The words in keys of calls before which agents may look things up; without any, before every call."""
    no_tools: str = ""
    """Why nobody may look anything up in such a debate, as the end of a sentence; "" if somebody may."""
    unseen: tuple[str, ...] = ()
    """Public entry types that agents do not see from others, or see without the author. A person at a seat does not see
    them either until the debate has ended."""
    optional: tuple[str, ...] = ()
    """The words in keys of calls for private notes, which a person can skip."""

    def is_optional(self, key: str) -> bool:
        return any(step in self.optional for step in key.split("/")[1:2])


@dataclass(frozen=True, slots=True)
class Part:
    """A role that can be given a model: `key` is its name or its role in the script, `model` comes from its persona,
    and `debates` distinguishes debaters from judges."""

    key: str
    label: str
    name: str = ""
    model: Any = None
    debates: bool = True


@dataclass(frozen=True, slots=True)
class Series:
    """How to debate several subjects one after the other, from a file with one per line.

    `settings` makes the settings of a debate from a line, `carry` makes settings for later debates from earlier
    results, and `sum_up` summarises all of them.
    """

    settings: Callable[[Any], dict[str, Any]]
    carry: "Callable[[Sequence[Result]], dict[str, Any]]"
    sum_up: "Callable[[Sequence[Result]], tuple[BaseModel, list[Block]]]"


class Complete(Typing):
    def __call__(self, given: Mapping[str, Any], *, from_file: bool) -> dict[str, Any]: ...


def as_given(given: Mapping[str, Any], *, from_file: bool) -> dict[str, Any]:  # noqa: ARG001 (one of several)
    return dict(given)


def whole_outcome(material: "Material") -> dict[str, Any]:
    outcome = material.result.outcome
    return {} if outcome is None else {"outcome": outcome.model_dump(mode="json")}


def no_words(config: Any) -> str:  # noqa: ARG001 (one of several)
    return ""


def no_parts(config: Any) -> list[Part]:  # noqa: ARG001 (one of several)
    return []


@dataclass(frozen=True, slots=True, eq=False)
class Protocol:
    """A kind of debate. Only the first six fields are required.

    `play` is the script, `outcome` interprets its log. `about` describes the debate in a sentence, `gives` its results.
    `summary` puts an outcome and its log into the words that every interface shows.
    """

    name: str
    about: str
    config: type[BaseModel]
    play: Callable[[Any, Any], Coroutine[Any, Any, None]]
    outcome: Callable[[Sequence[Entry]], BaseModel]
    outcome_model: type[BaseModel]
    gives: str = ""
    payloads: Payloads = field(default_factory=dict)
    """The payload class of each entry type; None for a type without payload."""
    words: Words = field(default_factory=Words)
    subject: Subject = field(default_factory=Subject)
    """The subject of the debate: its config key, and how people provide it."""
    options: tuple[Option, ...] = ()
    """Options in addition to those declared by the config's fields."""
    complete: Complete = as_given
    """Adds the shipped defaults to a config."""
    parts: Callable[[Any], list[Part]] = no_parts
    """For a config: the roles that can be given a model."""
    series: Series | None = None
    """How to debate many subjects one after the other."""
    suits: tuple[str, ...] = ()
    """The kinds of question that it suits, the one that it is made for first; `staging.choosing` has the kinds."""
    seats: str = ""
    """The config key for the models of the participants, one each. Several models that are named for the debate are
    put there, where other protocols use the later ones as fallbacks."""
    unplanned: Callable[[Any], str] = no_words
    """What a debate with this config may ask on top of its plan, as a sentence for people."""
    patience: str = ""
    """The config key for the seconds to wait for an agent, if there is one."""
    offered: bool = True
    """Whether people choose it; other protocols are started by special commands."""
    missing: str = ""
    """Why its code is missing, for a placeholder."""

    summary: Callable[[Any, Sequence[Entry]], Summary] = plain_summary
    sections: "Callable[[Material], list[Section]]" = plain_sections
    lines: Callable[[], Lines] = plain_lines
    """Makes the function that puts the entries of one debate into lines."""
    readable: Callable[[Sequence[Entry]], list[Entry]] = list
    """The entries of a log for readers, with struck text removed."""
    shown: Callable[[Sequence[Entry]], Callable[[str, str], str]] = lambda _entries: lambda _key, text: text
    """For a log: a function from the key of a call (or "") and a message to the text that readers see."""

    with_tokens: Callable[[Any, Mapping[str, int | None], int], BaseModel] | None = None
    """Adds the token counts of calls, by key, to an outcome; None if unknown."""
    documents: "Callable[[Material], dict[str, str]] | None" = None
    """Additional files of a run, by name."""
    receipt: "Callable[[Material], dict[str, Any]]" = whole_outcome
    """Additional fields for the receipt of a finished run; by default the complete outcome."""
    choices: Callable[[Sequence[Entry]], list[str]] | None = None
    """The choices that readers can vote for."""
    decided: Callable[[Any], str | None] | None = None
    """The choice that an outcome corresponds to."""
    versions: Callable[[Any], dict[str, list[Version]]] | None = None
    """For an outcome: the revised texts with their versions, by author or name."""
    gate: Callable[[Any, Sequence[Entry]], Gated] | None = None
    """Whether the subject passes, given the outcome (None if there is none yet) and the log."""
    findings: Callable[[Any, Sequence[Entry]], Sequence[Finding]] | None = None
    """For an outcome and its log: what is wrong with the subject. The engine checks the places that they name."""
    decides: Decides | None = None
    """What can be required of its decisions; its config then has a list `require`."""
    private: Mapping[str, str] = field(default_factory=dict)
    """Config keys that a guest of a server must not set, such as file names, and the reason."""
    carry: Callable[[Any], Mapping[str, BaseModel]] | None = None
    """For a config: the content of the files that it names, for a run elsewhere, where `Room.carried` has it."""
    study: "Study | None" = None
    """Data for batches and evaluations."""
    rejudge: "Callable[[Run, Sequence[Entry]], dict[str, Any]] | str" = "it has no judge who could be replaced"
    """The material for judging a run again, or the reason why that is impossible."""
    remember: "Callable[[Material], Remembered] | None" = None
    """The data that a memory stores about a finished run."""
    graph: "Callable[[Sequence[Entry]], Graph | None] | None" = None
    """The argument graph of a log; None before it exists."""
    contest: "Callable[[Sequence[Entry]], Contestable | None] | None" = None
    """The argument graph with its verdict, if the verdict depends on it; None before it exists."""

    heading: str = ""
    """The words before the topic in the title of a report."""

    @property
    def title(self) -> str:
        return self.name.replace("_", " ").replace("-", " ").capitalize()

    @property
    def path_keys(self) -> list[str]:
        """The config keys that hold a path, directly or nested, according to the types of their fields."""
        fields = self.config.model_fields.items()
        return [key for name, one in fields if _is_path(one.annotation) for key in (name, one.alias) if key]


def _is_path(annotation: Any, seen: frozenset[Any] = frozenset()) -> bool:
    """Whether a field holds a path, directly, among others, or in a nested model."""
    if isinstance(annotation, type) and annotation not in seen:
        if issubclass(annotation, PurePath):
            return True
        if issubclass(annotation, BaseModel):
            fields = annotation.model_fields.values()
            return any(_is_path(one.annotation, seen | {annotation}) for one in fields)
    return any(_is_path(one, seen) for one in get_args(annotation))
