"""Coordinates for the strip of opinions, with a row for each agent and a column for each round. The template decides
how it looks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from moot.present import Drift
from moot.text import clip
from moot.text.figures import reached

WIDTH, LEFT, RIGHT, TOP, ROW, FOOT = 520, 110, 8, 8, 34, 40
LONGEST_NAME = 16


@dataclass(frozen=True, slots=True)
class Cell:
    """How far an agent moved in a round, as the height of a bar. `moved` is None if it was not measured."""

    round: int
    x: float
    y: float
    width: float
    height: float
    moved: float | None
    changed: bool
    middle: float
    seq: int | None


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    colour: str
    label: str
    base: int
    cells: list[Cell]


@dataclass(frozen=True, slots=True)
class Strip:
    width: int
    height: int
    left: int
    right: int
    rows: list[Row]
    columns: list[tuple[int, float, str]]
    """Each round, its x position, and the least similarity after it in words."""


def draw(rows: Sequence[Drift], rounds: Sequence[int], least: Mapping[int, float], seqs: Mapping[int, int]) -> Strip:
    step = (WIDTH - LEFT - RIGHT) / max(1, len(rounds))
    drawn = []
    for place, row in enumerate(rows):
        base = TOP + ROW * (place + 1) - 6
        cells = []
        for column, number in enumerate(rounds):
            moved = row.moved.get(number)
            height = round(2 + (ROW - 12) * (moved or 0), 1)
            cells.append(
                Cell(
                    round=number,
                    x=round(LEFT + column * step + 3, 1),
                    y=round(base - height, 1),
                    width=round(step - 6, 1),
                    height=height,
                    moved=moved,
                    changed=number in row.turned,
                    middle=round(LEFT + (column + 0.5) * step, 1),
                    seq=seqs.get(number),
                )
            )
        drawn.append(Row(row.name, row.colour, clip(row.name, LONGEST_NAME), base, cells))
    columns = [
        (number, round(LEFT + (column + 0.5) * step, 1), reached(least[number]) if number in least else "")
        for column, number in enumerate(rounds)
    ]
    return Strip(WIDTH, TOP + ROW * len(rows) + FOOT, LEFT, WIDTH - RIGHT, drawn, columns)
