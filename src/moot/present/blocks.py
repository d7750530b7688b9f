"""Blocks: the parts of a section of a report."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

from moot.present.documents import Document

Tone = Literal["plain", "lead", "small", "flag"]
Place = Literal["card", "body", "setting", "end"]
"""The position of a section: in the card with the verdict, before the cast, between cast and transcript, or after the
transcript."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A sentence or two written by moot."""

    kind: ClassVar[str] = "paragraph"
    text: str
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading. `seq` is the entry that the text below it comes from."""

    kind: ClassVar[str] = "heading"
    text: str
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation in Markdown. `by` names the speaker and `seq` is its entry. If `aloud` is false, this is text of the
    debate that nobody said, shown without quotation marks."""

    kind: ClassVar[str] = "quote"
    text: str
    by: str = ""
    seq: int | None = None
    aloud: bool = True


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Text shown exactly as it is: a document, a diff, a raw reply."""

    kind: ClassVar[str] = "verbatim"
    text: str
    diff: bool = False


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers on a common scale: where they begin and end, their middle half and their median. `points` are all of
    them, `seq` is the last entry that they rest on."""

    name: str
    least: float
    lower: float
    median: float
    upper: float
    most: float
    points: Sequence[float] = ()
    seq: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadChart(Verbatim):
    """How far numbers are apart, a row for each range. Where there are no pictures, the `text` is shown as it is."""

    kind: ClassVar[str] = "spread_chart"
    title: str
    caption: str
    ranges: Sequence[Range]
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table. The first `texts` columns hold words, the others figures. `total` sets the last row apart; `name` is the
    title. One that has the `outcome` in it is left out while a debate is watched."""

    kind: ClassVar[str] = "table"
    columns: list[str]
    rows: list[list[str]]
    texts: int = 1
    total: bool = False
    name: str = ""
    outcome: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list. `lead` is shown before the text, set apart. `anchor` is the item's link target, `link` the
    anchor that its lead links to, and `refs` are anchors listed after the text, such as sources. It rests on the
    `entries`, and on `places` in documents, each in words and with its anchor."""

    text: str
    lead: str = ""
    anchor: str = ""
    link: str = ""
    refs: Sequence[str] = ()
    note: str = ""
    entries: Sequence[int] = ()
    places: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Items:
    kind: ClassVar[str] = "items"
    items: Sequence[Item]
    numbered: bool = False
    otherwise: str = ""
    """Shown if the list is empty."""
    small: bool = False
    """Whether these are footnotes."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Pairs of a name and its value."""

    kind: ClassVar[str] = "facts"
    facts: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Details:
    """Blocks folded away below a summary line."""

    kind: ClassVar[str] = "details"
    summary: str
    blocks: "Sequence[Block]"
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Tabs:
    """Alternatives of which one is shown at a time, chosen by its name. Where nothing can be chosen, in Markdown and on
    paper, they stand below each other. `title` says what they are."""

    kind: ClassVar[str] = "tabs"
    title: str
    tabs: Sequence[Details]


@dataclass(frozen=True, slots=True)
class Standing:
    """The result of one agent. `score` is out of `out_of`, and None if there is no score; `mark` is the agent's mark
    among all of the cast, its initials if that is empty."""

    name: str
    colour: str
    about: str
    score: float | None
    won: bool = False
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Standings:
    kind: ClassVar[str] = "standings"
    title: str
    standings: Sequence[Standing]
    out_of: int = 10


@dataclass(frozen=True, slots=True)
class Mark:
    """A score at a turn; None if it is missing. `seq` is its entry, with which it appears when a debate is replayed."""

    turn: int
    score: int | None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class ScoreLine:
    name: str
    colour: str
    marks: Sequence[Mark]


@dataclass(frozen=True, slots=True)
class ScoreChart:
    """Scores over turns, from 0 to 10, with a line for each agent."""

    kind: ClassVar[str] = "score_chart"
    title: str
    caption: str
    lines: Sequence[ScoreLine]
    turns: int


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar divided among labels. `marked` is the share that the bar must reach, if any. The part without a label stays
    blank. `seq` is the last entry that it rests on."""

    name: str
    shares: dict[str, float | Fraction]
    marked: float | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class BarChart:
    """Bars on a common scale. `colours` maps each label to its colour, in the order of the key."""

    kind: ClassVar[str] = "bar_chart"
    title: str
    caption: str
    bars: Sequence[Bar]
    colours: dict[str, str]
    blank: str = ""
    """The meaning of the blank part of a bar."""


@dataclass(frozen=True, slots=True)
class Map:
    """An argument map: an SVG drawn by moot, with all text escaped, and the same map as text."""

    kind: ClassVar[str] = "map"
    title: str
    picture: str
    text: str
    caption: str = ""


Block = (
    Paragraph
    | Heading
    | Quote
    | Verbatim
    | SpreadChart
    | Table
    | Items
    | Facts
    | Details
    | Tabs
    | Standings
    | ScoreChart
    | BarChart
    | Map
    | Document
)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report. `brief` sections also appear in the terminal when a debate has ended. `live` sections are
    shown while they grow, `covered` if they give away the outcome."""

    id: str
    title: str
    blocks: Sequence[Block]
    place: Place = "body"
    brief: bool = False
    live: Literal["", "open", "covered"] = ""
