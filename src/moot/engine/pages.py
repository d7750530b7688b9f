"""What a protocol may tell the pages and the gates, beyond its summary and its sections."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from moot.present import Sitting
from moot.record.entry import Entry

if TYPE_CHECKING:
    from moot.engine.material import Material


def as_logged(entry: Entry, by_seq: Mapping[int, Entry]) -> dict[str, Any]:  # noqa: ARG001 (one of several)
    """The fields of an entry's payload."""
    return entry.data.model_dump(mode="json") if entry.data is not None else {}


@dataclass(frozen=True, slots=True)
class Blind:
    """For votes on proposals that were shown without names. `labels` are what stood under which letter for whoever
    answered in that entry; `numbers` what each proposal is called on a page, by whose it is; `sittings` what was voted
    on when, in which names are told as that mapping has them."""

    labels: Callable[[Entry], Mapping[str, str]]
    numbers: "Callable[[Material], dict[str, str]]"
    sittings: "Callable[[Material, Mapping[str, str]], list[Sitting]]"


@dataclass(frozen=True, slots=True)
class Ballots:
    """Which entries were read from a reply as choices and figures, for a page that shows both side by side.

    `title` is what they are called. Those of the types `first` are what one looks for. `fields` are what is shown of
    an entry, given all entries by their seq; a reply has those that it gives `renamed` under other names.
    """

    title: str
    types: tuple[str, ...]
    first: tuple[str, ...] = ()
    fields: Callable[[Entry, Mapping[int, Entry]], dict[str, Any]] = as_logged
    renamed: tuple[str, ...] = ()
    blind: Blind | None = None


@dataclass(frozen=True, slots=True)
class Gated:
    """Whether a gate lets something pass. `passed` is None while that is not decided; `agreement` and `threshold` are
    shares of the votes that the `decision` has and needs; `passing` is the decision that lets it pass."""

    passed: bool | None
    decision: str | None
    agreement: float | None = None
    threshold: float | None = None
    passing: str | None = None
    conditions: Sequence[str] = ()
