"""Blocks: the parts that a section of a report is made of."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Literal

Tone = Literal["plain", "lead", "small", "flag"]
Place = Literal["card", "body", "setting", "end"]
"""Where a section stands: in the card with the verdict, before the cast, between cast and transcript, or after the
transcript."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A sentence or two of our own."""

    kind: ClassVar[str] = "paragraph"
    text: str
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class Heading:
    """`seq` is the entry that what follows stands in."""

    kind: ClassVar[str] = "heading"
    text: str
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Quote:
    """What somebody said, in Markdown. `by` says who; `seq` is the entry it stands in. What is not `aloud` is text of
    the debate that nobody spoke, and is shown without quotation marks."""

    kind: ClassVar[str] = "quote"
    text: str
    by: str = ""
    seq: int | None = None
    aloud: bool = True


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Text shown exactly as it is: a document, a diff, a reply as it came."""

    kind: ClassVar[str] = "verbatim"
    text: str
    diff: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """The first `texts` columns hold words, the others figures. `total` sets the last row apart; `name` says what the
    table shows."""

    kind: ClassVar[str] = "table"
    columns: list[str]
    rows: list[list[str]]
    texts: int = 1
    total: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One of a list. `lead` stands before the text, set apart; `anchor` is the name by which the item can be linked to,
    `link` the anchor that its lead links to; `refs` are anchors named after the text, such as sources."""

    text: str
    lead: str = ""
    anchor: str = ""
    link: str = ""
    refs: Sequence[str] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    kind: ClassVar[str] = "items"
    items: Sequence[Item]
    numbered: bool = False
    otherwise: str = ""
    """What is said where there are none."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and what there is to say of each."""

    kind: ClassVar[str] = "facts"
    facts: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Details:
    """Blocks that are folded away below a line that says what they are."""

    kind: ClassVar[str] = "details"
    summary: str
    blocks: "Sequence[Block]"
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """What one of the cast has to show for it. `score` is out of `out_of`; None where there is none."""

    name: str
    colour: str
    about: str
    score: float | None
    won: bool = False


@dataclass(frozen=True, slots=True)
class Standings:
    kind: ClassVar[str] = "standings"
    title: str
    standings: Sequence[Standing]
    out_of: int = 10


@dataclass(frozen=True, slots=True)
class Mark:
    """A score at a turn; None where it could not be had."""

    turn: int
    score: int | None


@dataclass(frozen=True, slots=True)
class ScoreLine:
    name: str
    colour: str
    marks: Sequence[Mark]


@dataclass(frozen=True, slots=True)
class ScoreChart:
    """Scores over turns, from 0 to 10, a line for each of the cast."""

    kind: ClassVar[str] = "score_chart"
    title: str
    caption: str
    lines: Sequence[ScoreLine]
    turns: int


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar divided among labels. `marked` is a share that the bar has to reach, where there is one; what the shares
    leave is left blank."""

    name: str
    shares: dict[str, float | Fraction]
    marked: float | None = None


@dataclass(frozen=True, slots=True)
class BarChart:
    """`colours` are those of the labels, in the order of the key."""

    kind: ClassVar[str] = "bar_chart"
    title: str
    caption: str
    bars: Sequence[Bar]
    colours: dict[str, str]
    blank: str = ""
    """What the blank rest of a bar means."""


@dataclass(frozen=True, slots=True)
class Drift:
    """How far somebody moved in each round, from 0 to 1; None where that was not measured. `turned` are the rounds in
    which they said that they changed their mind."""

    name: str
    colour: str
    moved: dict[int, float | None]
    turned: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class DriftStrip:
    """Movement over the rounds, a row for each of the cast. `least` is how alike the two least alike were after a
    round."""

    kind: ClassVar[str] = "drift_strip"
    title: str
    caption: str
    rounds: Sequence[int]
    rows: Sequence[Drift]
    least: dict[int, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Map:
    """An argument map: an SVG that moot drew, with every text in it escaped, and the same in text."""

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
    | Table
    | Items
    | Facts
    | Details
    | Standings
    | ScoreChart
    | BarChart
    | DriftStrip
    | Map
)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report. `brief` ones are also shown in the terminal when a debate has ended. `live` ones are worth
    watching as they grow; `covered` when they give away how it will end."""

    id: str
    title: str
    blocks: Sequence[Block]
    place: Place = "body"
    brief: bool = False
    live: Literal["", "open", "covered"] = ""
