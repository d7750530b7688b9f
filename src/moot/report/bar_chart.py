"""Coordinates for a chart of bars, one for each label of a group. The template decides how it looks."""

from collections.abc import Sequence
from dataclasses import dataclass

from moot.present import Bar, BarChart
from moot.present.bars import bar_in_words, bar_rows
from moot.text import clip
from moot.text.figures import bound_percent

WIDTH, LEFT, RIGHT = 520, 112, 52
BAR, GAP, APART, HEAD, FOOT = 16, 5, 12, 22, 24
BESIDE, ABOVE = 11, 48
"""The longest labels and names, in characters, that fit next to bars on a small screen, and above them."""


@dataclass(frozen=True, slots=True)
class LabelledBar:
    """The bar of a label, and its percentage behind it. `mark` is where it must reach; `label` is cut to fit."""

    label: str
    colour: str
    y: int
    middle: int
    width: float
    text: str
    mark: float | None


@dataclass(frozen=True, slots=True)
class Group:
    """The bars of one group below its name. `name` is cut to fit, `full_name` is not. `words` describe the group."""

    name: str
    full_name: str
    y: int
    words: str
    parts: list[LabelledBar]
    seq: int | None


@dataclass(frozen=True, slots=True)
class Chart:
    width: int
    height: int
    left: int
    span: int
    bar: int
    groups: list[Group]
    scale: list[tuple[str, float]]
    marks: str
    """The shares that bars must reach, in words."""


def draw(chart: BarChart) -> Chart:
    """Place the groups below each other."""
    span, y, groups = WIDTH - LEFT - RIGHT, 0, []
    for bar in chart.bars:
        name_at, y = y + HEAD // 2, y + HEAD
        parts = []
        for row in bar_rows(bar, chart):
            mark = None if row.marked is None else round(LEFT + row.marked * span, 1)
            width = round(float(row.share) * span, 1)
            label = clip(row.label, BESIDE)
            parts.append(LabelledBar(label, row.colour or "neutral", y, y + BAR // 2, width, f"{row.percent}%", mark))
            y += BAR + GAP
        groups.append(Group(clip(bar.name, ABOVE), bar.name, name_at, bar_in_words(bar, chart), parts, bar.seq))
        y += APART
    return Chart(
        width=WIDTH,
        height=y + FOOT,
        left=LEFT,
        span=span,
        bar=BAR,
        groups=groups,
        scale=[(f"{part}%", round(LEFT + part / 100 * span, 1)) for part in (0, 25, 50, 75, 100)],
        marks=_marks(chart.bars),
    )


def _marks(bars: Sequence[Bar]) -> str:
    needed = {bar.name: f"{bound_percent(bar.marked)}%" for bar in bars if bar.marked is not None}
    same = len(set(needed.values())) == 1
    return next(iter(needed.values())) if same else ", ".join(f"{name} {share}" for name, share in needed.items())
