"""An agent whose model fails is told of once in the result: by the call that failed, whatever the words are."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.errors import RateLimited, Rejected
from moot.testing import ScriptedModel
from tests.kit import clock
from tests.kit.arenas import arena
from tests.kit.duels import assert_sound
from tests.kit.examples import tries
from tests.kit.panels import IDEA, PANELLISTS, opinion, panel, plain
from tests.kit.waiting import PATIENCE, forever

Staged = Callable[[Path, dict[str, Any]], tuple[moot.Result, ScriptedModel]]


def staged_arena(folder: Path, replies: dict[str, Any]) -> tuple[moot.Result, ScriptedModel]:
    return arena(folder, replies, trickster=True, observer=True)


def staged_panel(folder: Path, replies: dict[str, Any]) -> tuple[moot.Result, ScriptedModel]:
    return panel(folder, replies)


def staged_changes(folder: Path, replies: dict[str, Any]) -> tuple[moot.Result, ScriptedModel]:
    proposed = {f"{who}/round/{n}": opinion(None, modifications=[f"Ask {who}."]) for who in PANELLISTS for n in (1, 2)}
    return panel(folder, proposed | replies, kind="improvement")


@pytest.mark.parametrize("staged", [staged_arena, staged_panel, staged_changes])
def test_at_every_call(tmp_path: Path, staged: Staged) -> None:
    _, whole = staged(tmp_path / "whole", {})
    # Of those who are asked the same, the last: the others are no different, and hardly are those of other rounds.
    rounds = re.compile(r"\d+" if tries(1) == 1 else "$")
    steps = {rounds.sub("", request.key.partition("/")[2]): request.key for request in whole.requests}
    for number, key in enumerate(steps.values()):
        result, _ = staged(tmp_path / str(number), {key: Rejected("down")})
        # Without its required validator a panel decides nothing: it stops, and can be taken up.
        assert result.status == ("failed" if key == "validator/rule/2" else "done"), key
        [told] = [one for one in result.failures if one.call == key]
        assert told.reason.endswith("down")
        assert told.key.startswith("seq "), "the entry tells of it"
        assert_sound(moot.find_run(result.run))


def test_what_is_no_cause_of_being_late_is_told_beside_it(tmp_path: Path) -> None:

    async def hesitating(folder: Path) -> moot.Result:
        model, asked = ScriptedModel(plain), []

        class Late:
            name, small, context_window = "scripted/late", False, None

            async def ready(self) -> None:
                pass

            async def reply(self, request: moot.Request, on_text: object = None) -> moot.ModelReply:
                asked.append(request.key)
                if asked.count(request.key) == 1:
                    raise RateLimited("too many")
                clock.put_forward(PATIENCE)
                await forever()
                raise AssertionError

        models: dict[str, moot.Model] = {model.name: model, Late.name: Late()}
        settings: dict[str, Any] = {"model": model.name, "roles": {"critic": Late.name}, "timeout_per_round": PATIENCE}
        return await moot.panel(IDEA, models=models, out=str(folder), reports=False, **settings)

    result = clock.run(hesitating(tmp_path))
    told = [(one.key, one.reason) for one in result.failures if one.call == "critic/round/1"]
    assert told[0] == ("critic/round/1", "scripted/late: RateLimited: too many")
    assert told[1][1] == f"no usable reply within {PATIENCE:g} seconds"
    assert len(told) == 2
    assert_sound(moot.find_run(result.run))
