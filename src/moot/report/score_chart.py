"""Coordinates for a chart of scores over turns. The template decides how it looks."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from moot.present import ScoreLine
from moot.text import clip

WIDTH, HEIGHT = 520, 236
LEFT, RIGHT, TOP, BOTTOM = 30, 126, 22, 30
LABEL_HEIGHT = 18
MOST_FIGURES = 16
"""The most turns for which each mark has room for its figure."""


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    y: float
    score: int
    seq: int | None


@dataclass(frozen=True, slots=True)
class Stretch:
    """An unbroken stretch of a line: its shape, and its points."""

    shape: str
    points: list[Point]


@dataclass(frozen=True, slots=True)
class Drawn:
    """One debater's line. `paths` are its unbroken stretches; `label` is shown next to the chart, at `label_y`."""

    name: str
    label: str
    label_y: float
    colour: str
    paths: list[Stretch]
    points: list[Point]


@dataclass(frozen=True, slots=True)
class Chart:
    width: int
    height: int
    left: int
    right: int
    bottom: int
    rows: list[tuple[int, float]]
    columns: list[tuple[int, float]]
    lines: list[Drawn]
    figures: bool


def draw(lines: Sequence[ScoreLine], turns: int) -> Chart:
    """Place the lines on an axis of `turns` turns and one of 0 to 10."""
    drawn: list[Drawn] = []
    for line in lines:
        points = [
            [Point(_x(one.turn, turns), _y(one.score), one.score, one.seq) for one in stretch if one.score is not None]
            for known, stretch in groupby(line.marks, lambda mark: mark.score is not None)
            if known
        ]
        paths = [Stretch("M" + " L".join(f"{one.x:g} {one.y:g}" for one in stretch), stretch) for stretch in points]
        flat = [point for stretch in points for point in stretch]
        label_y = _free(flat[-1].y if flat else _y(0), [other.label_y for other in drawn])
        drawn.append(Drawn(line.name, clip(line.name, 11), label_y, line.colour, paths, flat))
    return Chart(
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=WIDTH - RIGHT,
        bottom=HEIGHT - BOTTOM,
        rows=[(score, _y(score)) for score in range(0, 11, 2)],
        columns=[(turn, _x(turn, turns)) for turn in range(1, turns + 1) if turn == 1 or turn % _step(turns) == 0],
        lines=drawn,
        figures=turns <= MOST_FIGURES,
    )


def _x(turn: int, turns: int) -> float:
    return round(LEFT + (turn - 0.5) * (WIDTH - LEFT - RIGHT) / turns, 1)


def _y(score: int) -> float:
    return round(HEIGHT - BOTTOM - score * (HEIGHT - TOP - BOTTOM) / 10, 1)


def _step(turns: int) -> int:
    """The step between the turns that are named below the axis."""
    return next(step for step in (1, 2, 5, 10, 20) if turns / step <= 12)


def _free(y: float, taken: Sequence[float]) -> float:
    """The position nearest to y where a label covers no other label."""
    below = [other + LABEL_HEIGHT for other in taken if other + LABEL_HEIGHT <= HEIGHT - BOTTOM]
    places = [y, *below, *(other - LABEL_HEIGHT for other in taken)]
    free = [place for place in places if all(abs(place - other) >= LABEL_HEIGHT for other in taken)]
    return min(free, key=lambda place: abs(place - y))
