"""Lines: how one entry of the log is shown in the terminal, on a page and in a report."""

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
    with its `badge`, a `verdict` gives the outcome, and a `note` is anything else. `text` replaces the entry's content
    and `body` is shown below it. `about` names the agent that a mark is for. `group` is the title of the part of the
    debate that the entry belongs to; the default is its phase. An `early` line gives no outcome away, though others of
    its type do.
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
    early: bool = False


Lines = Callable[["Entry"], Line | None]
"""Makes a line for each entry of one debate, in the order of the log; None to skip an entry. It gets every entry, the
header first, and can keep state, so each reader of a debate makes a new one."""
