"""Scripted persuasion dialogues: a small cast, a reply for every call, and ways to have another."""

import asyncio
from pathlib import Path
from typing import Any

import moot
from moot.protocols.persuasion.result import PersuasionOutcome
from moot.testing import Scripted, ScriptedModel

TOPIC = "We should rewrite it."
PRO = {"name": "Pia", "personality": "Pia is quick.", "bias": "Pia likes shipping."}
OPP = {"name": "Olaf", "personality": "Olaf is slow.", "bias": "Olaf likes caution."}
MOD = {"name": "Mo", "personality": "Mo is fair.", "bias": "Mo has none."}
CAST: dict[str, Any] = {"proponent": PRO, "opponent": OPP, "moderator": MOD, "claim": TOPIC}
Replies = dict[str, Scripted | list[Scripted]]


def since(choice: str, *premises: str, text: str = "So it is.") -> dict[str, Any]:
    return {**say(choice, text), "premises": list(premises)}


def say(choice: str, text: str) -> dict[str, Any]:
    return {"thought": "", "choice": choice, "content": text}


GAME: Replies = {
    "proponent/move/0": say("claim A1", "Let us rewrite it."),
    "opponent/move/1": say("rebut A1", "Let us not."),
    "proponent/move/2": since("since A1", "It is slow.", "Nobody knows it."),
    "opponent/move/3": say("undercut P3", "Slow code can be made fast without a rewrite."),
    "proponent/move/4": since("since A1", "Patching has failed twice."),
    "opponent/move/5": since("since A5", "Two people know it well."),
    "proponent/closing": {"statement": "It pays.", "give_up": ["concede A7"]},
    "opponent/closing": {"statement": "It does not.", "give_up": ["concede A3", "concede A6"]},
    "moderator/rationale": {
        "winner": "Pia",
        "rationale": "A3 and A6 decide.",
        "cites": ["A3", "A6"],
        "strongest": ["A1"],
    },
    "moderator/findings": {
        "valid_points_of_the_loser": ["It can be made fast."],
        "unaddressed_questions": ["Who pays?"],
        "concessions_that_mattered": ["A3"],
        "because": [{"reason": "It is slow, and patching has failed twice.", "rests_on": ["A3", "P4"]}],
        "objection": "It can be made fast.",
        "agreed": "Measure first.",
        "would_change_it": "Two years are over.",
        "next": "Ask who pays.",
        "answer": "Yes: rewrite it.",
        "follows": "Pia",
    },
}
"""A dialogue of one round. The replies of the moderator to each move are made up where there are none."""
CLEAR: Replies = {
    "opponent/move/3": say("rebut A3", "It is fast."),
    "proponent/move/4": say("why A5", "Since when?"),
    "opponent/move/5": say("retract A5", "I cannot say."),
    "proponent/closing": {"statement": "It pays.", "give_up": []},
    "opponent/closing": {"statement": "It does not.", "give_up": ["concede A3"]},
    "moderator/rationale": {**GAME["moderator/rationale"], "cites": ["A3"], "rationale": "A3 decides."},  # type: ignore[dict-item]
}
"""Nothing backs the opponent's attack, so every way to read the game favours the proponent."""
STANDS: dict[str, Any] = {"ruling": "stands", "reason": "It is fair."}
LOOKS: Replies = {f"moderator@{turn}/look": STANDS for turn in range(6)}
"""These replies, for a script that is written out."""


LEVEL: Replies = {
    **GAME,
    "opponent/move/1": say("why A1", "Why?"),
    "opponent/move/3": say("undercut P2", "Slow code can be made fast without a rewrite."),
    "proponent/move/4": "?",
    "opponent/move/5": "?",
    "proponent/closing": {"statement": "Yes.", "give_up": ["concede A4"]},
    "opponent/closing": {"statement": "No."},
    "moderator/rationale": {"winner": "Olaf", "rationale": "A4 decides.", "cites": ["A4"], "strongest": []},
    "moderator/findings": {
        **GAME["moderator/findings"],  # type: ignore[dict-item]
        "concessions_that_mattered": [],
        "answer": "No: leave it.",
        "follows": "Olaf",
    },
}
"""s(φ) = 0.5 + 0.2·(0.5 + 0.5) − 0.4·0.5 = 0.5, and no argument survives: the rules leave it to the moderator."""
SILENT: Replies = {
    **{f"{part}/move/{turn}": "?" for part, turn in zip(("proponent", "opponent") * 3, range(6), strict=True)},
    "proponent/closing": "?",
    "opponent/closing": "?",
}
"""Nobody makes a legal move."""


def persuade(
    folder: Path, replies: Replies | None = None, game: Replies | None = None, **settings: Any
) -> tuple[moot.Result, ScriptedModel]:
    """Run a dialogue in which the given replies take the place of the game's. Whoever is asked again repeats itself."""
    whole = {**(GAME if game is None else game), **(replies or {})}
    given = {key: list(value) if isinstance(value, list) else [value] for key, value in whole.items()}

    def script(request: moot.Request) -> Scripted:
        if left := given.get(request.key):
            return left.pop(0) if len(left) > 1 else left[0]
        if request.key in LOOKS:
            return LOOKS[request.key]  # type: ignore[return-value]
        assert request.key.endswith("/look"), f"no reply at {request.key}"
        return STANDS

    model = ScriptedModel(script)
    settings = {"rounds": 1, "seed": 1, **CAST, **settings}
    result = asyncio.run(
        moot.persuasion(TOPIC, model=model.name, models={model.name: model}, out=str(folder), **settings)
    )
    return result, model


def outcome(result: moot.Result) -> PersuasionOutcome:
    assert isinstance(result.outcome, PersuasionOutcome)
    return result.outcome
