"""The display of a batch: a table that is updated while it runs, and the results at the end."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from moot.cli.blocks import rendered
from moot.cli.tables import make_table
from moot.cli.wording import show
from moot.text import printable
from moot.text.figures import dollars

if TYPE_CHECKING:
    from moot.studies.batch import BatchEvent, Progress
    from moot.studies.page import StudyPage

SECONDS_BETWEEN_LINES = 5.0
LONGEST_REASON = 200
SHOWN = ("outcomes", "flags", "leaderboard")
"""Sections of the report that are printed."""


@contextmanager
def open_batch_display(kind: str, console: Console) -> Iterator[Callable[["BatchEvent", "Progress"], None] | None]:
    """A listener that shows a batch on the console: a live table, occasional lines, JSON lines, or nothing."""
    if kind == "none":
        yield None
    elif kind == "json":
        yield lambda event, _: _write_json(event, console)
    elif kind == "full" and console.is_terminal and not console.is_dumb_terminal:
        latest: list[Progress] = []
        with Live(get_renderable=lambda: _table(latest), console=console, refresh_per_second=4, transient=True):
            yield lambda event, progress: _keep(event, progress, latest, console)
    else:
        yield _Lines(console)


def _keep(event: "BatchEvent", progress: "Progress", latest: list["Progress"], console: Console) -> None:
    latest[:] = [progress]
    _complain(event, console)


def _complain(event: "BatchEvent", console: Console) -> None:
    """Report a failed debate immediately, with its reason."""
    if (row := getattr(event, "row", None)) is not None and row.status == "failed":
        reason = printable(" ".join(str(row.reason).split()))[:LONGEST_REASON]
        console.print(Text(f"{row.id} failed: {reason}", "yellow"), soft_wrap=True)


class _Lines:
    """A line every few seconds, for output in which a table cannot be updated."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._last = time.monotonic()

    def __call__(self, event: "BatchEvent", progress: "Progress") -> None:
        _complain(event, self._console)
        ended = hasattr(event, "row") and progress.waiting + progress.running == 0
        if ended or time.monotonic() - self._last >= SECONDS_BETWEEN_LINES:
            self._last = time.monotonic()
            self._console.print(Text(", ".join(f"{name} {value}" for name, value in _cells(progress))), soft_wrap=True)


def _write_json(event: "BatchEvent", console: Console) -> None:
    """Write each finished debate as a line of JSON. ASCII works with every terminal and encoding."""
    if (row := getattr(event, "row", None)) is not None:
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


def print_progress(ended: "Progress", console: Console, again: str, *, unfinished: bool) -> None:
    """How the debates of a batch ended. `again` is the command that resumes it."""
    others = [("failed", ended.failed), ("stopped at a limit", ended.stopped), ("not begun", ended.waiting)]
    ends = ", ".join(f"{number:,} {name}" for name, number in others if number)
    console.print(f"{ended.done:,} of {ended.total:,} debates done" + (f", {ends}." if ends else "."))
    for line in _stopped(ended, again, unfinished=unfinished):
        console.print(Text(printable(line)), soft_wrap=True)


def print_findings(found: "StudyPage", console: Console) -> None:
    """The first tables of the report, with its claims and notes."""
    tables = [block for part in found.parts if part.id in SHOWN for block in part.blocks[:1]]
    for shown in rendered(tables, {}):
        show(console, shown)
    for line in (*found.claims, *found.notes):
        console.print(Text(printable(line)), soft_wrap=True)


def _stopped(ended: "Progress", again: str, *, unfinished: bool) -> Iterator[str]:
    if ended.reached:
        yield f"The budget is reached: {ended.reached}."
    if ended.reached and unfinished:
        yield f"To continue with a larger budget: {again} {ended.raised}"
    elif (ended.stopped or ended.waiting) and unfinished:
        yield f"To continue: {again}"
    if ended.failed:
        yield f"To hold the failed debates again: {again} --retry-failed"
