"""Batches of scripted duels for the tests: who wins is up to the test."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import moot
from moot.engine.play.limits import Limits
from moot.studies.batch import Batch, Design, LocalExecutor, Progress, create_batch, read_batch, run_batch
from moot.testing import Scripted, ScriptedModel
from tests.kit.duels import ADA, BO, KIM, MODEL, answer_for, full_script
from tests.kit.waiting import turns

SIDED = [
    {**ADA, "side": "for", "position": "You argue for the claim."},
    {**BO, "side": "against", "position": "You argue against the claim."},
]
DUEL: dict[str, Any] = {
    "protocol": "duel",
    "topic": "Is it so?",
    "claim": "Tea is better than coffee.",
    "turns": 2,
    "debaters": SIDED,
    "judge": KIM,
    "model": MODEL,
}
CALLS = 14
"""Of one such duel."""
SCRIPT = full_script(6)
TOPICS = {"topic": [f"Case {number}?" for number in range(6)]}
PRICES = {MODEL: {"input": 2.0, "output": 8.0}}


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
    if request.key == "judge@verdict/confirm":
        return winner
    if request.key == "judge@verdict/extract":
        return {"winner": winner, "scores": {"Ada": 8 if winner == "Ada" else 3, "Bo": 8 if winner == "Bo" else 3}}
    if request.key == "judge/announce":
        return answer_for(winner, f"{'Yes' if winner == 'Ada' else 'No'}, on the reasons given.")
    if request.key.endswith("@frame/frame"):
        return {"kind": "yes_no"}
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


def replies(run: moot.Run) -> list[str]:
    return [f"{record.key}#{record.attempt}" for record in run.records() if record.kind == "reply"]


def runs_of(batch: Batch) -> list[moot.Run]:
    return [run for item in batch.items() if (run := batch.run_of(item)) is not None]


def total_calls(batch: Batch) -> int:
    return sum(len(replies(run)) for run in runs_of(batch))


@dataclass(slots=True)
class Charging:
    """A scripted model that says what it took, or does not; and whose scores are no scores now and then."""

    known: bool = True
    bad_every: int = 0
    asked: int = 0
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    name: str = MODEL
    small: bool = False
    context_window: int | None = None

    async def ready(self) -> None:
        pass

    async def reply(self, request: moot.Request, on_text: Callable[[str], None] | None = None) -> moot.ModelReply:
        await turns()
        self.asked += 1
        said = answer(request)
        bad = request.schema is not None and self.bad_every and self.asked % self.bad_every == 0
        text = "No idea." if bad else said if isinstance(said, str) else json.dumps(said)
        read, written = sum(len(one.content) for one in request.messages) // 4, len(text) // 4 + 1
        dollars = (read * 2 + written * 8) / 1_000_000
        self.calls, self.tokens, self.cost = self.calls + 1, self.tokens + read + written, self.cost + dollars
        usage = moot.Usage(input=read, cached=0, output=written, cost=dollars) if self.known else moot.Usage()
        return moot.ModelReply(text, usage=usage)
