"""Scripted duels for the tests: a small cast, a reply for every call, and ways to compare runs."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import moot
from moot.engine.staging.replay import played_again
from moot.errors import Rejected
from moot.record.journal import Record
from moot.record.lines import read_lines
from moot.record.log import head_of
from moot.testing import Scripted, ScriptedModel
from tests.kit import unread
from tests.kit.waiting import until

Replies = dict[str, Scripted | list[Scripted]]

MODEL = "scripted/replies"
ADA = {"name": "Ada", "personality": "Ada is calm.", "position": "Ada is for it.", "instructions": "Ada is brief."}
BO = {"name": "Bo", "personality": "Bo is loud.", "position": "Bo is against it.", "instructions": "Bo is long."}
KIM = {"name": "Kim", "personality": "Kim is fair.", "judging_criteria": "Kim counts reasons."}
CAST: dict[str, Any] = {"debaters": [ADA, BO], "judge": KIM}


def full_script(turns: int) -> Replies:
    """A valid reply for every call of a duel between Ada and Bo under Kim, which Ada wins."""
    script: Replies = {"A/plan": "Ada plans – “für alle”.", "B/plan": "Bo plans."}
    for number in range(1, turns + 1):
        part = "A" if number % 2 else "B"
        script[f"{part}/think/{number}"] = f"Thought {number} of {part}."
        script[f"{part}/turn/{number}"] = f"Statement {number}, by {part}.\nIn two lines."
        script[f"judge/evaluate/{number}"] = f"Statement {number} weighed."
        script[f"judge/score/{number}"] = {"score": 4 + number % 5, "reasoning": f"Reason {number}."}
    script["judge/deliberate"] = "Ada is ahead on what was said."
    script["judge@verdict/confirm"] = "Ada"
    script["judge@verdict/extract"] = {"winner": "Ada", "scores": {"Ada": 8, "Bo": 6}}
    script["judge/announce"] = answer_for("Ada")
    return script


def answer_for(winner: str, answer: str = "Yes, on the reasons given.", **parts: Any) -> dict[str, Any]:
    """The judge's brief: an answer that follows the case of this debater."""
    reasons = [{"reason": "Nothing that was said against it holds.", "rests_on": ["1", "2"]}]
    return {
        "because": reasons,
        "objection": "It costs more than it seems.",
        "agreed": "Something has to be done.",
        "would_change_it": "A cheaper way.",
        "next": "Count what it costs.",
        "answer": answer,
        "follows": winner,
        **parts,
    }


def ahead(turns: int = 2) -> Replies:
    """The judge's last running score of Bo, if it is to be behind Ada's, as the verdict of the full script is."""
    return {f"judge/score/{turns}": {"score": 4, "reasoning": "Bo is behind."}}


def harsh_script(turns: int) -> Replies:
    """A full script in which the judge has to be asked again for a score and for the figures."""
    script = full_script(turns)
    for key in ("judge/score/1", "judge@verdict/extract"):
        good = script[key]
        assert isinstance(good, dict)
        script[key] = ["Let me think about it.", good]
    return script


@dataclass(slots=True)
class GatedModel:
    """A scripted model that answers at some keys only once something has come to pass."""

    inner: ScriptedModel
    gates: Mapping[str, Callable[[], bool]]
    name: str = MODEL
    small: bool = False
    context_window: int | None = None

    async def ready(self) -> None:
        pass

    async def reply(self, request: moot.Request, on_text: Callable[[str], None] | None = None) -> moot.ModelReply:
        if request.key in self.gates:
            await until(self.gates[request.key])
        return await self.inner.reply(request, on_text)


def calls_of(turns: int) -> int:
    """How many calls a duel with a judge makes when no reply has to be asked for again."""
    return 4 * turns + 6


def small_config(folder: Path | str, turns: int = 2, **settings: Any) -> moot.RunConfig:
    """A duel of that small cast, with runs below the folder; `settings` are those of `moot.configure`."""
    given: dict[str, Any] = {"model": MODEL, "seed": 7, "topic": "Is it so?", "claim": "It is so.", **CAST}
    return moot.configure("duel", turns=turns, out=str(folder), **(given | settings))


def play(config: moot.RunConfig, *models: moot.Model, **how: Any) -> moot.Result:
    """Run a new debate with these models."""
    return asyncio.run(moot.run(config, models={model.name: model for model in models}, **unread.settings(how)))


def duel(
    folder: Path | str, replies: Replies | None = None, turns: int = 2, **settings: Any
) -> tuple[moot.Result, ScriptedModel]:
    """Run a duel in which the given replies take the place of those of the full script."""
    script = full_script(turns) | (replies or {})
    if settings.get("jury") == 0:
        script = {key: reply for key, reply in script.items() if not key.startswith("judge")}
    model, reports = ScriptedModel(script), unread.settings(settings)
    return play(small_config(folder, turns, **settings), model, **reports), model


def take_up(run: moot.Run, *models: moot.Model, **changes: Any) -> moot.Result:
    """Resume a debate with these models."""
    how = {**changes, **unread.settings(changes)}
    return asyncio.run(moot.resume(run, models={model.name: model for model in models}, **how))


def staged(folder: Path | str, turns: int = 2, **settings: Any) -> moot.Run:
    """A whole undisturbed duel, as a run on disk."""
    reports = unread.settings(settings)
    result = play(small_config(folder, turns, **settings), ScriptedModel(full_script(turns)), **reports)
    assert result.status == "done", result.reason
    return moot.find_run(result.run)


def not_yet_paid(script: Replies, records: Iterable[Record]) -> Replies:
    """A script in which the journalled replies are gone: with it, none can be asked for again."""
    paid = Counter(record.key for record in records if record.kind == "reply")
    left: dict[str, Scripted | list[Scripted]] = {}
    for key, reply in script.items():
        replies: list[Scripted] = list(reply) if isinstance(reply, list) else [reply]
        if paid[key] < len(replies):
            left[key] = [Rejected("paid for already")] * paid[key] + replies[paid[key] :]
    return left


def replied(run: moot.Run) -> list[str]:
    """The calls whose replies are on record, by their keys."""
    return [record.key for record in run.records() if record.kind == "reply"]


def said(entries: Iterable[moot.Entry]) -> list[dict[str, Any]]:
    """All that entries say, but for when they were written and the chain that depends on it."""
    return [entry.model_dump(exclude={"timestamp", "prev"}) for entry in entries]


def assert_sound(run: moot.Run) -> None:
    """Nothing was altered, and the journal bears the log out."""
    with _played_once():
        assert moot.verify(run).faults == []
        assert asyncio.run(moot.replay(run)).differences == []


@contextlib.contextmanager
def _played_once() -> Iterator[None]:
    """Both play the journal again to compare its entries with the log; one time does for both."""
    plays: list[Any] = []

    async def once(*given: Any) -> Any:
        if not plays:
            plays.append(await played_again(*given))
        return plays[0]

    with patch("moot.runs.derived.played_again", once), patch("moot.engine.staging.replay.played_again", once):
        yield


def stopped_after(number: int, out: Path | str) -> moot.Run:
    """The run of a duel that was stopped from outside once so many calls had been answered."""

    async def interrupted() -> None:
        asked: list[str] = []

        def script(request: moot.Request) -> Scripted:
            asked.append(request.key)
            if len(asked) > number:
                task.cancel()
            reply = full_script(2)[request.key]
            assert not isinstance(reply, list)
            return reply

        model = ScriptedModel(script)
        task = asyncio.create_task(moot.run(small_config(out), models={model.name: model}))
        with contextlib.suppress(asyncio.CancelledError):
            await task
        assert task.cancelled()

    asyncio.run(interrupted())
    [run] = moot.list_runs(str(out))
    return run


def log_hash(path: Path) -> str:
    """The hash of the last line, which through the chain is the hash of the whole log."""
    return head_of(read_lines(path))
