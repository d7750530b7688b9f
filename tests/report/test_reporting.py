"""Reporting on a run never makes it look better than it is."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.errors import RunBusy, RunDamaged
from moot.testing import ScriptedModel
from tests.kit.duels import full_script, harsh_script, play, small_config, staged


def forge_the_winner(run: moot.Run) -> None:
    """Change the last line of the log, which breaks no link of the chain."""
    lines = run.log_path.read_bytes().splitlines()
    lines[-1] = lines[-1].replace(b'"winner":"Ada"', b'"winner":"Bo"')
    run.log_path.write_bytes(b"\n".join(lines) + b"\n")


@pytest.mark.parametrize("form", ["md", "html", "json"])
def test_a_forged_log_is_not_exported(tmp_path: Path, form: str) -> None:
    run = staged(tmp_path)
    forge_the_winner(run)
    with pytest.raises(RunDamaged, match="not what its journal makes"):
        asyncio.run(moot.export(run, form))
    assert moot.verify(run).faults, "and exporting has not mended what shows it"


def test_a_forged_log_gets_no_new_receipt(tmp_path: Path) -> None:
    run = staged(tmp_path)
    forge_the_winner(run)
    before = run.result_path.read_bytes()
    with pytest.raises(RunDamaged):
        asyncio.run(moot.rebuild(run))
    assert run.result_path.read_bytes() == before


def test_exporting_writes_nothing(tmp_path: Path) -> None:
    run = staged(tmp_path)
    run.result_path.unlink()
    asyncio.run(moot.export(run, "md"))
    assert not run.result_path.exists()


def test_the_result_comes_back_as_it_was(tmp_path: Path) -> None:
    for number, result in enumerate(
        [
            play(small_config(tmp_path / "done"), ScriptedModel(harsh_script(2))),
            play(small_config(tmp_path / "limit", max_calls=5), ScriptedModel(full_script(2))),
            play(small_config(tmp_path / "failed"), ScriptedModel({**full_script(2), "judge/extra": "unused"})),
        ]
    ):
        assert result.status == ("done", "limit", "failed")[number]
        assert asyncio.run(moot.rebuild(moot.find_run(result.run))) == result


def test_without_the_old_result_it_is_derived(tmp_path: Path) -> None:
    result = play(small_config(tmp_path, max_calls=5), ScriptedModel(full_script(2)))
    run = moot.find_run(result.run)
    run.result_path.unlink()
    again = asyncio.run(moot.rebuild(run))
    assert again.status == "interrupted"
    assert again.outcome == result.outcome
    assert "stopped before" in (again.reason or "")


def test_a_run_that_is_going_on_is_not_reported_on(tmp_path: Path) -> None:
    run = staged(tmp_path)
    with run.hold(), pytest.raises(RunBusy):
        asyncio.run(moot.rebuild(run))


@pytest.mark.parametrize(("key", "value"), [("status", "limit"), ("longest_chain", 3)])
def test_replay_finds_a_result_that_tells_another_story(tmp_path: Path, key: str, value: object) -> None:
    run = staged(tmp_path)
    document = json.loads(run.result_path.read_text("utf-8"))
    run.result_path.write_text(json.dumps(document | {key: value}), "utf-8")
    assert asyncio.run(moot.replay(run)).differences


def test_the_time_taken_is_the_time_of_the_calls(tmp_path: Path) -> None:
    result = play(small_config(tmp_path), ScriptedModel(full_script(2)))
    run = moot.find_run(result.run)
    lines = [json.loads(line) for line in run.journal_path.read_text("utf-8").splitlines()]
    for line in lines:
        line["seconds"] = 0.0
    replies = [line for line in lines if line["kind"] == "reply"]
    # Two calls side by side, and one the next day.
    for line, start, seconds in zip(
        replies, ("01T00:00:00", "01T00:00:01", "02T00:00:00"), (3.0, 4.0, 2.0), strict=False
    ):
        line["started"], line["seconds"] = f"2026-01-{start}.000Z", seconds
    run.journal_path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    run.result_path.unlink()
    assert asyncio.run(moot.rebuild(run)).seconds == 7.0


def test_a_config_that_could_not_be_read_back_is_refused_before_anything_is_spent(tmp_path: Path) -> None:
    model = ScriptedModel(full_script(2))
    long = "word " * 3900
    pool = [{"name": f"P{i}", "personality": long, "position": long, "instructions": long} for i in range(20)]
    settings: dict[str, Any] = {"debaters": None, "for": pool[:10], "against": pool[10:]}
    config = moot.configure("duel", topic="T", model=model.name, out=str(tmp_path), **settings)
    with pytest.raises(moot.ConfigError, match="larger than"):
        play(config, model)
    assert model.requests == []
