"""The panel's part of the receipt."""

from typing import Any

from moot.api import Material
from moot.protocols.panel.log import read
from moot.protocols.panel.result import PanelOutcome

FIELDS = (
    *("kind", "decision", "carried", "agreement", "confidence", "answered", "personas", "votes", "changes", "missing"),
    *("abstained", "rulings", "modifications_required", "rounds_taken", "as_submitted"),
)


def receipt(material: Material) -> dict[str, Any]:
    """The decision, the counting rule, every vote, and the validators' rulings."""
    outcome, brief = material.result.outcome, read(material.entries).brief
    assert isinstance(outcome, PanelOutcome)  # noqa: S101 (it is done, so there is one)
    rule = {
        "agreement_needed": brief.threshold,
        "required_validators": brief.required_validators,
        "quorum": brief.quorum,
        "rounds_required": brief.rounds_required,
        "weights": dict(brief.weights),
    }
    found = outcome.model_dump(mode="json", include=set(FIELDS))
    return {"rule": rule, **{name: found[name] for name in FIELDS}, "versions": len(outcome.revisions)}
