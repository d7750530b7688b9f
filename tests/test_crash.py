"""A debate killed at any moment loses nothing that was paid for, and goes on as if nothing had happened."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.testing import ScriptedModel
from tests.crashing import MOMENTS, harsh_script
from tests.scripts import assert_sound, not_yet_paid, play, said, small_config, take_up

ROOT = Path(__file__).parent.parent


def crash(*arguments: object) -> None:
    command = [sys.executable, "-m", "tests.crashing", *map(str, arguments)]
    subprocess.run(command, cwd=ROOT, check=True)


def undisturbed(folder: Path, turns: int) -> moot.Run:
    result = play(small_config(folder, turns), ScriptedModel(harsh_script(turns)))
    assert result.status == "done"
    return moot.find_run(result.run)


def tail(path: Path) -> bytes:
    """What stands in a file after its last whole line."""
    return path.read_bytes().rpartition(b"\n")[2] if path.exists() else b""


def is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


def paid(run: moot.Run) -> list[moot.Record]:
    """The replies on record, one whose line only lacks its end included."""
    records = run.records()
    if is_json(tail(run.journal_path)):
        records.append(moot.Record.model_validate_json(tail(run.journal_path)))
    return records


def torn(run: moot.Run) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in run.path.glob("*.torn-*")}


@pytest.mark.parametrize("turns", [2, 4])
@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_at_every_step(tmp_path: Path, turns: int, moment: str) -> None:
    reference = undisturbed(tmp_path / "reference", turns)
    log, calls = said(reference.entries()), len(reference.records())
    crash("everywhere", tmp_path / "crashed", turns, moment)
    cut_lines = 0
    steps = sorted((tmp_path / "crashed").iterdir())
    assert len(steps) > calls + len(log)
    for step in steps:
        runs = moot.list_runs(str(step))
        if not runs:
            assert step.name == "001"  # killed before the frozen config was in its place
            continue
        run = runs[0]
        cut = {path.name: tail(path) for path in (run.log_path, run.journal_path)}
        expected = {f"{name}.torn-1": data for name, data in cut.items() if data and not is_json(data)}
        before = paid(run)
        # The script holds nothing but what is not on record yet: asking again for anything else fails the run.
        model = ScriptedModel(not_yet_paid(harsh_script(turns), before))
        result = take_up(run, model)
        assert (result.status, result.reason) == ("done", None), step
        assert len(before) + len(model.requests) + (0 if before else 1) == calls, step
        assert said(run.entries()) == log, step
        assert torn(run) == expected, step
        assert_sound(run)
        cut_lines += bool(expected)
    assert cut_lines == (calls + len(log) if moment == "middle" else 0)


@pytest.mark.parametrize(("moment", "step"), [("after", 1), ("unended", 1), ("middle", 2), ("before", 3)])
def test_killed_in_every_life(tmp_path: Path, moment: str, step: int) -> None:
    """However often it is killed, a run that gets one step further each time comes to its end."""
    reference = undisturbed(tmp_path / "reference", 2)
    crash("again", tmp_path / "crashed", 2, moment, step)
    [run] = moot.list_runs(str(tmp_path / "crashed"))
    assert said(run.entries()) == said(reference.entries())
    assert len(run.records()) == len(reference.records())
    assert_sound(run)
