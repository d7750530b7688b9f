"""What the debates of a batch used: calls, tokens, dollars and seconds."""

from collections.abc import Sequence
from typing import Any

from moot.studies.batch.figures import Spread
from moot.studies.batch.rows import Row


def spreads(rows: Sequence[Row]) -> dict[str, Spread]:
    """Calls, tokens, dollars and seconds of every debate that was begun, however it ended."""
    begun = [row for row in rows if row.run is not None]
    used = [(row.input_tokens, row.output_tokens) for row in begun]
    tokens = [None if read is None or written is None else read + written for read, written in used]
    found: dict[str, list[Any]] = {
        "calls": [row.calls for row in begun],
        "tokens": tokens,
        "cost": [row.cost for row in begun],
        "seconds": [row.seconds for row in begun],
    }
    return {name: spread for name, values in found.items() if (spread := _spread(values)) is not None}


def _spread(values: Sequence[float | None]) -> Spread | None:
    known = sorted(value for value in values if value is not None)
    if not known:
        return None
    middle = len(known) // 2
    median = known[middle] if len(known) % 2 else (known[middle - 1] + known[middle]) / 2
    return Spread(
        total=sum(known),
        least=known[0],
        median=median,
        most=known[-1],
        n=len(known),
        unknown=len(values) - len(known),
    )
