"""Whatever ended a debate is the expected end of its replay: no honest run is accused."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.errors import ContextOverflow, EmptyReply, Refused, Rejected, ServerFault
from moot.models import calling
from moot.models.scripted import read_demo
from moot.testing import Scripted, ScriptedModel
from tests.kit.filler import filler_model

PROTOCOLS = ("duel", "chaired", "panel", "persuasion", "arena", "council", "socratic")
ENDS: dict[str, Scripted | None] = {
    "refused": Refused("It declines."),
    "declined": "I can't help with that.",
    "empty": EmptyReply("It says nothing."),
    "gone": Rejected("There is no such model."),
    "outage": ServerFault("It is down.").costing(False),
    "too long": ContextOverflow("It is too long."),
    "no object": "?",
    "a limit": None,
    "interrupted": None,
}


async def ended(folder: Path, protocol: str, end: str, at: int) -> moot.Run:
    """A debate that ends so at its call of this number, or goes on without that reply."""
    calls, fault, filler = 0, ENDS[end], filler_model()
    stopped = asyncio.Event()

    def script(request: moot.Request) -> Scripted:
        nonlocal calls
        calls += 1
        if calls == at and end == "interrupted":
            stopped.set()
        assert callable(filler.script)
        return fault if fault is not None and calls >= at else filler.script(request)

    model = ScriptedModel(script)
    settings: dict[str, Any] = {**read_demo(protocol).settings, "model": model.name, "out": str(folder), "seed": 1}
    settings |= {"max_calls": at} if end == "a limit" else {}
    debate = asyncio.create_task(
        moot.run(moot.configure(**settings | {"protocol": protocol}), models={model.name: model})
    )
    if end == "interrupted":
        await stopped.wait()
        debate.cancel()
    await asyncio.gather(debate, return_exceptions=True)
    [run] = moot.list_runs(str(folder))
    return run


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_no_honest_run_is_accused(protocol: str, end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calling, "BASE_DELAY", 0.0)
    for at in (2, 7):
        run = asyncio.run(ended(tmp_path / str(at), protocol, end, at))
        assert moot.verify(run).faults == [], (run.result() or {}).get("reason")
        assert asyncio.run(moot.replay(run)).differences == []
