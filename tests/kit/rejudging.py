"""Scripted judges who judge a debate again, and what they may come to."""

import asyncio
from collections.abc import Mapping
from typing import Any

import moot
from moot.protocols.rejudging.payloads import JudgedAgain
from moot.protocols.rejudging.result import JudgeVerdict, RejudgingOutcome
from moot.testing import Scripted, ScriptedModel

JUDGE = "scripted/judge"


def read(a: int, b: int, winner: str | None = None, confidence: int = 80) -> dict[str, Any]:
    """A judge's reply, by the letters it was shown."""
    reasons = {"reason_a": "A has reasons.", "reason_b": "B has\nothers."}
    return {
        **reasons,
        "score_a": a,
        "score_b": b,
        "winner": winner or ("A" if a > b else "B"),
        "confidence": confidence,
    }


def judge(given: Scripted, swapped: Scripted, name: str = JUDGE, part: str = "judge") -> ScriptedModel:
    return ScriptedModel({f"{part}@given/read": given, f"{part}@swapped/read": swapped}, name)


def again(run: moot.Run, *models: ScriptedModel, **settings: Any) -> moot.Result:
    """Judge one run again with these models, each a judge."""
    named = {model.name: model for model in models}
    given: dict[str, Any] = {"judges": list(named), "out": str(run.path.parent), "seed": 1, **settings}
    return asyncio.run(moot.rejudge([run], models=named, **given))[0]


def judged(
    seats: list[str],
    original: str | None,
    by: Mapping[str, str | None],
    scores: Mapping[str, Mapping[str, float]],
    topic: str = "t",
) -> moot.Result:
    """A result in which these judges name these winners and give these scores."""
    source = JudgedAgain(
        run="a",
        protocol="duel",
        log_sha256="",
        entries=1,
        seats=seats,
        sides={},
        last_word=None,
        winner=original,
        answer=None,
        scores=dict(scores.get("A", {})),
        judges=[],
        rule=None,
        counted=None,
    )
    verdicts = [
        JudgeVerdict(
            judge=name,
            models=[],
            winner=winner,
            scores=dict(scores.get(name, {})),
            changes={},
            confidence=None,
            unstable=None,
            upholds=None if original is None or winner is None else winner == original,
            missing=0,
            readings=[],
        )
        for name, winner in by.items()
    ]
    found = RejudgingOutcome(
        topic=topic, claim=None, source=source, winner=None, upheld=None, unstable=False, judges=verdicts, recounts=[]
    )
    return moot.Result.model_construct(outcome=found)
