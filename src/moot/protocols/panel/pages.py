"""What web pages and gates show of a panel beyond its report."""

from collections.abc import Mapping, Sequence
from typing import Any

from moot.engine.define.capabilities import Ballots, Gated, as_logged
from moot.present import Version
from moot.protocols.panel.payloads import Brief
from moot.protocols.panel.result import PanelOutcome, conditions
from moot.record.entry import Entry, first_data


def versions(outcome: PanelOutcome) -> dict[str, list[Version]]:
    return {"The idea": [Version(f"Version {one.version}", one.idea) for one in outcome.revisions]}


def gate(outcome: PanelOutcome | None, entries: Sequence[Entry]) -> Gated:
    """Whether the panel lets the idea pass as it was submitted, and by which rules."""
    brief = first_data(entries, Brief)
    decided = outcome is not None and outcome.decision is not None
    return Gated(
        passed=outcome.accepted if outcome is not None and decided else None,
        decision=outcome.as_submitted if outcome is not None else None,
        agreement=outcome.revisions[0].agreement if outcome is not None and outcome.revisions else None,
        threshold=float(brief.threshold) if brief else None,
        passing=(" or ".join(brief.require) or brief.passes) if brief else None,
        conditions=conditions(outcome) if outcome is not None else [],
    )


def _fields(entry: Entry, by_seq: Mapping[int, Entry]) -> dict[str, Any]:
    """The payload without the proposals shown to a validator."""
    return {key: value for key, value in as_logged(entry, by_seq).items() if key != "proposals"}


BALLOTS = Ballots(
    "Ballots",
    types=("ballot", "position", "synthesis", "change", "revision", "idea"),
    first=("ballot",),
    fields=_fields,
)
