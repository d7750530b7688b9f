"""What a gate and a receipt say of a panel."""

from collections.abc import Sequence
from typing import Any

from moot.api import Entry, Material, first_data
from moot.api.capabilities import Gated
from moot.protocols.panel.payloads import Brief
from moot.protocols.panel.result import PanelOutcome, conditions


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


def rules(material: Material) -> dict[str, Any]:
    """The rules by which votes are counted."""
    brief = first_data(material.entries, Brief)
    counts = {"threshold", "required_validators", "quorum", "rounds_required", "weights"}
    return brief.model_dump(include=counts) if brief else {}
