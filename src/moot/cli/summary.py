"""What a person reads when a debate has ended; and the words and figures that the display shares with it.

Everything here comes from the result document. Texts in it are untrusted and are never read as markup.
"""

import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from rich import box
from rich.color import Color, ColorParseError
from rich.console import Console, RenderableType
from rich.constrain import Constrain
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from moot import printable

T = TypeVar("T", int, float)
WIDEST = 100
"""Longer lines are hard to read, however wide the console."""
MOST_FAILURES_SHOWN = 3
MOST_ROWS = 8
PALETTE = ("cyan", "magenta", "yellow", "green", "blue", "red")
MARKS = (("●", "─", PALETTE[0]), ("◆", "┄", PALETTE[1]))
"""For each debater: what marks a score, what holds it until the next, and a colour."""
PLAINER = dict(zip("→▲▼·…●◆─┄═┤└↪⇄≡↻", ">^v-.ox-.=|+>***", strict=True))
"""What takes the place of our own signs where the console's encoding lacks them."""


def print_summary(document: Mapping[str, Any], console: Console) -> None:
    """Print what a run came to, from its result document."""
    if console.is_terminal:
        console.print()  # apart from what the debate showed
    for part in _outcomes.get(document["protocol"], _any_outcome)(document, console):
        show(console, part)
    for notice in document["notices"]:
        show(console, _hanging("! ", Text(one_line(notice), "yellow")))
    for part in _failures(document["failures"]):
        show(console, part)
    spent, run = document["spent"], Path(document["run"])
    tokens = total(spent["input"], spent["output"])
    show(console, Text(f"{spending(spent['calls'], tokens, spent['cost'])} · {duration(document['seconds'])}", "dim"))
    show(console, Text(f"Report: {printable(str(run / 'report.html'))}"), soft_wrap=True)
    if document["status"] != "done":
        # `moot resume` finds a run by its name only where runs go by default.
        name = run.name if run.parent == Path("debates") else str(run)
        show(console, Text("To go on: ").append(f"moot resume {printable(shlex.quote(name))}", "bold"), soft_wrap=True)


def _any_outcome(document: Mapping[str, Any], console: Console) -> list[RenderableType]:  # noqa: ARG001
    """For a protocol that has no part of its own here."""
    return [Text(_stopped(document) or f"The {one_line(document['protocol'])} is done.", "bold")]


def _failures(failures: Sequence[Mapping[str, str]]) -> list[RenderableType]:
    if not failures:
        return []
    head = "1 failure on the way:" if len(failures) == 1 else f"{len(failures)} failures on the way:"
    parts: list[RenderableType] = [Text(head, "yellow")]
    for failure in failures[:MOST_FAILURES_SHOWN]:
        where = f"{one_line(failure['agent'])} at {one_line(failure['key'])}: "
        parts.append(_hanging("  ", Text(where).append(one_line(failure["reason"]), "dim")))
    if (more := len(failures) - MOST_FAILURES_SHOWN) > 0:
        parts.append(Text(f"  and {more} more, in result.json"))
    return parts


def _stopped(document: Mapping[str, Any]) -> str:
    """Why the run did not come to its end; empty when it did."""
    if document["status"] == "done":
        return ""
    how = {"limit": "Stopped at a limit", "failed": "Stopped by a failure", "interrupted": "Interrupted"}
    reason = f": {one_line(document['reason'])}" if document["reason"] else ""
    return f"{how.get(document['status'], one_line(document['status']))}{reason}"


# The duel


def _duel(document: Mapping[str, Any], console: Console) -> list[RenderableType]:
    if "running_scores" not in document:  # it stopped before anybody was introduced
        return _any_outcome(document, console)
    parts: list[RenderableType] = [Constrain(_verdict(document), WIDEST)]
    running: dict[str, list[int | None]] = document["running_scores"]
    if any(score is not None for scores in running.values() for score in scores):
        parts += [Text(), _score_table(document), Text(), *score_chart(running, min(console.width, WIDEST)), Text()]
        parts.append(Constrain(_first_impressions(document), WIDEST))
    return [*parts, Text()]


def _verdict(document: Mapping[str, Any]) -> Text:
    judged, winner = document["first_impressions"] is not None, document["winner"]
    stopped = _stopped(document)
    decided = winner is not None or document["reasoning"] is not None
    text = Text()
    if decided:
        text.append(winner_line(winner, document["scores"]), "bold")
    elif not stopped:
        text.append("No verdict: " + ("the judge gave none." if judged else "this debate had no judge."), "bold")
    if document["premise_upheld"] is not None:
        text.append(f" The premise is {'' if document['premise_upheld'] else 'not '}upheld: ")
        text.append(one_line(document["premise"] or ""), "italic")
    if winner is not None and not document["confirmed"]:
        text.append("\nThe judge did not confirm the winner by name.", "yellow")
    if document["scores_contradict_winner"]:
        text.append("\nThe scores contradict the winner: the judge gave the other more.", "yellow")
    if decided and document["scores_from"] == "running":
        text.append("\nThe final scores are the last running ones: the judge gave no others.", "yellow")
    if stopped:
        text.append(("\n" if text else "No verdict. ") + stopped, "bold yellow")
    return text


def _score_table(document: Mapping[str, Any]) -> RenderableType:
    running, first = document["running_scores"], document["first_impressions"] or {"scores": {}}
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("")
    for heading in ("first score", "running score", "final score"):
        table.add_column(heading, justify="right")
    for (mark, _, colour), (name, scores) in zip(MARKS, running.items(), strict=False):
        known = [score for score in scores if score is not None]
        figures = (first["scores"].get(name), known[-1] if known else None, document["scores"].get(name))
        cells = [Text("none" if figure is None else str(figure)) for figure in figures]
        table.add_row(Text(f"{mark} {one_line(name)}", f"bold {colour}"), *cells)
    return Constrain(Padding(table, (0, 0, 0, 2)), WIDEST)


def _first_impressions(document: Mapping[str, Any]) -> Text:
    """Whether the debate changed anything."""
    first = document["first_impressions"]
    figures = _figures(first["winner"], first["scores"])
    if first["winner"] is None:
        alone = f"First impressions alone would have decided nothing ({figures})"
    else:
        alone = f"First impressions alone would have made {one_line(first['winner'])} the winner ({figures})"
    if None in first["scores"].values():
        return Text(f"A first score is missing ({figures}), so nobody can say whether the debate changed anything.")
    if first["changed"] is None:
        return Text(f"{alone}; there is no verdict to set against that.")
    if first["changed"]:
        return Text("The debate made a difference. ", "bold").append(f"{alone}.", "not bold")
    return Text("The debate did not change the outcome. ", "bold").append(f"{alone}, too.", "not bold")


def score_chart(running: Mapping[str, Sequence[int | None]], width: int) -> list[Text]:
    """The running scores over the turns, as rows of text. A score holds until its speaker's next turn.

    The debaters alternate, the first of them opening, so no two scores share a column. Where both hold the
    same score the line is double; a turn without a score has a question mark below. Early turns are left out
    when there is no room for all.
    """
    known = [score for scores in running.values() for score in scores if score is not None]
    top, step = max(known), (max(known) - min(known)) // MOST_ROWS + 1
    levels = range(top, min(known) - 1, -step)
    turns = max(len(running) * (len(scores) - 1) + index + 1 for index, scores in enumerate(running.values()))
    axis = [str(turn) for turn in range(1, turns + 1)]
    column = max(len(axis[-1]) + 2, min(10, (width - 10) // turns))
    grid = [[(" ", "")] * (column * turns) for _ in levels]
    for index, (mark, scores) in enumerate(zip(MARKS, running.values(), strict=False)):
        held: int | None = None
        for turn, score in zip(range(index, turns, len(running)), scores, strict=False):
            if score is None:
                axis[turn] += "?"
            held = held if score is None else score
            if held is not None:
                row, length = grid[(top - held) // step], column * len(running)
                _draw(row, turn * column, length, mark, "" if score is None else str(score))
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


_outcomes: dict[str, Callable[[Mapping[str, Any], Console], list[RenderableType]]] = {"duel": _duel}


# Words, figures and colours


def clean(text: str) -> str:
    return printable(text).strip()


def one_line(text: str) -> str:
    return " ".join(printable(text).split())


def colour(name: str, index: int) -> Color:
    """The colour of that name; for one that is none, the palette's."""
    try:
        return Color.parse(name)
    except ColorParseError:
        return Color.parse(PALETTE[index % len(PALETTE)])


def winner_line(winner: str | None, scores: Mapping[str, int | None]) -> str:
    """Who won and by what, as far as that is known."""
    if winner is None:
        return "No winner: the judge's replies do not establish one."
    return f"{one_line(winner)} wins" + ("." if None in scores.values() else f", {_figures(winner, scores)}.")


def _figures(winner: str | None, scores: Mapping[str, int | None]) -> str:
    """The scores, the winner's first."""
    ordered = sorted(scores, key=lambda name: name != winner)
    return " to ".join("none" if scores[name] is None else str(scores[name]) for name in ordered)


def total(*figures: T | None) -> T | None:
    """Their sum; None when one of them is unknown."""
    known = [figure for figure in figures if figure is not None]
    return sum(known[1:], known[0]) if len(known) == len(figures) else None


def spending(calls: int, tokens: int | None, cost: float | None) -> str:
    counted = "tokens unknown" if tokens is None else f"{tokens:,} tokens"
    return f"{calls} call{'s' * (calls != 1)} · {counted} · {'cost unknown' if cost is None else money(cost)}"


def money(dollars: float) -> str:
    if 0 < dollars < 0.0001:
        return "under $0.0001"
    return f"${dollars:.4f}" if 0 < dollars < 1 else f"${dollars:,.2f}"


def duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02} h" if hours else f"{minutes}:{rest:02} min"


def show(console: Console, renderable: RenderableType, *, soft_wrap: bool = False) -> None:
    """Print; off a terminal without the spaces rich pads lines with, and in signs that the console's encoding has."""
    if console.is_terminal and console.encoding.startswith("utf"):
        console.print(renderable, soft_wrap=soft_wrap)
        return
    with console.capture() as captured:
        console.print(renderable, soft_wrap=soft_wrap)
    for line in captured.get().split("\n")[:-1]:
        console.file.write("".join(_in(console.encoding, sign) for sign in line.rstrip()) + "\n")
    console.file.flush()


def _in(encoding: str, sign: str) -> str:
    try:
        sign.encode(encoding)
    except UnicodeEncodeError:
        return PLAINER.get(sign, "?")
    return sign


def _hanging(lead: str, text: Text) -> RenderableType:
    """Text whose further lines stand under its first, to the right of the lead."""
    grid = Table.grid()
    grid.add_row(Text(lead, text.style), text)
    return Constrain(grid, WIDEST)
