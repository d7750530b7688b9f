"""The display of a batch: a line that is updated while it runs, and how it ended."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.live import Live
from rich.text import Text

from moot.text import printable
from moot.text.figures import dollars

if TYPE_CHECKING:
    from moot.studies.batch import BatchEvent, Progress

SECONDS_BETWEEN_LINES = 5.0
LONGEST_REASON = 200


@contextmanager
def open_batch_display(kind: str, console: Console) -> Iterator[Callable[["BatchEvent", "Progress"], None] | None]:
    """A listener that shows a batch on the console: a live line, occasional lines, JSON lines, or nothing."""
    if kind == "none":
        yield None
    elif kind == "json":
        yield lambda event, _: _write_json(event, console)
    else:
        lines = _Lines(console)
        if kind == "full" and console.is_terminal and not console.is_dumb_terminal:
            lines.last = math.inf  # shown all the time, and never printed
            with Live(get_renderable=lambda: lines.line, console=console, refresh_per_second=4, transient=True):
                yield lines
        else:
            yield lines


class _Lines:
    """What failed, immediately, and how far a batch has come, every few seconds. `line` is the latest one."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self.last = time.monotonic()
        self.line = Text("beginning …")

    def __call__(self, event: "BatchEvent", progress: "Progress") -> None:
        if (row := getattr(event, "row", None)) is not None and row.status == "failed":
            reason = printable(" ".join(str(row.reason).split()))[:LONGEST_REASON]
            self._console.print(Text(f"{row.id} failed: {reason}", "yellow"), soft_wrap=True)
        self.line = Text(", ".join(f"{name} {value}" for name, value in _cells(progress)))
        ended = row is not None and progress.waiting + progress.running == 0
        if self.last < math.inf and (ended or time.monotonic() - self.last >= SECONDS_BETWEEN_LINES):
            self.last = time.monotonic()
            self._console.print(self.line, soft_wrap=True)


def _write_json(event: "BatchEvent", console: Console) -> None:
    """Write each finished debate as a line of JSON. ASCII works with every terminal and encoding."""
    if (row := getattr(event, "row", None)) is not None:
        console.file.write(row.model_dump_json(ensure_ascii=True) + "\n")
        console.file.flush()


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


def _stopped(ended: "Progress", again: str, *, unfinished: bool) -> Iterator[str]:
    if ended.reached:
        yield f"The budget is reached: {ended.reached}."
    if ended.reached and unfinished:
        yield f"To continue with a larger budget: {again} {ended.raised}"
    elif (ended.stopped or ended.waiting) and unfinished:
        yield f"To continue: {again}"
    if ended.failed:
        yield f"To hold the failed debates again: {again} --retry-failed"
