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
from moot.text import one_line

LONGEST_OUTCOME = 60


def print_lines(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print runs, each in a few lines."""
    console = Console()
    moments = Counter(_short(row["name"]) for row in rows)
    for place, row in enumerate(rows):
        # The time is a short and sufficient name for a run, unless another started in the same second.
        moment = _short(row["name"])
        name = moment if moments[moment] == 1 else row["name"]
        if place:
            show(console, Text())
        for line in _lines(fields_of(row, name), row, min(console.width, WIDEST)):
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
