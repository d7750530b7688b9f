"""Tournaments of scripted models for the tests: what each judge makes of a debate is up to the test."""

import asyncio
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import moot
from moot.engine.play.limits import Limits
from moot.studies.batch import Batch, LocalExecutor, create_batch, read_batch, run_batch, write_documents
from moot.studies.batch.rows import Contestant, Row, Vote
from moot.studies.tournament import Leaderboard, Tournament
from moot.testing import Scripted, ScriptedModel
from tests.kit.filler import prose

MODELS = ["scripted/ada", "scripted/bo", "scripted/cy"]
JURY = ["scripted/kim", "scripted/lee"]
MOTIONS = [f"Motion {number} is right." for number in range(8)]
LEAGUE: dict[str, Any] = {"models": MODELS, "motions": MOTIONS, "jury": JURY, "turns": 2, "words": 50}
CALLS = 10
"""Of one such debate: two plans, four calls of turns, four readings."""
Judging = Callable[[str, str, str], str]
"""Whom a judge is for: of the judge, the model shown first and the model shown second."""


def write_league(folder: Path, **settings: Any) -> Path:
    """A batch file with this tournament; settings of the tournament go there, others are those of its debates."""
    content = LEAGUE | settings
    own = {key: content.pop(key) for key in list(content) if key in Tournament.model_fields}
    file = folder / "league.yaml"
    file.write_text(json.dumps({"tournament": own, **content}), "utf-8")
    return file


def by_name(judge: str, first: str, second: str) -> str:
    """The first by name wins always."""
    return min(first, second)


def cast(judging: Judging = by_name, models: Sequence[str] = (*MODELS, *JURY)) -> dict[str, ScriptedModel]:
    """Models that say who they are in every statement, and judges who read it there."""
    return {name: ScriptedModel(_reply(name, judging), name=name) for name in models}


def _reply(name: str, judging: Judging) -> Callable[[moot.Request], Scripted]:
    def reply(request: moot.Request) -> Scripted:
        if not request.agent.startswith("juror"):
            return f"Spoken by {name}. {prose(f'{name} {request.key}', 50)}"
        text = request.messages[-1].content
        shown = list(dict.fromkeys(re.findall(r"Spoken by (\S+)\.", text)))
        winner = "AB"[shown.index(judging(name, shown[0], shown[1]))]
        return {"reasoning": "It is so.", "scores": dict.fromkeys("AB", 5), "winner": winner, "confidence": 50}

    return reply


def hold(
    file: Path,
    folder: Path,
    judging: Judging = by_name,
    *,
    models: Mapping[str, moot.Model] | None = None,
    limits: Limits | None = None,
    retry_failed: bool = False,
) -> tuple[Batch, Leaderboard]:
    """Hold the tournament of this file, or resume it, and write its documents."""
    held = create_batch(read_batch(file), folder)
    executor = LocalExecutor(20, models or cast(judging))
    asyncio.run(run_batch(held, executor, limits=limits, retry_failed=retry_failed))
    board = write_documents(held)
    assert isinstance(board, Leaderboard)
    return held, board


def league(**settings: Any) -> Tournament:
    content = LEAGUE | settings
    return Tournament.model_validate({key: content[key] for key in content if key in Tournament.model_fields})


def row(
    file: Tournament,
    motion: str,
    for_model: str,
    against_model: str,
    votes: Mapping[str, tuple[bool | None, bool | None]],
    **changes: Any,
) -> Row:
    """The row of a debate. The votes are, for each judge, whether it is for the side for when that is shown first, and
    when it is shown second; None is a reading that is missing."""
    number = file.topics.index(motion)
    opens = number % 2 == 0
    pair = sorted((for_model, against_model), key=file.models.index)
    names = {"for": "Avery" if opens else "Blake", "against": "Blake" if opens else "Avery"}
    readings = [
        Vote(judge=f"Juror {place}", model=judge, first=names[first], winner=None if is_for is None else names[side])
        for place, (judge, given) in enumerate(votes.items(), 1)
        for first, is_for in zip(("for", "against"), given, strict=True)
        for side in ["for" if is_for else "against"]
    ]
    contestants = [
        Contestant(name=names[side], model=model, side=side, place=1 + ((side == "for") is not opens), won=None)
        for side, model in (("for", for_model), ("against", against_model))
    ]
    return Row(
        **{
            "id": f"{motion}-{for_model}-{against_model}",
            "group": f"{motion}-{'-'.join(pair)}",
            "design": {},
            "factors": {"motion": motion, "for": for_model, "against": against_model},
            "protocol": "duel",
            "topic": motion,
            "seed": 0,
            "status": "done",
            "contestants": contestants,
            "readings": readings,
            **changes,
        }
    )
