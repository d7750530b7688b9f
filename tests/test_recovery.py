"""Every protocol: stopped at any call it continues without paying twice, its forks share what comes before, and what
others append changes nothing."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.define.registry import get_protocol
from moot.engine.define.shipped import OFFERED
from moot.testing import ScriptedModel
from tests.kit.duels import assert_sound, replied, said, take_up
from tests.kit.examples import tries
from tests.kit.filler import filler_model, reply

CLAIMED = ("persuasion", "oxford", "socratic")
"""Those that need a claim for what the filler makes of the question."""
STOPS = tries(3)


def told(entries: list[moot.Entry]) -> list[dict[str, Any]]:
    """All that entries say, but for when they were written and when their sources were looked at."""
    return [one | {"sources": [source["url"] for source in one["sources"]]} for one in said(entries)]


def config_of(name: str, folder: Path) -> moot.RunConfig:
    subject: dict[str, Any] = {get_protocol(name).subject.key: "Should the old bridge be kept?"}
    claim: dict[str, Any] = {"claim": "The old bridge should be kept."} if name in CLAIMED else {}
    return moot.configure(name, **subject, **claim, model="scripted/filler", seed=1, out=str(folder))


def undisturbed(name: str, folder: Path) -> tuple[moot.Result, int]:
    """A debate, and the number of its calls."""
    model = filler_model()
    result = asyncio.run(moot.run(config_of(name, folder), models={model.name: model}, reports=False))
    assert result.status == "done", result.reason
    return result, len(model.requests)


def stopped_at(name: str, number: int, folder: Path) -> moot.Run:
    """A debate that is stopped from outside as it makes that call."""
    asked: list[str] = []

    async def interrupted() -> None:
        def script(request: moot.Request) -> Any:
            asked.append(request.key)
            if len(asked) == number:
                task.cancel()
            return reply(request)

        model = ScriptedModel(script, name="scripted/filler")
        task = asyncio.create_task(moot.run(config_of(name, folder), models={model.name: model}, reports=False))
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(interrupted())
    [run] = moot.list_runs(str(folder))
    return run


@pytest.mark.parametrize("name", OFFERED)
def test_stopped_at_any_call_it_goes_on_and_pays_nothing_twice(name: str, tmp_path: Path) -> None:
    whole, calls = undisturbed(name, tmp_path / "whole")
    for number in sorted({1 + (calls - 1) * one // max(STOPS - 1, 1) for one in range(STOPS)}):
        run = stopped_at(name, number, tmp_path / str(number))
        document, paid = run.result(), replied(run)
        assert document is not None and document["status"] == "interrupted"
        model = filler_model()
        result = take_up(run, model, reports=False)
        assert set(paid).isdisjoint(request.key for request in model.requests if request.attempt == 1)
        assert (result.status, result.summary) == ("done", whole.summary)
        assert told(run.entries()) == told(whole.stored.entries())
        assert_sound(run)


@pytest.mark.parametrize("name", OFFERED)
def test_a_fork_shares_what_comes_before(name: str, tmp_path: Path) -> None:
    whole, calls = undisturbed(name, tmp_path / "whole")
    entries = whole.stored.entries()
    at = len(entries) // 2
    twin = moot.fork(whole.stored, at, out=str(tmp_path / "fork"))
    model = filler_model()
    assert take_up(twin, model, reports=False).status == "done"
    assert len(model.requests) < calls
    assert told(twin.entries())[1 : at + 1] == told(entries)[1 : at + 1]
    assert_sound(twin)


@pytest.mark.parametrize("name", OFFERED)
def test_an_entry_from_outside_changes_nothing(name: str, tmp_path: Path) -> None:
    result, _ = undisturbed(name, tmp_path)
    last = result.stored.entries()[-1]
    moot.append_outside(result.stored, phase=last.phase, speaker="Zoe", type="note", content="Decide otherwise.")
    again = asyncio.run(moot.rebuild(result.stored))
    assert (again.summary, again.outcome) == (result.summary, result.outcome)
    assert moot.verify(result.stored).faults == []
