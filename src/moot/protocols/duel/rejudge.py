"""The material of a duel for judging it again."""

from collections.abc import Sequence
from typing import Any

from moot.api import Entry, Run, header_of, recorded_brief
from moot.api.studies import TRUTH
from moot.protocols.duel.payloads import DuelHeader, Turn
from moot.protocols.duel.prompts import JURY_STANDARDS
from moot.protocols.duel.result import outcome


def material(run: Run, entries: Sequence[Entry]) -> dict[str, Any]:
    """Everything that a duel's judge could see, without its own replies."""
    decided = outcome(entries)
    debate: Any = run.config.debate
    header = header_of(entries, DuelHeader)
    judges = [member.name for member in header.cast if member.role == "judge"]
    spoken = [entry for entry in entries if isinstance(entry.data, Turn) and entry.data.failure is None]
    judge = next((persona for persona in debate.cast if persona.name in judges), None)
    standards = judge.system if judge else JURY_STANDARDS
    if debate.factual:
        standards = f"{judge.personality}\n\n{TRUTH}" if judge else TRUTH
    return {
        "protocol": "duel",
        "claim": header.claim,
        "options": header.options,
        "factual": debate.factual,
        "debaters": [member.name for member in header.debaters],
        "sides": {member.name: member.side for member in header.debaters if member.side},
        "statements": [{"speaker": entry.speaker, "text": entry.content} for entry in spoken],
        "standards": standards,
        "judged": {
            "judges": judges,
            "winner": decided.winner,
            "answer": recorded_brief(entries).answer,
            "scores": decided.scores if judges else {},
        },
    }
