"""Where everything stands in the strip of opinions: a row for each agent, a column for each round. How it looks is the
template's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from moot.figures import reached
from moot.report.page import clip

WIDTH, LEFT, RIGHT, TOP, ROW, FOOT = 520, 110, 8, 8, 34, 40
LONGEST_NAME = 16


@dataclass(frozen=True, slots=True)
class Cell:
    """How far an agent moved in a round: a bar of that height. `moved` is null where nobody measured it."""

    round: int
    x: float
    y: float
    width: float
    height: float
    moved: float | None
    changed: bool
    middle: float


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
    """Each round, where it stands, and the least similarity after it in words."""
    guesses: bool
    """Whether a proposal was revised in a round after which nobody measured how far."""


def draw(
    agents: Sequence[tuple[str, str]],
    rounds: Sequence[int],
    stability: Mapping[int, Mapping[str, float]],
    minimum: Mapping[int, float],
    changed: set[tuple[str, int]],
) -> Strip | None:
    if not rounds:
        return None
    step = (WIDTH - LEFT - RIGHT) / len(rounds)
    rows = []
    for place, (name, colour) in enumerate(agents):
        base = TOP + ROW * (place + 1) - 6
        cells = []
        for column, number in enumerate(rounds):
            alike = stability.get(number, {}).get(name)
            moved = None if alike is None else max(0.0, min(1.0, 1 - alike))
            height = round(2 + (ROW - 12) * (moved or 0), 1)
            x = round(LEFT + column * step + 3, 1)
            middle = round(LEFT + (column + 0.5) * step, 1)
            cells.append(
                Cell(
                    number,
                    x,
                    round(base - height, 1),
                    round(step - 6, 1),
                    height,
                    moved,
                    (name, number) in changed,
                    middle,
                )
            )
        rows.append(Row(name, colour, clip(name, LONGEST_NAME), base, cells))
    columns = [
        (number, round(LEFT + (column + 0.5) * step, 1), reached(minimum[number]) if number in minimum else "")
        for column, number in enumerate(rounds)
    ]
    guesses = any(cell.moved is None for row in rows for cell in row.cells[1:])
    return Strip(WIDTH, TOP + ROW * len(agents) + FOOT, LEFT, WIDTH - RIGHT, rows, columns, guesses)
