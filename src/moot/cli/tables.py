"""Tables and transcripts on standard output. Untrusted text is shown, never obeyed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

import moot
from moot.cli.going_on import called
from moot.cli.words import one_line, show
from moot.text import clip

LONGEST_OUTCOME = 40
LEAST_TOPIC = 12
"""As much of a topic as is always shown."""
WIDE_ENOUGH = 1_000_000
LABELS = {True: "ok", False: "FAULT", None: "–"}


def print_plan(plan: moot.Plan) -> None:
    console = Console()
    console.print(f"{plan.protocol}: {plan.calls} calls; the longest chain of them is {plan.longest_chain}.")
    for name, models in plan.models.items():
        console.print(Text(f"  {moot.printable(name)}: {moot.printable(', then '.join(models))}"))
    table = make_table("", ">input tokens", ">output tokens", ">price")
    for label, estimate in (("typical", plan.typical), ("with the longest replies", plan.bound)):
        table.add_row(label, f"{estimate.input:,}", f"{estimate.output:,}", price(estimate.cost))
    console.print(table)
    console.print("Counted without retries; a reply that has to be asked for again comes on top.")


def print_protocols(rows: Sequence[Mapping[str, Any]]) -> None:
    """What can be debated with, and where it is from."""
    table = make_table("protocol", "from", "what happens")
    for row in rows:
        told = (
            Text(f"cannot be loaded: {moot.printable(row['fault'])}", "yellow") if row["fault"] else Text(row["about"])
        )
        table.add_row(Text(row["name"], "bold"), Text(moot.printable(row["from"])), told)
    Console().print(table)


def print_runs(listed: Sequence[dict[str, Any]], out: str) -> None:
    console = Console()
    for row in listed:
        if row["status"] == "unreadable":
            console.print(Text(moot.printable(row["reason"])), soft_wrap=True)
    rows = [row for row in listed if row["status"] != "unreadable"]
    if not listed:
        console.print(Text(moot.printable(f"No runs in {out} yet. Start one: {called()} duel")), soft_wrap=True)
    if not rows:
        return
    names = [Path(row["run"]).name for row in rows]
    moments = Counter(name.partition("-")[0] for name in names)
    table = make_table("run", "protocol", "status", "outcome", ">calls", ">price", "topic")
    table.padding, table.show_edge = (0, 1, 0, 0), False  # the more room for topics
    topics = []
    for row, name in zip(rows, names, strict=True):
        # The moment is enough to name a run by, and short, unless another began in the same second.
        moment, _, rest = name.partition("-")
        spent = ("", "") if row["calls"] is None else (row["calls"], price(row["cost"]))
        unique = moment if moments[moment] == 1 else name
        values = (unique, row["protocol"], row["status"], clip(one_line(row["outcome"] or ""), LONGEST_OUTCOME), *spent)
        topics.append(Text(" ".join(moot.printable(str(row["topic"] or rest.replace("-", " "))).split())))
        table.add_row(*(Text(" ".join(moot.printable(str(value)).split())) for value in values), topics[-1])
    # Nothing is cut but topics, and these only for a terminal: a name is there to be copied.
    room, console.width = console.width, WIDE_ENOUGH
    over = console.measure(table).maximum - room
    if console.is_terminal and over > 0:
        left = max(LEAST_TOPIC, max(topic.cell_len for topic in topics) - over)
        for topic in topics:
            topic.truncate(left, overflow="ellipsis")
    show(console, table)


def print_entries(entries: Sequence[moot.Entry]) -> None:
    console = Console()
    for entry in entries:
        private = "" if entry.to == "all" else "  (private)"
        mark = "  (from outside)" if entry.outside else ""
        heading = moot.printable(f"{entry.seq}  {entry.speaker} · {entry.type}{private}{mark}")
        console.print(Text(heading, style="bold"))
        console.print(Text(moot.printable(entry.content)), style="dim" if private else "", soft_wrap=True)
        console.print()


def print_messages(messages: Sequence[moot.Message], agent: str) -> None:
    console = Console()
    if not messages:
        console.print(Text(moot.printable(f"{agent} had not been sent anything yet.")))
    for message in messages:
        console.print(Text(f"── {message.role} ──", style="bold"))
        console.print(Text(moot.printable(message.content)), soft_wrap=True)
        console.print()


def print_providers(providers: Sequence[Any]) -> None:
    table = make_table("provider", "ready", "what it is", "example, set-up")
    for one in providers:
        how = one.example if one.configured else f"{one.example}\n{one.how}"
        table.add_row(one.name, "yes" if one.configured else "no", one.what, Text(how))
    Console().print(table)


def print_checks(checks: Sequence[Any]) -> None:
    table = make_table("", "check", "found")
    for check in checks:
        found = f"{check.found}\n{check.hint}" if check.hint else check.found
        table.add_row(LABELS[check.ok], check.name, Text(moot.printable(found)))
    Console().print(table)


def price(cost: float | None) -> str:
    return "unknown" if cost is None else "free" if cost == 0 else f"${cost:.4f}"


def make_table(*columns: str) -> Table:
    """A table without rows yet; a heading that begins with > is for figures."""
    table = Table(box=SIMPLE, pad_edge=False)
    for column in columns:
        table.add_column(column.removeprefix(">"), overflow="fold", justify="right" if column[:1] == ">" else "left")
    return table
