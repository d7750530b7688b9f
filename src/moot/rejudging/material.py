"""What of a run is judged again: what its judges could see, and the votes as they were cast.

Private thoughts, plans and the original judges' own words are left where they are.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from moot.entry import Entry
from moot.errors import ConfigError
from moot.payloads import Header
from moot.protocols.arena.payloads import ArenaProposal, ArenaRules
from moot.protocols.duel.payloads import Turn
from moot.runs import Run

FAIR = "You are an even-handed judge. You decide on what was said, and not on what you believe or could have said."
INSTEAD = {
    "persuasion": "its verdict follows from the argument graph, with no judge: `moot contest` shows what would move it,"
    " and `moot export --to apx` with `moot argue` what other semantics make of the graph",
    "chaired": "its chair decides, by all that it ruled on the way. `moot fork --at SEQ --role chair=MODEL`, SEQ being"
    " the last entry before the conclusion, has another model take the chair",
    "answers": "nobody debated in it, and nobody judged",
    "rejudging": "it is a re-judging itself; name the run that it is about",
}


def can_be_judged(run: Run) -> None:
    """ConfigError for a run whose protocol leaves nothing that could be judged again, saying what there is instead."""
    protocol = run.config.protocol.name
    if protocol not in _BY_PROTOCOL:
        raise ConfigError(f"{run.name} cannot be judged again: {INSTEAD[protocol]}")


def material_of(run: Run, entries: Sequence[Entry], header: Header) -> dict[str, Any]:
    """The part of a re-judging's config that holds the debate."""
    return _BY_PROTOCOL[run.config.protocol.name](run, entries, header)


def _duel(run: Run, entries: Sequence[Entry], header: Header) -> dict[str, Any]:
    """What a duel's judge could see, and nothing that it said itself."""
    found: Any = run.config.protocol.outcome(entries)
    debate: Any = run.config.debate
    debaters = [member for member in header.cast if member.role == "debater"]
    judges = [member.name for member in header.cast if member.role == "judge"]
    said = [entry for entry in entries if isinstance(entry.data, Turn) and entry.to == "all"]
    standards = next((one.system for one in debate.cast if one.name in judges), FAIR)
    return {
        "protocol": "duel",
        "premise": header.premise,
        "debaters": [member.name for member in debaters],
        "sides": {member.name: member.side for member in debaters if member.side},
        "statements": [{"speaker": entry.speaker, "text": entry.content} for entry in said],
        "standards": standards,
        "judged": {"judges": judges, "winner": found.winner, "scores": found.scores if judges else {}},
    }


def _arena(run: Run, entries: Sequence[Entry], header: Header) -> dict[str, Any]:
    """The proposals as they stood at the end, and the votes of the last vote."""
    found: Any = run.config.protocol.outcome(entries)
    debate: Any = run.config.debate
    rules = next(entry.data for entry in entries if isinstance(entry.data, ArenaRules))
    last = {
        entry.speaker: entry
        for entry in entries
        if isinstance(entry.data, ArenaProposal) and entry.data.failure is None
    }
    agents = [member.name for member in header.cast if member.role == "proposer"]
    assessed = found.assessment
    judged = {"judges": [one.judge for one in assessed.judges]} if assessed else {}
    if assessed:
        judged |= {"winner": assessed.first, "scores": assessed.scores}
    return {
        "protocol": "arena",
        "agents": agents,
        "proposals": [
            {"agent": name, "decision": getattr(last[name].data, "decision", ""), "text": last[name].content}
            for name in agents
            if name in last
        ],
        "criteria": rules.criteria,
        "standards": debate.judges[0].personality,
        "judged": judged,
        "rule": rules.vote,
        "votes": [
            {"voter": vote.agent, "ranking": vote.ranking, "weight": str(Fraction(rules.weights[vote.agent]))}
            for vote in found.votes
            if vote.failure is None
        ],
        "elected": found.tally.winner if found.tally else None,
    }


def _panel(run: Run, entries: Sequence[Entry], header: Header) -> dict[str, Any]:  # noqa: ARG001 (one of several)
    """The votes on the last version of the idea, or on each change to it."""
    from moot.protocols.panel.log import read

    log = read(entries)
    decision = log.decision
    if decision is None:
        raise ConfigError(f"{run.name} came to no vote that could be counted again")

    def held(votes: Sequence[Any]) -> list[dict[str, Any]]:
        return [one.model_dump(include={"persona", "label", "weight", "validator"}) for one in votes]

    whole = [{"votes": held(decision.votes), "decision": decision.decision}]
    each = [{"number": one.number, "votes": held(one.votes), "decision": one.decision} for one in decision.changes]
    return {
        "protocol": "panel",
        "labels": list(log.brief.labels),
        "threshold": log.brief.threshold,
        "required_validators": log.brief.required_validators,
        "questions": each or whole,
        "decision": decision.decision,
    }


_BY_PROTOCOL: Mapping[str, Callable[[Run, Sequence[Entry], Header], dict[str, Any]]] = {
    "duel": _duel,
    "arena": _arena,
    "panel": _panel,
}
