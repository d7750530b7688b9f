"""Tables and transcripts on standard output. Untrusted text is shown, never obeyed."""

from collections.abc import Sequence
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

import moot

LABELS = {True: "ok", False: "FAULT", None: "–"}


def print_plan(plan: moot.Plan) -> None:
    console = Console()
    console.print(f"{plan.protocol}: {plan.calls} calls; the longest chain of them is {plan.longest_chain}.")
    for name, models in plan.models.items():
        console.print(Text(f"  {moot.printable(name)}: {moot.printable(', then '.join(models))}"))
    table = _table("", "input tokens", "output tokens", "price")
    for label, estimate in (("typical", plan.typical), ("at most", plan.bound)):
        table.add_row(label, f"{estimate.input:,}", f"{estimate.output:,}", price(estimate.cost))
    console.print(table)
    console.print("Counted without retries; a reply that has to be asked for again comes on top.")


def print_runs(rows: Sequence[dict[str, Any]], out: str) -> None:
    console = Console()
    if not rows:
        console.print(Text(f"No runs in {out} yet. Start one: moot duel"))
        return
    table = _table("run", "status", "winner", "calls", "price")
    for row in rows:
        name = row["run"].rsplit("/", 1)[-1]
        cost = "" if row["calls"] is None else price(row["cost"])
        values = (name, row["status"], row["winner"] or "", str(row["calls"] or ""), cost)
        table.add_row(*(Text(moot.printable(value)) for value in values))
    console.print(table)


def print_entries(entries: Sequence[moot.Entry]) -> None:
    console = Console()
    for entry in entries:
        private = "" if entry.to == "all" else "  (private)"
        mark = "  (from outside)" if entry.outside else ""
        console.print(Text(f"{entry.seq}  {entry.speaker} · {entry.type}{private}{mark}", style="bold"))
        console.print(Text(moot.printable(entry.content)), style="dim" if private else "", soft_wrap=True)
        console.print()


def print_messages(messages: Sequence[moot.Message], agent: str) -> None:
    console = Console()
    if not messages:
        console.print(Text(f"{agent} had not been sent anything yet."))
    for message in messages:
        console.print(Text(f"── {message.role} ──", style="bold"))
        console.print(Text(moot.printable(message.content)), soft_wrap=True)
        console.print()


def print_providers(providers: Sequence[Any]) -> None:
    table = _table("provider", "ready", "what it is", "example, and how to set it up")
    for one in providers:
        how = one.example if one.configured else f"{one.example}\n{one.how}"
        table.add_row(one.name, "yes" if one.configured else "no", one.what, Text(how))
    Console().print(table)


def print_checks(checks: Sequence[Any]) -> None:
    table = _table("", "check", "found")
    for check in checks:
        found = f"{check.found}\n{check.hint}" if check.hint else check.found
        table.add_row(LABELS[check.ok], check.name, Text(found))
    Console().print(table)


def price(cost: float | None) -> str:
    return "unknown" if cost is None else "free" if cost == 0 else f"${cost:.4f}"


def _table(*columns: str) -> Table:
    table = Table(box=SIMPLE, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table
