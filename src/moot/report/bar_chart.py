"""Coordinates for a chart of bars divided among labels. The template decides how it looks."""

from collections.abc import Sequence
from dataclasses import dataclass

from moot.present import Bar, BarChart
from moot.present.bars import bar_in_words
from moot.text import clip
from moot.text.figures import bound_percent, reached_percent

WIDTH, LEFT, RIGHT = 520, 112, 10
BAR, GAP, TOP, FOOT, HEAD = 24, 10, 6, 24, 24
BESIDE, ABOVE = 11, 48
"""The longest names, in characters, that fit next to their bars on a small screen, and above them."""
NARROWEST = 34
"""The narrowest part of a bar that can hold a figure."""


@dataclass(frozen=True, slots=True)
class Part:
    """A labelled part of a bar. `text` is its percentage, empty if it does not fit."""

    label: str
    colour: str
    x: float
    width: float
    text: str
    middle: float


@dataclass(frozen=True, slots=True)
class Row:
    """A bar with its name. `name` is cut to fit, `full_name` is not. `words` describe the bar. `name_at` is where the
    name starts or, next to the bar, ends."""

    name: str
    full_name: str
    name_at: tuple[int, int]
    words: str
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
    beside: bool
    """Whether names are next to their bars instead of above."""
    rows: list[Row]
    scale: list[tuple[str, float]]
    key: list[tuple[str, str]]
    marks: str
    """The shares that bars must reach, in words."""


def draw(chart: BarChart) -> Chart:
    """Place the bars below each other. If all names are short they go next to the bars, otherwise above."""
    beside = all(len(bar.name) <= BESIDE for bar in chart.bars)
    left, head = (LEFT, 0) if beside else (RIGHT, HEAD)
    span = WIDTH - left - RIGHT
    rows = []
    for place, bar in enumerate(chart.bars):
        y, x, parts = TOP + head + place * (head + BAR + GAP), float(left), []
        for label, share in bar.shares.items():
            width = round(float(share) * span, 1)
            text = f"{reached_percent(share)}%" if width >= NARROWEST else ""
            if width:
                parts.append(Part(label, chart.colours[label], round(x, 1), width, text, round(x + width / 2, 1)))
            x += width
        mark = None if bar.marked is None else round(left + bar.marked * span, 1)
        middle = y + BAR // 2
        name_at = (left - 8, middle) if beside else (left, y - 10)
        rows.append(Row(clip(bar.name, ABOVE), bar.name, name_at, bar_in_words(bar, chart), y, middle, parts, mark))
    return Chart(
        width=WIDTH,
        height=TOP + len(chart.bars) * (head + BAR + GAP) + FOOT,
        left=left,
        span=span,
        bar=BAR,
        beside=beside,
        rows=rows,
        scale=[(f"{part} %", round(left + part / 100 * span, 1)) for part in (0, 25, 50, 75, 100)],
        key=list(chart.colours.items()),
        marks=_marks(chart.bars),
    )


def _marks(bars: Sequence[Bar]) -> str:
    needed = {bar.name: f"{bound_percent(bar.marked)}%" for bar in bars if bar.marked is not None}
    same = len(set(needed.values())) == 1
    return next(iter(needed.values())) if same else ", ".join(f"{name} {share}" for name, share in needed.items())
