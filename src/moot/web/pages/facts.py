"""Facts about a result besides its verdict: its cost, and what failed."""

from dataclasses import dataclass

import moot
from moot.report.page import minutes
from moot.text.figures import dollars
from moot.text.prose import plural


@dataclass(frozen=True, slots=True)
class Fact:
    """A label, a text, and a link to the details."""

    name: str
    text: str
    link: str | None = None


def cost_and_failures(result: moot.Result) -> list[Fact]:
    failed = plural(len(result.failures), "thing") if result.failures else "Nothing"
    return [Fact("Cost", _cost(result), "#cost"), Fact("What failed", failed, "#failed")]


def _cost(result: moot.Result) -> str:
    spent = result.spent
    told = spent.input is not None and spent.output is not None
    tokens = f"{(spent.input or 0) + (spent.output or 0):,} tokens" if told else "tokens unknown"
    cost = "cost unknown" if spent.cost is None else dollars(spent.cost)
    return f"{cost} · {plural(spent.calls, 'call')} · {tokens} · {minutes(result.seconds)}"
