"""A chart of scores in the terminal, as rows of text."""

from rich.text import Text

from moot.cli.words import PALETTE
from moot.present import ScoreChart

MOST_ROWS = 8
MARKS = (("●", "─", PALETTE[0]), ("◆", "┄", PALETTE[1]))
"""For each line: what marks a score, what holds it until the next, and a colour."""


def score_chart(chart: ScoreChart, width: int) -> list[Text]:
    """The scores over the turns. A score holds until its speaker's next turn.

    Where both hold the same score the line is double; a turn without a score has a question mark below. Early turns
    are left out when there is no room for all.
    """
    known = [mark.score for line in chart.lines for mark in line.marks if mark.score is not None]
    if not known:
        return []
    top, step = max(known), (max(known) - min(known)) // MOST_ROWS + 1
    levels = range(top, min(known) - 1, -step)
    turns = max(mark.turn for line in chart.lines for mark in line.marks)
    axis = [str(turn) for turn in range(1, turns + 1)]
    column = max(len(axis[-1]) + 2, min(10, (width - 10) // turns))
    grid = [[(" ", "")] * (column * turns) for _ in levels]
    for sign, line in zip(MARKS, chart.lines, strict=False):
        held: int | None = None
        ends = [mark.turn for mark in line.marks[1:]]
        for mark, end in zip(
            line.marks, [*ends, line.marks[-1].turn + len(chart.lines)] if line.marks else [], strict=True
        ):
            place = mark.turn - 1
            if mark.score is None:
                axis[place] += "?"
            held = held if mark.score is None else mark.score
            if held is not None:
                row = grid[(top - held) // step]
                _draw(
                    row, place * column, column * (end - mark.turn), sign, "" if mark.score is None else f"{mark.score}"
                )
    first = max(0, turns - (width - 10) // column)
    labels = [f"{level}" if step == 1 or level == 0 else f"{max(level - step + 1, 0)}-{level}" for level in levels]
    rows = [
        Text.assemble((f"{label:>6} ┤", "dim"), *row[first * column :]) for label, row in zip(labels, grid, strict=True)
    ]
    return [*rows, Text("  turn └" + "".join(label.ljust(column, "─") for label in axis[first:]), "dim")]


def _draw(row: list[tuple[str, str]], start: int, length: int, mark: tuple[str, str, str], score: str) -> None:
    """Put a score into a row of the chart, and the line that holds it."""
    sign, line, colour = mark
    for place in range(start, min(start + length, len(row))):
        if row[place][0] == " ":
            row[place] = (line, colour)
        elif row[place][0] in "─┄":
            row[place] = ("═", "")
    for place, letter in enumerate(f"{sign}{score}" if score else "", start):
        row[place] = (letter, f"bold {colour}")
