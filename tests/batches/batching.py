"""Batches of scripted duels for the tests: who wins is up to the test."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import moot
from moot.batches import Batch, Design, LocalExecutor, Progress, create_batch, read_batch, run_batch
from moot.limits import Limits
from moot.testing import Scripted, ScriptedModel
from tests.scripts import ADA, BO, KIM, MODEL, full_script

SIDED = [
    {**ADA, "side": "for", "position": "You argue for the premise."},
    {**BO, "side": "against", "position": "You argue against the premise."},
]
DUEL: dict[str, Any] = {
    "protocol": "duel",
    "topic": "Is it so?",
    "premise": "Tea is better than coffee.",
    "turns": 2,
    "debaters": SIDED,
    "judge": KIM,
    "model": MODEL,
}
CALLS = 14
"""Of one such duel."""
SCRIPT = full_script(6)


def write_grid(folder: Path, **settings: Any) -> Path:
    """A batch file: the duel, with these keys."""
    file = folder / "grid.yaml"
    file.write_text(json.dumps(DUEL | settings), "utf-8")
    return file


def write_lines(folder: Path, *lines: dict[str, Any]) -> Path:
    file = folder / "many.jsonl"
    file.write_text("".join(json.dumps(DUEL | line) + "\n" for line in lines), "utf-8")
    return file


def answer(request: moot.Request, winner: str = "Ada") -> Scripted:
    """A reply for every call of the duel, which that debater wins."""
    if request.key == "judge/confirm":
        return winner
    if request.key == "judge/extract":
        return {"winner": winner, "scores": {"Ada": 8 if winner == "Ada" else 3, "Bo": 8 if winner == "Bo" else 3}}
    reply = SCRIPT[request.key]
    assert not isinstance(reply, list)
    return reply


def answering(winner: Callable[[str], str] = lambda _: "Ada") -> ScriptedModel:
    """A model that answers all calls; the winner is found from all that the judge was told."""

    def reply(request: moot.Request) -> Scripted:
        return answer(request, winner("\n".join(message.content for message in request.messages)))

    return ScriptedModel(reply)


def made(file: Path, folder: Path, design: Design | None = None) -> Batch:
    return create_batch(read_batch(file, design), folder, design)


def ran(
    batch: Batch,
    model: moot.Model | None = None,
    *,
    concurrency: int = 20,
    limits: Limits | None = None,
    retry_failed: bool = False,
) -> Progress:
    executor = LocalExecutor(concurrency, {MODEL: model or answering()})
    return asyncio.run(run_batch(batch, executor, limits=limits, retry_failed=retry_failed))
