"""The arena's part of the receipt, and what a memory stores."""

from collections.abc import Mapping
from typing import Any

from moot.api import Material, data_of, part_of
from moot.api.capabilities import Cast, Proposed, Remembered
from moot.protocols.arena.decision import is_backed
from moot.protocols.arena.payloads import ArenaRules, SameDecision
from moot.protocols.arena.result import ArenaOutcome

FIELDS = {
    *("decision", "proposal", "verdict", "confidence", "agreed", "decided_by", "reasons", "doubts", "conditions"),
    *("votes", "tally", "assessment", "hollow", "evidence", "changes_of_mind", "round"),
}
RULES = {"vote", "vote_threshold", "self_votes", "quorum", "early_stop_confidence", "pass_mark", "weights"}


def receipt(material: Material) -> dict[str, Any]:
    """The decision, how it was reached, by which rules, and its evidence."""
    rules = data_of(material.entries, ArenaRules)
    found = _outcome(material).model_dump(mode="json", include=FIELDS)
    return {"rule": rules[0].model_dump(mode="json", include=RULES) if rules else None, **found}


def remember(material: Material) -> Remembered:
    """Ratings come from the ranking of stable judges, calibration from whether a vote was for the judges' first
    place."""
    outcome = _outcome(material)
    judged = outcome.assessment
    first = judged.first if judged and is_backed(judged) else None
    unrated, sides = _unrated(outcome), _sides(material, outcome)
    return Remembered(
        question=outcome.topic,
        decision=outcome.decision or "",
        verdict=outcome.verdict or "",
        decided_by=outcome.decided_by or "",
        confidence=outcome.confidence,
        evidence=[outcome.proposal] if outcome.proposal else [],
        dissent=[{"agent": one.agent, "reason": one.reason} for one in outcome.dissent],
        winner=outcome.winner or "",
        proposals={
            name: Proposed(made[-1].decision, sides.get(name, name)) for name, made in outcome.versions.items() if made
        },
        ranking=judged.ranking if judged and unrated is None else [],
        votes=_votes(outcome, sides, first),
        models=_models(material),
        unrated=unrated,
    )


def _sides(material: Material, outcome: ArenaOutcome) -> dict[str, str]:
    """Whose proposal counts for each agent's own: by the vote, or by the answers in an early consensus. An agent whose
    answer is missing is on no side."""
    if outcome.decided_by != "early consensus" or outcome.winner is None:
        return {name: outcome.counted_for(name) or name for name, made in outcome.versions.items() if made}
    said = {
        entry.speaker: outcome.winner if entry.data.same else entry.speaker
        for entry in material.entries
        if isinstance(entry.data, SameDecision) and entry.data.round == outcome.round and entry.data.same is not None
    }
    return {**said, outcome.winner: outcome.winner}


def _votes(outcome: ArenaOutcome, sides: Mapping[str, str], first: str | None) -> dict[str, Cast]:
    """The votes: for which side each was, and whether that is the judges' `first`. In an early consensus, in which
    nobody votes, an agent is on the side of its own proposal. Who could not vote for the judges' first is not measured
    by it."""
    if outcome.tally is None:
        return {name: Cast(None, side) for name, side in sides.items()} if outcome.winner else {}
    cast = {}
    for vote in outcome.votes:
        side = outcome.tally.counted.get(vote.agent)
        own = sides.get(vote.agent) if outcome.tally.own_barred else None
        if side is not None and vote.confidence is not None:
            cast[vote.agent] = Cast(vote.confidence, side, side == first if first and first != own else None, own)
    return cast


def _unrated(outcome: ArenaOutcome) -> str | None:
    """Why this debate rates nobody; None if most judges gave both readings and are stable."""
    judged = outcome.assessment
    if judged is None:
        return "no judge was asked"
    stable = sum(one.unstable is False for one in judged.judges)
    if 2 * stable > len(judged.judges):
        return None
    if judged.unstable:
        return "the order of showing changes whom a judge puts first"
    return judged.failure or "too few judges could be asked"


def _models(material: Material) -> dict[str, str]:
    """The models each member used, in the order of their first replies."""
    spoke: dict[str, dict[str, None]] = {}
    for record in material.records:
        if record.kind == "reply" and record.model:
            spoke.setdefault(material.names.get(part_of(record.agent), ""), {})[record.model] = None
    return {name: " + ".join(models) for name, models in spoke.items() if name}


def _outcome(material: Material) -> ArenaOutcome:
    outcome = material.result.outcome
    assert isinstance(outcome, ArenaOutcome)  # noqa: S101 (it is done, so there is one)
    return outcome
