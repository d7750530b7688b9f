"""The layout of the plots in a batch's report: rates with intervals.

Numbers only; the template decides how they look.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from moot.text import clip

WIDTH, LEFT, RIGHT = 520, 184, 130
ROW, TOP, FOOT = 26, 8, 26
LABEL = 20


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
