"""With nothing configured, the embedded model holds a whole dialogue.

The other protocols are held with brief replies to small prompts: tests/test_small_prompts.py."""

import asyncio
from pathlib import Path

import pytest

import moot
from moot.models.weights import have_weights
from moot.protocols.persuasion.payloads import DialogueMove
from tests.kit.command import empty_place
from tests.kit.duels import assert_sound
from tests.kit.examples import tries
from tests.kit.persuasions import outcome
from tests.kit.sparing import Sparing

pytestmark = pytest.mark.embedded
KINDS = {"look", "rationale"} | ({"choose", "move"} if tries(1) > 1 else set())
"""Words with a choice, and free text; a choice and words alone. The other calls are like these."""


def test_a_dialogue_without_anything_configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not have_weights():
        pytest.skip("the weights have not been fetched")
    empty_place(tmp_path, monkeypatch)
    model = Sparing(KINDS)
    result = asyncio.run(moot.persuasion(rounds=1, seed=2, models={model.name: model}))
    assert result.status == "done", result.reason
    run = moot.find_run(result.run)
    assert_sound(run)
    made = [entry.data for entry in run.entries() if isinstance(entry.data, DialogueMove)]
    assert (made[0].id, made[0].act) == ("P1", "claim")
    assert any(move.act == "since" for move in made)
    found = outcome(result)
    assert found.verdict is not None
    assert found.verdict.rationale
    assert set(model.answered) == KINDS
    assert "demonstration_model" in [flag.code for flag in result.flags]
