"""A result in a few lines, for people."""

from moot.result import Result
from moot.runs import Run
from moot.text import one_line, printable


def as_text(run: Run, result: Result, key: str) -> str:
    """What the debate came to, and what to know before relying on it; the first line is the question, the last the
    delivery's id."""
    summary = result.summary
    lines = [one_line(run.config.topic), "", f"{summary.kind}: {summary.headline}"]
    lines += [text for text in (summary.reached, summary.change) if text]
    lines += [f"Dissent of {one.who}: {one.reason}" for one in summary.dissent]
    lines += [f"{'Flag' if one.severity == 'warning' else 'Note'}: {one.text}" for one in summary.flags]
    cost = "unknown" if result.spent.cost is None else f"${result.spent.cost:.4f}"
    lines += ["", f"Run {run.name}, {result.spent.calls} calls, cost {cost}"]
    lines += [f"Log {result.receipt.log_sha256}", f"Delivery {key}"]
    return printable("\n".join(lines)) + "\n"
