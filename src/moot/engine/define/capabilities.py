"""What a protocol can do besides being played: values for `Protocol.capabilities`, found with `protocol.get(Class)`.

Each is used by one part of moot, and a protocol without it goes without that part. Larger ones have modules of their
own: `Decides` (gate), `Study`, `Contestable` and `Remembered`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from typing import Protocol as Typing

from pydantic import BaseModel

from moot.present import Finding, Version
from moot.record.entry import Entry

if TYPE_CHECKING:
    from moot.argument.graph import Graph
    from moot.engine.define.contest import Contestable
    from moot.engine.define.remembered import Remembered
    from moot.engine.outcome.material import Material
    from moot.engine.staging.runs import Run


# --- setting up a debate


class AddDefaults(Typing):
    def __call__(self, given: Mapping[str, Any], *, from_file: bool) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Defaults:
    """`add` adds the shipped defaults to the settings of a debate."""

    add: AddDefaults


@dataclass(frozen=True, slots=True)
class SpecialKeys:
    """Config keys with a meaning that moot knows."""

    seats: str = ""
    """The models of the participants, one each. Several models that are named for the debate are put there, where
    other protocols use the later ones as fallbacks."""
    patience: str = ""
    """The seconds to wait for an agent."""


@dataclass(frozen=True, slots=True)
class Suits:
    """The kinds of question that it suits, the one that it is made for first: those of `KINDS`, where a statement
    counts as `yes_no`, and `many` for a choice of more than two."""

    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unplanned:
    """What a debate with a config may ask on top of its plan, as a sentence for people."""

    describe: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class Unlisted:
    """People do not choose it: a special command starts it."""


@dataclass(frozen=True, slots=True)
class NotInstalled:
    """The reason why its code is missing, for a placeholder."""

    why: str


@dataclass(frozen=True, slots=True)
class CarriesFiles:
    """For a config: the content of the files that it names, for a run elsewhere, where `Room.carried` has it."""

    read: Callable[[Any], Mapping[str, BaseModel]]


@dataclass(frozen=True, slots=True)
class PrivateKeys:
    """Config keys that a guest of a server must not set, and the reason. Fields that hold a path need none."""

    reasons: Mapping[str, str]


# --- while it runs


@dataclass(frozen=True, slots=True)
class LiveView:
    """How the live view follows a debate."""

    steps: Mapping[str, str] = field(default_factory=dict)
    """The activity of an agent, by a word in the key of its call: "is thinking about turn {number}", where the number
    is the next part of the key."""
    public_steps: tuple[str, ...] = ()
    """The steps whose replies are public."""
    place: Callable[[Sequence[Entry]], str] = lambda _: ""
    """For the log's entries, the header first: where the debate stands ("turn 3 of 6"); "" if that is unknown."""
    verdicts: tuple[str, ...] = ("verdict", "decision", "outcome")
    """The entry types with the outcome."""
    spoilers: tuple[str, ...] = ()
    """Entry types that give the outcome away earlier."""
    hidden: tuple[str, ...] = ()
    """Public entry types that agents do not see from others, or see without the author. A person at a seat does not see
    them either until the debate has ended."""
    numbered: bool = False
    """Whether its entries are cited by number."""
    optional: tuple[str, ...] = ()
    """The words in keys of calls for private notes, which a person can skip."""

    def is_optional(self, key: str) -> bool:
        return any(step in self.optional for step in key.split("/")[1:2])


@dataclass(frozen=True, slots=True)
class OutsideEntries:
    """The phases in which entries can be appended from outside. Without it, every phase is accepted."""

    phases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LookupRules:
    """When agents may look things up. Without it, before every call."""

    steps: tuple[str, ...] = ()
    """The words in keys of calls before which they may."""
    refused: str = ""
    """Why nobody may, as the end of a sentence; "" if somebody may."""


# --- reading it


@dataclass(frozen=True, slots=True)
class Redactions:
    """How readers see a debate whose text can be struck."""

    entries: Callable[[Sequence[Entry]], list[Entry]] = list
    """The entries of a log for readers, with struck text removed."""
    messages: Callable[[Sequence[Entry]], Callable[[str, str], str]] = lambda _: lambda _key, text: text
    """For a log: a function from the key of a call (or "") and a message to the text that readers see."""


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """Adds the token counts of calls, by key, to an outcome; None if unknown."""

    add: Callable[[Any, Mapping[str, int | None], int], BaseModel]


@dataclass(frozen=True, slots=True)
class OwnDocuments:
    """Additional files of a run, by name."""

    write: "Callable[[Material], dict[str, str]]"


@dataclass(frozen=True, slots=True)
class ReceiptFields:
    """The protocol's fields of a receipt; without it, the complete outcome."""

    of: "Callable[[Material], dict[str, Any]]"


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices that readers can vote for."""

    offered: Callable[[Sequence[Entry]], list[str]]
    """For a log: the choices."""
    chosen: Callable[[Any], str | None]
    """For an outcome: the choice that it corresponds to."""


@dataclass(frozen=True, slots=True)
class Versions:
    """For an outcome: the revised texts with their versions, by author or name."""

    of: Callable[[Any], dict[str, list[Version]]]


# --- using it


@dataclass(frozen=True, slots=True)
class Gated:
    """The decision of a gate. `passed` is None until it is decided; `agreement` and `threshold` are the actual and
    the required share of votes for `decision`; `passing` is the decision that passes."""

    passed: bool | None
    decision: str | None
    agreement: float | None = None
    threshold: float | None = None
    passing: str | None = None
    conditions: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class GateTool:
    """Whether the subject passes, given the outcome (None if there is none yet) and the log. It gives assistants a
    tool `NAME_gate`."""

    decide: Callable[[Any, Sequence[Entry]], Gated]


@dataclass(frozen=True, slots=True)
class Reviews:
    """For an outcome and its log: what is wrong with the subject. The engine checks the places that they name."""

    findings: Callable[[Any, Sequence[Entry]], Sequence[Finding]]


@dataclass(frozen=True, slots=True)
class Rejudge:
    """Makes the settings for judging a run again."""

    material: "Callable[[Run, Sequence[Entry]], dict[str, Any]]"


@dataclass(frozen=True, slots=True)
class NoRejudge:
    """The reason why it cannot be judged again, as a clause."""

    why: str = "it has no judge who could be replaced"


@dataclass(frozen=True, slots=True)
class Remembers:
    """The data that a memory stores about a finished run."""

    record: "Callable[[Material], Remembered]"


@dataclass(frozen=True, slots=True)
class ArgumentMap:
    """The argument graph of a log, and the graph with its verdict; None before they exist."""

    graph: "Callable[[Sequence[Entry]], Graph | None]"
    contest: "Callable[[Sequence[Entry]], Contestable | None]"
