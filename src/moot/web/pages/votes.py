"""Readers' votes, compared with the verdict. They are entries from outside: no agent sees them, and no result depends
on them."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import moot
from moot.engine.define.capabilities import Choices
from moot.engine.outcome.material import Material
from moot.engine.staging.outside import reader_votes
from moot.record.entry import first_data
from moot.record.payloads import Header


def readers(material: Material) -> dict[str, Any]:
    """The choices, the votes for each, the verdict, and how they compare."""
    counts = Counter(reader_votes(material.entries).values()).most_common()
    possible, outcome = material.run.config.protocol.get(Choices), material.result.outcome
    decided = possible.chosen(outcome) if possible and outcome is not None else None
    offered = choices(material.run, material.entries)
    return {"choices": offered, "counts": counts, "decided": decided, "compared": _compared(counts, decided)}


def choices(run: moot.Run, entries: Sequence[moot.Entry]) -> list[str]:
    """The possible decisions, if the protocol names them and the debate has begun."""
    possible = run.config.protocol.get(Choices)
    return possible.offered(entries) if possible and first_data(entries, Header) is not None else []


def _compared(counts: Sequence[tuple[str, int]], decided: str | None) -> str:
    if not counts:
        return ""
    most = [choice for choice, count in counts if count == counts[0][1]]
    if decided is None:
        return "The debate decided nothing to compare this with."
    if len(most) > 1:
        return f"Readers are divided between {', '.join(most)}; the debate decided: {decided}."
    if most[0] == decided:
        return f"Readers and the debate agree: {decided}."
    return f"Readers would have chosen {most[0]}; the debate decided: {decided}."
