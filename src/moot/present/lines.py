"""Lines: one entry of the log as people see it, in the terminal, on a page and in a report."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from moot.present.blocks import Block

if TYPE_CHECKING:
    from moot.record.entry import Entry

LineKind = Literal["statement", "private", "mark", "verdict", "note"]
Trend = Literal["", "up", "same", "down"]
Tone = Literal["plain", "good", "bad", "strong"]


@dataclass(frozen=True, slots=True)
class Line:
    """How an entry is shown. `label` follows the speaker's name ("scores Ada", "opens, turn 1 of 6").

    A `statement` was said to others, a `private` line is a plan or a thought, a `mark` is a score, a vote or a ruling
    with its `badge`, a `verdict` tells what the debate came to, a `note` is whatever else happened. `text` takes the
    place of the entry's content and `body` stands below it; `about` names whom a mark is for. `group` is the title of
    the part of the debate that the entry belongs to, its phase where nothing else is said.
    """

    kind: LineKind
    label: str
    badge: str = ""
    text: str | None = None
    body: Sequence[Block] = ()
    about: str = ""
    trend: Trend = ""
    tone: Tone = "plain"
    group: str = ""


Lines = Callable[["Entry"], Line | None]
"""Puts the entries of one debate into lines, in the order of the log; None for an entry that it has nothing to say of.
It is shown every entry, the header first, and may remember what it has seen: each reader of a debate makes its own."""
