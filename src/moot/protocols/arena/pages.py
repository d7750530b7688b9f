"""The versions of proposals, and what a gate says of an arena."""

from collections.abc import Sequence

from moot.api import Entry, first_data
from moot.api.capabilities import Gated
from moot.present import Version
from moot.protocols.arena.payloads import ArenaRules
from moot.protocols.arena.result import ArenaOutcome

APPROVING = ["approved", "approved_with_conditions"]


def versions(outcome: ArenaOutcome) -> dict[str, list[Version]]:
    return {
        name: [Version(f"Round {one.round}", one.text, one.seq) for one in several]
        for name, several in outcome.versions.items()
    }


def gate(outcome: ArenaOutcome | None, entries: Sequence[Entry]) -> Gated:
    """Whether the verdict passes: it is one of the required ones or, without a requirement, an approval."""
    rules = first_data(entries, ArenaRules)
    passing = (rules.require if rules else []) or APPROVING
    if outcome is None or outcome.verdict is None:
        return Gated(passed=None, decision=None, passing=" or ".join(passing))
    return Gated(
        passed=outcome.verdict in passing,
        decision=outcome.verdict,
        agreement=_agreement(outcome),
        threshold=float(rules.vote_threshold) if rules and rules.vote_threshold and outcome.tally else None,
        passing=" or ".join(passing),
        conditions=outcome.conditions,
    )


def _agreement(outcome: ArenaOutcome) -> float | None:
    """The share of all agents that voted for the decision, regardless of weight; None if nothing was decided."""
    if outcome.tally is None or outcome.winner is None:
        return outcome.agreed
    return round(len(outcome.voters) / outcome.tally.others, 4)
