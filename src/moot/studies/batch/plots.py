"""The layout of the plots in a batch's report: rates with intervals, and the distribution of what was spent.

Numbers only; the template decides how they look.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10

from moot.text import clip

WIDTH, LEFT, RIGHT = 520, 184, 130
ROW, TOP, FOOT = 26, 8, 26
LABEL = 20
MOST_BARS = 12
BARS_HEIGHT, BARS_LEFT = 150, 34


@dataclass(frozen=True, slots=True)
class Estimate:
    """One estimate with its interval, and the text next to it."""

    name: str
    value: float
    low: float
    high: float
    told: str


@dataclass(frozen=True, slots=True)
class Mark:
    name: str
    told: str
    y: int
    x: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Forest:
    """`reference` is the position of the line that the estimates are compared with."""

    title: str
    described: str
    width: int
    height: int
    left: int
    right: int
    marks: list[Mark]
    scale: list[tuple[str, float]]
    reference: float | None


def forest(title: str, estimates: Sequence[Estimate], *, reference: float | None, around_zero: bool = False) -> Forest:
    """Estimates in rows, on a scale of shares or, around zero, of differences between shares."""
    start, end = (-1.0, 1.0) if around_zero else (0.0, 1.0)
    span = WIDTH - LEFT - RIGHT

    def across(value: float) -> float:
        return round(LEFT + (min(max(value, start), end) - start) / (end - start) * span, 1)

    marks = [
        Mark(
            clip(one.name, LABEL),
            one.told,
            TOP + ROW // 2 + place * ROW,
            across(one.value),
            across(one.low),
            across(one.high),
        )
        for place, one in enumerate(estimates)
    ]
    ticks = (-1.0, -0.5, 0.0, 0.5, 1.0) if around_zero else (0.0, 0.5, 1.0)
    return Forest(
        title=title,
        described=" ".join(f"{one.name}: {one.told}." for one in estimates),
        width=WIDTH,
        height=TOP + len(estimates) * ROW + FOOT,
        left=LEFT,
        right=WIDTH - RIGHT,
        marks=marks,
        scale=[
            (f"{tick * 100:+.0f}" if around_zero and tick else f"{tick * 100:.0f} %", across(tick)) for tick in ticks
        ],
        reference=None if reference is None else across(reference),
    )


@dataclass(frozen=True, slots=True)
class Bar:
    x: float
    y: float
    width: float
    height: float
    count: int
    told: str


@dataclass(frozen=True, slots=True)
class Histogram:
    title: str
    described: str
    width: int
    height: int
    left: int
    base: int
    bars: list[Bar]
    scale: list[tuple[str, float]]


def histogram(title: str, values: Sequence[float], unit: str = "") -> Histogram | None:
    """The number of debates by what they used, in steps of a round size; None if all used the same."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    if low == high:
        return None
    step = _round_step((high - low) / MOST_BARS)
    start = floor(low / step)
    number = floor(high / step) - start + 1
    counts = [0] * number
    for value in values:
        counts[min(number - 1, floor(value / step) - start)] += 1
    wide = (WIDTH - BARS_LEFT - 10) / number
    base = TOP + 14 + BARS_HEIGHT
    edges = [_told((start + place) * step, unit) for place in range(number + 1)]
    bars = [
        Bar(
            x=round(BARS_LEFT + place * wide + 1, 1),
            y=round(base - count / max(counts) * BARS_HEIGHT, 1),
            width=round(wide - 2, 1),
            height=round(count / max(counts) * BARS_HEIGHT, 1),
            count=count,
            told=f"{edges[place]} to {edges[place + 1]}: {count}",
        )
        for place, count in enumerate(counts)
    ]
    return Histogram(
        title=title,
        described=f"Debates by what they took. {'; '.join(bar.told for bar in bars if bar.count)}.",
        width=WIDTH,
        height=base + FOOT,
        left=BARS_LEFT,
        base=base,
        bars=bars,
        scale=[(edges[place], round(BARS_LEFT + place * wide, 1)) for place in {0, number // 2, number}],
    )


def _round_step(least: float) -> float:
    """The next larger of 1, 2, 5, 10, …"""
    power = 10.0 ** floor(log10(least))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= least * (1 - 1e-9))


def _told(value: float, unit: str) -> str:
    return f"${value:.6g}" if unit == "$" else f"{value:,.6g}{unit}"
