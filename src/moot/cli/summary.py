"""What a person reads when a debate has ended.

Everything here comes from the result document. Texts in it are untrusted and are never read as markup.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

from moot import printable
from moot.cli.going_on import command
from moot.cli.views import view_of
from moot.cli.words import duration, hanging, one_line, show, spending, total

MOST_FAILURES_SHOWN = 3


def print_summary(document: Mapping[str, Any], console: Console, raised: Sequence[str] = ()) -> None:
    """Print what a run came to, from its result document. `raised` are the options that it needs to go on."""
    if console.is_terminal:
        console.print()  # apart from what the debate showed
    for part in view_of(document["protocol"]).outcome(document, console):
        show(console, part)
    for notice in document["notices"]:
        show(console, hanging("! ", Text(one_line(notice), "yellow")))
    for part in _failures(document["failures"]):
        show(console, part)
    spent, run = document["spent"], Path(document["run"])
    tokens = total(spent["input"], spent["output"])
    show(console, Text(f"{spending(spent['calls'], tokens, spent['cost'])} · {duration(document['seconds'])}", "dim"))
    show(console, Text(f"Report: {printable(str(run / 'report.html'))}"), soft_wrap=True)
    if document["status"] != "done":
        # `moot resume` finds a run by its name only where runs go by default.
        name = run.name if run.parent == Path("debates") else str(run)
        words = printable(command("resume", name, *raised))
        show(console, Text("To go on: ").append(words, "bold"), soft_wrap=True)


def _failures(failures: Sequence[Mapping[str, str]]) -> list[RenderableType]:
    if not failures:
        return []
    head = "1 failure on the way:" if len(failures) == 1 else f"{len(failures)} failures on the way:"
    parts: list[RenderableType] = [Text(head, "yellow")]
    for failure in failures[:MOST_FAILURES_SHOWN]:
        where = f"{one_line(failure['agent'])} at {one_line(failure['key'])}: "
        parts.append(hanging("  ", Text(where).append(one_line(failure["reason"]), "dim")))
    if (more := len(failures) - MOST_FAILURES_SHOWN) > 0:
        parts.append(Text(f"  and {more} more, in result.json"))
    return parts
