"""The parts of a panel that are counted again."""

from collections.abc import Sequence
from typing import Any

from moot.api import ConfigError, Entry, Run
from moot.protocols.panel.log import read


def material(run: Run, entries: Sequence[Entry]) -> dict[str, Any]:
    """The votes on the last version of the idea, or on each change to it."""
    log = read(entries)
    decision = log.decision
    if decision is None:
        raise ConfigError(f"{run.name} came to no vote that could be counted again")

    def held(votes: Sequence[Any]) -> list[dict[str, Any]]:
        return [vote.model_dump(include={"persona", "label", "weight", "validator"}) for vote in votes]

    whole = [{"votes": held(decision.votes), "decision": decision.decision}]
    changes = decision.changes
    each = [{"number": it.number, "votes": held(it.votes), "decision": it.decision} for it in changes]
    return {
        "protocol": "panel",
        "labels": list(log.brief.labels),
        "threshold": log.brief.threshold,
        "required_validators": log.brief.required_validators,
        "questions": each or whole,
        "decision": decision.decision,
    }
