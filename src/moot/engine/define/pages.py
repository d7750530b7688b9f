"""What a protocol can provide for pages and gates, in addition to its summary and sections."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from moot.record.entry import Entry


def as_logged(entry: Entry, by_seq: Mapping[int, Entry]) -> dict[str, Any]:  # noqa: ARG001 (one of several)
    """The fields of an entry's payload."""
    return entry.data.model_dump(mode="json") if entry.data is not None else {}


@dataclass(frozen=True, slots=True)
class Ballots:
    """The entries that were parsed from replies, for a page that shows both together.

    `title` is their heading. Entries of the types in `first` come first. `fields` are the shown fields of an entry,
    given all entries by seq; `renamed` are those with other names in a reply.
    """

    title: str
    types: tuple[str, ...]
    first: tuple[str, ...] = ()
    fields: Callable[[Entry, Mapping[int, Entry]], dict[str, Any]] = as_logged
    renamed: tuple[str, ...] = ()


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
