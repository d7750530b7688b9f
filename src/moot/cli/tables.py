"""Tables and transcripts on standard output. Untrusted text is shown, never obeyed."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from moot.cli.hints import called
from moot.engine.plan import Plan
from moot.models.files import ModelFile
from moot.models.offers import Listed, Offer
from moot.text import printable
from moot.text.figures import dollars

LONGEST_OUTCOME = 40
MOST_OFFERS = 20
"""Models of one server that are listed unasked; some offer hundreds."""
LABELS = {True: "ok", False: "FAULT", None: "–"}


def print_plan(plan: Plan) -> None:
    console = Console()
    console.print(f"{plan.protocol}: {plan.calls} calls; the longest chain of them is {plan.longest_chain}.")
    for name, models in plan.models.items():
        console.print(Text(f"  {printable(name)}: {printable(', then '.join(models))}"))
    console.print(f"This cast speaks with --seed {plan.seed}.")
    table = make_table("", ">input tokens", ">output tokens", ">price")
    for label, estimate in (("typical", plan.typical), ("with the longest replies", plan.bound)):
        table.add_row(label, f"{estimate.input:,}", f"{estimate.output:,}", dollars(estimate.cost))
    console.print(table)
    console.print("Counted without retries; a reply that has to be asked for again comes on top.")
    if plan.on_top:
        console.print(plan.on_top)
    if plan.documents:
        console.print(Text(printable(f"Documents: {plan.documents}")), soft_wrap=True)
    for one in plan.notes:
        console.print(Text(printable(one), "yellow"), soft_wrap=True)
    if plan.lookups:
        console.print(f"Agents may look up {plan.lookups} things, each with at most one further call.")
    for one in plan.not_ready:
        console.print(Text(printable(f"The debate would not start: {one}"), "yellow"), soft_wrap=True)


def print_protocols(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print the installed protocols and their origins."""
    table = make_table("protocol", "from", "what happens")
    for row in rows:
        fault, about = printable(row["fault"] or ""), printable(row["about"])
        told = Text(f"cannot be loaded: {fault}", "yellow") if fault else Text(about)
        table.add_row(Text(row["name"], "bold"), Text(printable(row["from"])), told)
    console = Console()
    console.print(table)
    console.print(f"An example of each of moot's own, written by hand: {called()} demo NAME", soft_wrap=True)


def print_providers(providers: Sequence[Any]) -> None:
    table = make_table("provider", "ready", "what it is", "example, set-up")
    for one in providers:
        how = one.example if one.configured else f"{one.example}\n{one.how}"
        table.add_row(one.name, "yes" if one.configured else "no", one.what, Text(how))
    Console().print(table)


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
            console.print(Text(printable(f"{one.provider}: {one.fault}")), soft_wrap=True)


def print_model_files(files: Sequence[ModelFile]) -> None:
    """Print the model files of other programs on this machine; nothing if there are none."""
    if not files:
        return
    table = make_table("file of", "model", ">size", "to debate with it")
    for one in files:
        size = f"{one.parameters / 1e9:.1f}B · {one.size / 1e9:.1f} GB"
        table.add_row(one.owner, Text(printable(one.title)), size, Text(f"-m {printable(one.name)}"))
    Console().print(table)


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
