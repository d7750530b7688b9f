"""Where everything stands in a chart of shares: bars, each divided among labels. How it looks is the template's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from moot.figures import reached_percent
from moot.present import Bar
from moot.text import clip

WIDTH, LEFT, RIGHT = 520, 112, 10
BAR, GAP, TOP, FOOT = 24, 10, 6, 24
NARROWEST = 34
"""The narrowest part of a bar that a figure fits into."""


@dataclass(frozen=True, slots=True)
class Part:
    """`share` is in per cent, and so is the `text`, empty where it has no room."""

    label: str
    colour: str
    x: float
    width: float
    share: str
    text: str
    middle: float


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    y: int
    middle: int
    parts: list[Part]
    mark: float | None


@dataclass(frozen=True, slots=True)
class Chart:
    width: int
    height: int
    left: int
    span: int
    bar: int
    rows: list[Row]
    scale: list[tuple[str, float]]
    key: list[tuple[str, str]]


def draw(bars: Sequence[Bar], colours: Mapping[str, str]) -> Chart:
    """Lay the bars out one below the other; `colours` are those of the labels."""
    span = WIDTH - LEFT - RIGHT
    rows = []
    for place, bar in enumerate(bars):
        y, x, parts = TOP + place * (BAR + GAP), float(LEFT), []
        for label, share in bar.shares.items():
            width = round(float(share) * span, 1)
            told = f"{reached_percent(share)}%"
            text = told if width >= NARROWEST else ""
            if width:
                parts.append(Part(label, colours[label], round(x, 1), width, told, text, round(x + width / 2, 1)))
            x += width
        mark = None if bar.marked is None else round(LEFT + bar.marked * span, 1)
        rows.append(Row(clip(bar.name, 18), y, y + BAR // 2, parts, mark))
    return Chart(
        width=WIDTH,
        height=TOP + len(bars) * (BAR + GAP) + FOOT,
        left=LEFT,
        span=span,
        bar=BAR,
        rows=rows,
        scale=[(f"{part} %", round(LEFT + part / 100 * span, 1)) for part in (0, 25, 50, 75, 100)],
        key=list(colours.items()),
    )
