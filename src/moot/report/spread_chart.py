"""Coordinates for a chart of ranges on a common scale. The template decides how it looks."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from moot.present import Range, SpreadChart
from moot.text import clip
from moot.text.figures import figure

WIDTH, LEFT, RIGHT, TOP, ROW, FOOT = 520, 96, 28, 6, 44, 40
MOST_TICKS = 5
LONGEST_NAME = 14
SLACK = 1e-9
"""The part of a step by which a float may miss the end of the scale."""


@dataclass(frozen=True, slots=True)
class Row:
    """One range: its line, its middle half, its median with its figure, and all of its numbers, as places."""

    name: str
    label: str
    y: int
    least: float
    lower: float
    median: float
    upper: float
    most: float
    figure: str
    points: list[float]
    words: str
    seq: int | None


@dataclass(frozen=True, slots=True)
class Chart:
    width: int
    height: int
    left: int
    right: int
    rows: list[Row]
    ticks: list[tuple[str, float]]


def draw(chart: SpreadChart) -> Chart:
    """Place the ranges below each other."""
    least = min((one.least for one in chart.ranges), default=0.0)
    most = max((one.most for one in chart.ranges), default=0.0)
    span = most - least

    def place(value: float) -> float:
        share = (value - least) / span if span > 0 else 0.5
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    rows = []
    for number, one in enumerate(chart.ranges):
        rows.append(
            Row(
                name=one.name,
                label=clip(one.name, LONGEST_NAME),
                y=TOP + ROW * number + ROW // 2 + 6,
                least=place(one.least),
                lower=place(one.lower),
                median=place(one.median),
                upper=place(one.upper),
                most=place(one.most),
                figure=figure(one.median),
                points=[place(value) for value in one.points],
                words=_words(one, chart.unit),
                seq=one.seq,
            )
        )
    return Chart(
        width=WIDTH,
        height=TOP + ROW * len(rows) + FOOT,
        left=LEFT,
        right=WIDTH - RIGHT,
        rows=rows,
        ticks=[(figure(value), place(value)) for value in ticks(least, most)],
    )


def ticks(least: float, most: float) -> Sequence[float]:
    """Round numbers from the least to the most, or the one that both are."""
    span = most - least
    if not 0 < span < math.inf:
        return [least]
    power = 10.0 ** math.floor(math.log10(span / MOST_TICKS))
    step = next(step for step in (power, 2 * power, 5 * power, 10 * power) if span / step <= MOST_TICKS)
    first, last = math.ceil(least / step - SLACK), math.floor(most / step + SLACK)
    return [float(f"{number * step:.12g}") for number in range(first, last + 1)]


def _words(one: Range, unit: str) -> str:
    numbers = [figure(value) for value in (one.median, one.lower, one.upper, one.least, one.most)]
    text = "median {}, the middle half from {} to {}, all from {} to {}".format(*numbers)
    return f"{text} {unit}".strip()
