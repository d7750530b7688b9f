"""Entries that cannot be written end a debate: none is lost, none stands twice, and no reply is paid twice."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

import moot
from moot.record.entry import Draft
from moot.record.events import Follower
from moot.record.log import Log
from moot.testing import ScriptedModel
from tests.kit.duels import assert_sound, full_script, not_yet_paid, small_config, stopped_after, take_up

TURNS = 2


def the_run(folder: Path) -> moot.Run:
    [path] = folder.iterdir()
    return moot.Run(path)


@pytest.mark.parametrize("fits", range(13))
def test_a_log_that_cannot_be_written_ends_the_debate_and_nothing_is_paid_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fits: int
) -> None:
    append = Log.append
    written: list[Draft] = []

    def until_the_disk_is_full(self: Log, draft: Draft) -> moot.Entry:
        if len(written) == fits:
            raise OSError(28, "No space left on device")
        written.append(draft)
        return append(self, draft)

    script = full_script(TURNS)
    model = ScriptedModel(script)
    with monkeypatch.context() as patched:
        patched.setattr(Log, "append", until_the_disk_is_full)
        with pytest.raises(OSError, match="No space left"):
            asyncio.run(moot.run(small_config(tmp_path, TURNS), models={model.name: model}))
    run = the_run(tmp_path)
    assert len(run.entries()) == fits
    assert take_up(run, ScriptedModel(not_yet_paid(script, run.records()))).status == "done"
    assert_sound(run)


@pytest.mark.parametrize("failing", range(1, 8))
@pytest.mark.parametrize("follow", [None, lambda _: None], ids=["unwatched", "followed"])
def test_a_write_that_fails_once_makes_no_second_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, follow: Follower | None, failing: int
) -> None:
    append, asked = Log.append, []

    def full_for_a_moment(self: Log, draft: Draft) -> moot.Entry:
        asked.append(draft)
        if len(asked) == failing:
            raise OSError(28, "No space left on device")
        return append(self, draft)

    script = full_script(TURNS)
    model = ScriptedModel(script)
    with monkeypatch.context() as patched:
        patched.setattr(Log, "append", full_for_a_moment)
        with suppress(OSError):
            asyncio.run(moot.run(small_config(tmp_path, TURNS), models={model.name: model}, follow=follow))
    ends_well(the_run(tmp_path))


def test_a_log_that_was_edited_is_not_written_to(tmp_path: Path) -> None:
    run = stopped_after(5, tmp_path)
    edited = run.log_path.read_bytes().replace(b"Ada plans", b"Bob plans")
    run.log_path.write_bytes(edited)
    script = full_script(TURNS)
    with pytest.raises(moot.RunDamaged, match="was altered, and nothing is asked"):
        take_up(run, ScriptedModel(not_yet_paid(script, run.records())))
    assert run.log_path.read_bytes() == edited


def ends_well(run: moot.Run) -> None:
    """It can be taken up, no reply is paid for again, and every entry stands there once."""
    if (run.result() or {}).get("status") != "done":
        assert take_up(run, ScriptedModel(not_yet_paid(full_script(TURNS), run.records()))).status == "done"
    assert_sound(run)
