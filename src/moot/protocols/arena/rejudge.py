"""The parts of an arena that are judged and counted again."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from moot.api import Entry, Header, Run, header_of
from moot.protocols.arena.ballots import ballots_of
from moot.protocols.arena.objections import gravest, objections_to
from moot.protocols.arena.payloads import ArenaProposal, ArenaRules
from moot.protocols.arena.result import ArenaOutcome, outcome


def material(run: Run, entries: Sequence[Entry]) -> dict[str, Any]:
    """The final proposals with the objections to them, and the votes of the last vote."""
    found = outcome(entries)
    header = header_of(entries, Header)
    debate: Any = run.config.debate
    rules = next(entry.data for entry in entries if isinstance(entry.data, ArenaRules))
    last = {
        entry.speaker: entry
        for entry in entries
        if isinstance(entry.data, ArenaProposal) and entry.data.failure is None
    }
    agents = [member.name for member in header.cast if member.role == "proposer"]
    assessed = found.assessment
    same = found.tally.stands_for if found.tally else {}
    judged: dict[str, Any] = {"judges": [one.judge for one in assessed.judges]} if assessed else {}
    if assessed:
        decision = found.versions[assessed.first][-1].decision if assessed.first else None
        judged |= {"winner": assessed.first, "answer": decision, "scores": assessed.scores}
    return {
        "protocol": "arena",
        "agents": agents,
        "proposals": [
            {
                "agent": name,
                "decision": getattr(last[name].data, "decision", ""),
                "text": last[name].content,
                "objections": gravest(objections_to(name, entries)),
            }
            for name in agents
            if name in last
        ],
        "criteria": rules.criteria,
        "standards": debate.judges[0].personality,
        "judged": judged,
        "rule": rules.vote,
        "votes": _votes(found, rules) if found.tally else [],
        "elected": found.tally.winner if found.tally else None,
        "stands_for": same,
    }


def _votes(found: ArenaOutcome, rules: ArenaRules) -> list[dict[str, Any]]:
    assert found.tally is not None  # noqa: S101 (there are votes)
    ballots = ballots_of(
        {vote.agent: vote.ranking for vote in found.votes},
        {name: Fraction(weight) for name, weight in rules.weights.items()},
        {name: found.counted_for(name) or name for name, made in found.versions.items() if made},
        own_barred=found.tally.own_barred,
    )
    return [
        {"voter": one.voter, "ranking": list(one.ranking), "barred": sorted(one.barred), "weight": str(one.weight)}
        for one in ballots
    ]
