"""What an arena's receipt says, and what a memory keeps of it."""

from typing import Any

from moot.engine.material import Material
from moot.engine.remembered import Remembered
from moot.protocols.arena.payloads import Background
from moot.protocols.arena.result import ArenaOutcome

_OF_A_VOTE = {"agent", "choice", "confidence", "reason", "failure"}


def receipt(material: Material) -> dict[str, Any]:
    """The decision, how it was reached, and what it rests on."""
    outcome = _outcome(material)
    return {
        "decision": outcome.decision,
        "verdict": outcome.verdict,
        "confidence": outcome.confidence,
        "agreed": outcome.agreed,
        "decided_by": outcome.decided_by,
        "reasons": outcome.reasons,
        "votes": [one.model_dump(mode="json", include=_OF_A_VOTE) for one in outcome.votes],
        "rounds": outcome.round,
        "evidence": _evidence(material, outcome),
    }


def remember(material: Material) -> Remembered:
    """Ratings are by the judge's scores, calibration by whether a vote was for what the judge puts first: both only
    where the judgement is whole."""
    outcome = _outcome(material)
    judged = outcome.assessment if outcome.assessment and outcome.assessment.failure is None else None
    first = judged.first if judged else None
    return Remembered(
        question=outcome.topic,
        decision=outcome.decision or "",
        verdict=outcome.verdict or "",
        decided_by=outcome.decided_by or "",
        confidence=outcome.confidence,
        evidence=[outcome.proposal] if outcome.proposal else [],
        dissent=[{"agent": one.agent, "reason": one.reason} for one in outcome.dissent],
        scores=judged.scores if judged else {},
        votes={
            vote.agent: (vote.confidence, vote.choice == first)
            for vote in outcome.votes
            if first and vote.choice and vote.confidence is not None
        },
    )


def _outcome(material: Material) -> ArenaOutcome:
    outcome = material.result.outcome
    assert isinstance(outcome, ArenaOutcome)  # noqa: S101 (it is done, so there is one)
    return outcome


def _evidence(material: Material, outcome: ArenaOutcome) -> list[dict[str, Any]]:
    """The proposal that won, what was named as new evidence, the texts handed to all."""
    won = outcome.versions[outcome.winner][-1] if outcome.winner else None
    found: list[dict[str, Any]] = []
    if won is not None:
        found.append({"kind": "proposal", "by": outcome.winner, "seq": won.seq, "text": won.proposal})
    found += [
        {"kind": "new evidence", "by": one.agent, "round": one.round, "text": one.new_evidence}
        for one in outcome.changes_of_mind
        if one.new_evidence
    ]
    found += [
        {"kind": text.kind, "title": text.title, "seq": entry.seq}
        for entry in material.entries
        if isinstance(entry.data, Background)
        for text in entry.data.texts
    ]
    return found
