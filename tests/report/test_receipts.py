"""The receipt of an arena: who it says spoke."""

import asyncio
import json
from pathlib import Path
from typing import Any

import moot
from moot.errors import Rejected
from moot.report.receipts import FILE
from moot.testing import Scripted, ScriptedModel
from tests.kit.arenas import CAST, TASK, plain_reply


def models_in(run: moot.Run) -> dict[str, list[str]]:
    receipt = json.loads((run.path / FILE).read_bytes())
    return {one["name"]: one["models"] for one in receipt["agents"]}


def test_models_are_those_that_spoke_in_place_of_one_that_failed(tmp_path: Path) -> None:
    def failing(request: moot.Request) -> Scripted:
        return Rejected("gone") if request.agent.startswith("judge") else plain_reply(request)

    first = ScriptedModel(failing, name="scripted/first")
    second = ScriptedModel(plain_reply, name="scripted/second")
    settings: dict[str, Any] = {**CAST, "seed": 1, "model": [first.name, second.name], "out": str(tmp_path)}
    result = asyncio.run(moot.arena(TASK, models={one.name: one for one in (first, second)}, **settings))
    models = models_in(moot.find_run(result.run))
    assert models["Ada"] == [first.name], "the second was never needed"
    assert models["Kim"] == [second.name]
