"""The embedded model gets through a panel: everybody has a vote in the end, and a reason that reads like one."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.protocols.panel.payloads import Position
from moot.protocols.panel.record import BEGINNINGS
from tests.kit.duels import assert_sound
from tests.kit.panels import outcome, plain
from tests.kit.runs import entries
from tests.kit.sparing import Sparing

pytestmark = pytest.mark.embedded


def test_a_selection(tmp_path: Path) -> None:
    idea = "Replace the nightly import with an event queue."
    model = Sparing(plain)
    how: dict[str, Any] = {"model": model.name, "out": str(tmp_path), "seed": 1, "max_revisions": 0}
    shipped = moot.configure("panel", idea=idea, **how).content()["personas"]
    # Two and the validator have every kind of call.
    result = asyncio.run(moot.panel(idea, personas=[*shipped[:2], shipped[-1]], models={model.name: model}, **how))
    found = outcome(result)
    assert result.status == "done", result.reason
    assert len(found.votes) == 3
    assert found.abstained == []
    assert None not in [vote.label for vote in found.votes]
    for entry in entries(result):
        if isinstance(entry.data, Position) and entry.call in model.answered.values():
            assert (entry.data.claim or "").startswith(BEGINNINGS)
    assert "demonstration_model" in [flag.code for flag in result.flags]
    assert {"round", "rule"} <= set(model.answered)
    assert_sound(moot.find_run(result.run))
