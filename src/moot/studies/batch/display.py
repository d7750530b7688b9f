"""The display of a batch: a table that is updated while it runs, and the results at the end."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from moot.cli.tables import make_table
from moot.text import printable
from moot.text.figures import dollars

if TYPE_CHECKING:
    from moot.studies.batch import Progress, Told
    from moot.studies.tournament import Leaderboard

SECONDS_BETWEEN_LINES = 5.0
LONGEST_REASON = 200
MOST_TOLD = 20


@contextmanager
def open_batch_display(kind: str, console: Console) -> Iterator[Callable[["Told", "Progress"], None] | None]:
    """A listener that shows a batch on the console: a live table, occasional lines, JSON lines, or nothing."""
    if kind == "none":
        yield None
    elif kind == "json":
        yield lambda told, _: _write_json(told, console)
    elif kind == "full" and console.is_terminal and not console.is_dumb_terminal:
        latest: list[Progress] = []
        with Live(get_renderable=lambda: _table(latest), console=console, refresh_per_second=4, transient=True):
            yield lambda told, progress: _keep(told, progress, latest, console)
    else:
        yield _Lines(console)


def _keep(told: "Told", progress: "Progress", latest: list["Progress"], console: Console) -> None:
    latest[:] = [progress]
    _complain(told, console)


def _complain(told: "Told", console: Console) -> None:
    """Report a failed debate immediately, with its reason."""
    if (row := getattr(told, "row", None)) is not None and row.status == "failed":
        reason = printable(" ".join(str(row.reason).split()))[:LONGEST_REASON]
        console.print(Text(f"{row.id} failed: {reason}", "yellow"), soft_wrap=True)


class _Lines:
    """A line every few seconds, for output in which a table cannot be updated."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._last = time.monotonic()

    def __call__(self, told: "Told", progress: "Progress") -> None:
        _complain(told, self._console)
        ended = hasattr(told, "row") and progress.waiting + progress.running == 0
        if ended or time.monotonic() - self._last >= SECONDS_BETWEEN_LINES:
            self._last = time.monotonic()
            self._console.print(Text(", ".join(f"{name} {value}" for name, value in _cells(progress))), soft_wrap=True)


def _write_json(told: "Told", console: Console) -> None:
    """Write each finished debate as a line of JSON. ASCII works with every terminal and encoding."""
    if (row := getattr(told, "row", None)) is not None:
        console.file.write(row.model_dump_json(ensure_ascii=True) + "\n")
        console.file.flush()


def _table(latest: list["Progress"]) -> Table:
    table = make_table(*(f">{name}" for name, _ in _cells(latest[0]))) if latest else make_table("batch")
    if latest:
        table.add_row(*(value for _, value in _cells(latest[0])))
    else:
        table.add_row("beginning …")
    return table


def _cells(progress: "Progress") -> list[tuple[str, str]]:
    left = progress.seconds_left
    return [
        ("done", f"{progress.done:,}/{progress.total:,}"),
        ("running", f"{progress.running:,}"),
        ("failed", f"{progress.failed:,}"),
        ("cost", dollars(progress.cost)),
        ("calls", f"{progress.calls:,}"),
        ("calls/s", f"{progress.calls_per_second:.1f}"),
        ("left", "not known yet" if left is None else f"about {_span(left)}"),
    ]


def _span(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min" if whole < 5400 else f"{whole / 3600:.1f} h"


def print_progress(ended: "Progress", console: Console, again: str) -> None:
    """How the debates of a batch ended. `again` is the command that resumes what is unfinished."""
    others = [("failed", ended.failed), ("stopped at a limit", ended.stopped), ("not begun", ended.waiting)]
    told = ", ".join(f"{number:,} {name}" for name, number in others if number)
    console.print(f"{ended.done:,} of {ended.total:,} debates done" + (f", {told}." if told else "."))
    for line in _stopped(ended, again):
        console.print(Text(printable(line)), soft_wrap=True)


def print_statistics(found: dict[str, Any], console: Console) -> None:
    for what, counts in (("Came to", found["outcomes"]), ("Flagged", found["flags"])):
        table = make_table(what, ">debates")
        for name, number in list(counts.items())[:MOST_TOLD]:
            table.add_row(Text(printable(name)), f"{number:,}")
        if table.row_count:
            console.print(table)
        if len(counts) > MOST_TOLD:
            console.print(f"{len(counts) - MOST_TOLD:,} more are in the report.")
    table = make_table("", ">count", ">of", ">missing", ">rate", ">95 % interval")
    for name, one in _rates(found):
        interval = "–" if one["low"] is None else f"{one['low']:.0%} to {one['high']:.0%}"
        share = "–" if one["rate"] is None else f"{one['rate']:.0%}"
        table.add_row(
            Text(printable(name)), f"{one['count']:,}", f"{one['n']:,}", f"{one['missing']:,}", share, interval
        )
    if table.row_count:
        console.print(table)
    if more := sum(max(0, len(found["win_rates"].get(by, {})) - MOST_TOLD) for by in ("persona", "model")):
        console.print(f"{more:,} more personas and models are in the report.")
    for note in found["notes"]:
        console.print(Text(printable(note)), soft_wrap=True)


def print_leaderboard(board: "Leaderboard", console: Console) -> None:
    from moot.studies.tournament.report import claims, elo, elo_interval, headline, places_of

    console.print(Text(printable(f"{headline(board)}.")), soft_wrap=True)
    table = make_table("model", ">place", ">may be", ">strength", ">95 %", ">points")
    for column in table.columns[1:]:
        # In a narrow terminal names are cut, figures never.
        column.no_wrap = True
    for one in board.places:
        figures = (str(one.place or "–"), places_of(one), elo(one.strength), elo_interval(one), f"{one.points:g}")
        table.add_row(*(Text(printable(cell)) for cell in (one.model, *figures)))
    console.print(table)
    for line in (*claims(board), *board.notes):
        console.print(Text(printable(line)), soft_wrap=True)


def _stopped(ended: "Progress", again: str) -> Iterator[str]:
    if ended.reached:
        yield f"The budget is reached: {ended.reached}."
    if again:
        yield f"{'With a larger budget, go on with' if ended.reached else 'Go on with'}: {again}"


def _rates(found: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    if found["upheld"]["n"]:
        yield "claim upheld", found["upheld"]
    for by in ("speaking order", "persona", "model"):
        for name, one in list(found["win_rates"].get(by, {}).items())[:MOST_TOLD]:
            if by != "speaking order" or name == "first speaker":
                yield f"won by {name}", one
    if found["changed_by_debate"]["n"]:
        yield "decision changed by the debate", found["changed_by_debate"]
    if found["flips"]:
        yield "right", found["flips"]["right"]
        yield "right → wrong", found["flips"]["right_to_wrong"]
        yield "wrong → right", found["flips"]["wrong_to_right"]
