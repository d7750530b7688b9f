"""The material of a duel for judging it again."""

from collections.abc import Sequence
from typing import Any

from moot.engine.runs import Run
from moot.protocols.duel.payloads import DuelHeader, Turn
from moot.protocols.duel.result import outcome
from moot.record.entry import Entry, header_of

FAIR = "You are an even-handed judge. You decide on what was said, and not on what you believe or could have said."


def material(run: Run, entries: Sequence[Entry]) -> dict[str, Any]:
    """Everything that a duel's judge could see, without its own replies."""
    found = outcome(entries)
    debate: Any = run.config.debate
    header = header_of(entries, DuelHeader)
    debaters = [member for member in header.cast if member.role == "debater"]
    judges = [member.name for member in header.cast if member.role == "judge"]
    said = [entry for entry in entries if isinstance(entry.data, Turn) and entry.data.failure is None]
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
