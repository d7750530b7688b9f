"""A chart of scores in the terminal, as rows of text."""

from itertools import cycle

from rich.text import Text

from moot.cli.wording import colour
from moot.present import ScoreChart
from moot.text import one_line

MOST_ROWS = 8
MARKS = (("●", "─"), ("◆", "┄"), ("■", "╌"))
"""For each line: the sign for a score, and the sign for the time until the next."""
HOLDING = "".join(held for _, held in MARKS)


def score_chart(chart: ScoreChart, width: int) -> list[Text]:
    """The scores over the turns. A score is drawn until the speaker's next turn.

    A shared score is a double line; a turn without a score has a question mark below. Early turns are left out if there
    is not enough room. The last rows are the legend.
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
    signs = [
        (*mark, colour(line.colour, place).name)
        for place, (mark, line) in enumerate(zip(cycle(MARKS), chart.lines, strict=False))
    ]
    for sign, line in zip(signs, chart.lines, strict=True):
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
    below = Text("  turn └" + "".join(label.ljust(column, "─") for label in axis[first:]), "dim")
    names = [
        Text.assemble((f"{sign} {one_line(line.name)}", f"bold {tint}"))
        for (sign, _, tint), line in zip(signs, chart.lines, strict=True)
    ]
    return [*rows, below, *_legend(names, width)]


def _legend(names: list[Text], width: int) -> list[Text]:
    """The names in one row, or in one row each if they are too long."""
    row = Text("   ").join(names)
    return [Text(" " * 8).append_text(one) for one in ([row] if row.cell_len + 8 <= width else names)]


def _draw(row: list[tuple[str, str]], start: int, length: int, mark: tuple[str, str, str], score: str) -> None:
    """Draw a score and the line after it into a row of the chart."""
    sign, line, tint = mark
    for place in range(start, min(start + length, len(row))):
        if row[place][0] == " ":
            row[place] = (line, tint)
        elif row[place][0] in HOLDING:
            row[place] = ("═", "")
    for place, letter in enumerate(f"{sign}{score}" if score else "", start):
        row[place] = (letter, f"bold {tint}")
