"""Tables and transcripts on standard output. Untrusted text is shown, never obeyed."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from moot.cli.hints import called
from moot.cli.wording import hanging, say, show
from moot.engine.staging.plan import Plan
from moot.models.offers import Listed, Offer
from moot.text import printable
from moot.text.figures import dollars
from moot.text.yaml import shipped_yaml

MOST_OFFERS = 20
"""Models of one server that are listed unasked; some offer hundreds."""
LABELS = {True: "ok", False: "FAULT", None: "–"}


def print_plan(plan: Plan) -> None:
    console = Console()
    calls = f"at most {plan.calls}" if plan.at_most else f"{plan.calls}"
    say(console, f"{plan.protocol}: {calls} calls; the longest chain of dependent calls is {plan.longest_chain}.")
    for name, models in plan.models.items():
        console.print(Text(f"  {printable(name)}: {printable(', then '.join(models))}"))
    console.print(f"To get the same cast, use --seed {plan.seed}.")
    table = make_table("", ">input tokens", ">output tokens", ">price")
    for label, estimate in (("typical", plan.typical), ("with the longest replies", plan.bound)):
        table.add_row(label, f"{estimate.input:,}", f"{estimate.output:,}", dollars(estimate.cost))
    console.print(table)
    say(console, "Retries cost extra.")
    if plan.at_most:
        say(console, "It ends early if all agree; --full runs every round.")
    if plan.on_top:
        say(console, plan.on_top)
    if plan.documents:
        say(console, f"Documents: {plan.documents}")
    for one in plan.notes:
        say(console, one, "yellow")
    if plan.lookups:
        say(console, f"Agents may look up {plan.lookups} things, each with at most one further call.")
    if told := earning([plan.protocol]):
        say(console, told)
    for one in plan.not_ready:
        say(console, f"The debate would not start: {one}", "yellow")


def earning(protocols: Sequence[str]) -> str:
    """Which of these protocols earn their tokens on questions with a right answer; empty if none was measured."""
    measured = shipped_yaml("moot.data", "measured.yaml")
    right, tokens, other = measured["right"], measured["tokens"], measured["against"]
    found = []
    for name in [one for one in protocols if one in right]:
        earns = "which it does not earn" if right[name] <= right[other] else "which it is not sure to earn"
        earns = "which it earns" if name in measured["sure"] else earns
        found.append(f"{name} {right[name]:.0%} at {tokens[name] / tokens[other]:.0f} times the tokens, {earns}")
    asked = f"{measured['questions']} questions with one right answer ({measured['model']})"
    told = f"Of {asked} {other} got {right[other]:.0%} right; {'; '.join(found)}. Measure yours: {called()} eval"
    return told.replace("%", " %") if found else ""


def print_protocols(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print the installed protocols and their origins."""
    table = make_table("protocol", "from", "what happens")
    for row in rows:
        fault, about = printable(row["fault"] or ""), printable(row["about"])
        told = Text(f"cannot be loaded: {fault}", "yellow") if fault else Text(about)
        table.add_row(Text(row["name"], "bold"), Text(printable(row["from"])), told)
    console = Console()
    console.print(table)
    say(console, earning([row["name"] for row in rows]))
    say(console, f"An example of each of moot's own, written by hand: {called()} demo NAME")


def print_providers(providers: Sequence[Any]) -> None:
    """Print each provider with an example, which is there to be copied and so has a line of its own."""
    console = Console()
    indent = max(len(one.name) for one in providers) + 2
    for one in providers:
        name = Text(one.name.ljust(indent), "bold" if one.configured else "dim")
        told = [one.what if one.configured else f"{one.what}; not set up", f"-m {one.example}"]
        for place, line in enumerate([*told, *([] if one.configured else [one.how])]):
            body = Text(printable(line), "" if one.configured else "dim")
            show(console, hanging(name if place == 0 else Text(" " * indent), body))


def print_offers(listed: Sequence[Listed], offers: Sequence[Offer], *, whole: bool) -> None:
    """Print what servers offer, the first of each if the list is not to be `whole`, and who could not be asked."""
    console = Console()
    table = make_table("model", ">context", ">input", ">output")
    for one in listed:
        found = [offer for offer in offers if offer in one.offers]
        for offer in found if whole else found[:MOST_OFFERS]:
            context = f"{offer.context:,}" if offer.context else "unknown"
            price = offer.price
            figures = [f"${figure:g}" for figure in (price.input, price.output)] if price else ["unknown", "unknown"]
            table.add_row(Text(printable(offer.name)), context, *figures)
        if not whole and len(found) > MOST_OFFERS:
            table.add_row(Text(f"and {len(found) - MOST_OFFERS} more: {called()} models --find {one.provider}/"))
    if table.row_count:
        console.print(table)
    for one in listed:
        if one.fault:
            say(console, f"{one.provider}: {one.fault}")


def print_checks(checks: Sequence[Any]) -> None:
    table = make_table("", "check", "found")
    for check in checks:
        found = f"{check.found}\n{check.hint}" if check.hint else check.found
        table.add_row(LABELS[check.ok], check.name, Text(printable(found)))
    Console().print(table)


def make_table(*columns: str) -> Table:
    """An empty table; a heading that starts with > is for figures."""
    table = Table(box=SIMPLE, pad_edge=False)
    for column in columns:
        table.add_column(column.removeprefix(">"), overflow="fold", justify="right" if column[:1] == ">" else "left")
    return table
