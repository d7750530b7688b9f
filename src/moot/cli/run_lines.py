"""A list of runs on a terminal."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from rich.console import Console
from rich.text import Text

from moot.cli.hints import command
from moot.cli.listing import fields_of
from moot.cli.wording import WIDEST, clipped, show
from moot.engine.staging.finding import KINDS, LEADS_ON
from moot.engine.staging.runs import began
from moot.text import one_line, printable

LONGEST_OUTCOME = 60


def print_lines(chosen: Sequence[Mapping[str, Any]]) -> None:
    """Print runs, each in a few lines, after the reasons why others cannot be read."""
    console = Console()
    for row in chosen:
        if row["status"] == "unreadable":
            console.print(Text(printable(row["reason"])), soft_wrap=True)
    rows = [row for row in chosen if row["status"] != "unreadable"]
    names = [row["name"] for row in rows]
    moments = Counter(_short(name) for name in names)
    for place, (row, name) in enumerate(zip(rows, names, strict=True)):
        # The time is a short and sufficient name for a run, unless another started in the same second.
        moment = _short(name)
        if place:
            show(console, Text())
        for line in _lines(fields_of(row, moment if moments[moment] == 1 else name), row, min(console.width, WIDEST)):
            show(console, line, soft_wrap=True)


def _short(name: str) -> str:
    """The time in a run's name. Runs inside a study are told apart by their places, and so have whole names."""
    return name.partition("-")[0] if began(name) and LEADS_ON not in name else name


def _lines(fields: Sequence[str], row: Mapping[str, Any], width: int) -> list[Text]:
    """A run in a few lines of this width. Its name is complete, because it is there to be copied."""
    run, protocol, status, outcome, _, calls, cost, topic = fields
    date = f"{datetime.fromisoformat(row['began']):%Y-%m-%d %H:%M}" if row["began"] else ""
    tags = " ".join(f"#{one}" for one in row["tags"])
    facts = Text("  ".join(one for one in (date, protocol, status, one_line(tags)) if one), "dim")
    lines = [Text.assemble((run, "bold"), "  ", facts)]
    if lines[0].cell_len > width:
        lines = [Text(run, "bold"), Text("  ").append_text(facts)]
    spent = f" · {calls} call{'s' * (calls != '1')} · {cost}" if calls else ""
    room = max(LONGEST_OUTCOME // 3, min(LONGEST_OUTCOME, width - len(spent)))
    headline = Text(clipped(f"  ! {outcome}" if row["warned"] else f"  {outcome}", room))
    said = Text(clipped(f"  {topic}", width))
    inside = [Text(f"  {command('list', '--out', row['run'])}", "dim")] if row["protocol"] in KINDS.values() else []
    return [*lines, said, *([headline.append(spent, "dim")] if outcome or spent else []), *inside]
