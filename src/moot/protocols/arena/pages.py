"""What web pages and gates show of an arena beyond its report."""

from collections.abc import Mapping, Sequence
from typing import Any

from moot.engine.define.capabilities import Ballots, Gated, as_logged
from moot.present import Version
from moot.protocols.arena.payloads import ArenaProposal, ArenaRules, HollowChallenge
from moot.protocols.arena.result import ArenaOutcome
from moot.record.entry import Entry, first_data

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
        conditions=[outcome.conditions] if outcome.conditions else [],
    )


def _agreement(outcome: ArenaOutcome) -> float | None:
    """The share of all agents that voted for the decision, regardless of weight; None if nothing was decided."""
    if outcome.tally is None or outcome.winner is None:
        return outcome.agreed
    return round(len(outcome.voters) / outcome.tally.voters, 4)


def fields(entry: Entry, by_seq: Mapping[int, Entry]) -> dict[str, Any]:
    """The payload. The questions of a challenge come from the reply; the gaps were computed before."""
    shown = as_logged(entry, by_seq)
    if isinstance(entry.data, HollowChallenge):
        shown["gaps"] = {one.to: one.gaps for one in entry.data.questions}
        shown["questions"] = {one.to: one.question for one in entry.data.questions}
    about = by_seq.get(entry.target_seq) if entry.target_seq is not None else None
    if about is not None and isinstance(about.data, ArenaProposal):
        shown["version"] = f"of round {about.data.round}"
    return shown


BALLOTS = Ballots(
    "Ballots",
    types=("vote", "agreement", "challenge", "judging", "observation"),
    first=("vote",),
    fields=fields,
    renamed=("questions", "turns", "ranking", "scores", "reasons"),
)
