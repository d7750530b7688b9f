"""Entries are written a moment late where nobody follows: none is lost, and who cannot write them is told."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import moot
from moot.record.entry import Draft
from moot.record.events import Follower
from moot.record.log import Log
from moot.testing import ScriptedModel
from tests.kit.duels import GatedModel, assert_sound, full_script, not_yet_paid, small_config, stopped_after, take_up
from tests.kit.waiting import PATIENCE

TURNS = 2


@pytest.fixture(autouse=True)
def _a_short_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writing is put off until the loop comes round again, so that any call that waits takes longer."""
    monkeypatch.setattr("moot.record.ledger.MOMENT", 0.0)


def late() -> Callable[[], bool]:
    """The gate of a call that takes longer than writing is put off."""
    answers = iter([False])
    return lambda: next(answers, True)


def the_run(folder: Path) -> moot.Run:
    [path] = folder.iterdir()
    return moot.Run(path)


def test_what_was_said_is_in_the_log_while_the_next_reply_is_waited_for(tmp_path: Path) -> None:
    def is_written() -> bool:
        return any(entry.call == "A/turn/1" for entry in the_run(tmp_path).entries())

    model = GatedModel(ScriptedModel(full_script(TURNS)), {"B/turn/2": is_written})
    debate = moot.run(small_config(tmp_path, TURNS), models={model.name: model})
    assert asyncio.run(asyncio.wait_for(debate, PATIENCE)).status == "done"
    assert_sound(the_run(tmp_path))


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
    model = GatedModel(ScriptedModel(script), {key: late() for key in script})
    with monkeypatch.context() as patched:
        patched.setattr(Log, "append", until_the_disk_is_full)
        with pytest.raises(OSError, match="No space left"):
            asyncio.run(moot.run(small_config(tmp_path, TURNS), models={model.name: model}))
    run = the_run(tmp_path)
    assert len(run.entries()) == fits
    assert take_up(run, ScriptedModel(not_yet_paid(script, run.records()))).status == "done"
    assert_sound(run)


def test_a_debate_that_cannot_write_goes_no_further_than_its_next_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Log, draft: Draft) -> moot.Entry:
        raise OSError(28, "No space left on device")

    script = full_script(TURNS)
    model = GatedModel(ScriptedModel(script), {key: late() for key in script})
    monkeypatch.setattr(Log, "append", full)
    with pytest.raises(OSError, match="No space left"):
        asyncio.run(moot.run(small_config(tmp_path, TURNS), models={model.name: model}))
    assert {record.key for record in the_run(tmp_path).records() if record.kind == "reply"} == {"A/plan", "B/plan"}


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
    model = GatedModel(ScriptedModel(script), {key: late() for key in script})
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
        take_up(run, GatedModel(ScriptedModel(not_yet_paid(script, run.records())), {}))
    assert run.log_path.read_bytes() == edited


def ends_well(run: moot.Run) -> None:
    """It can be taken up, no reply is paid for again, and every entry stands there once."""
    if (run.result() or {}).get("status") != "done":
        assert take_up(run, ScriptedModel(not_yet_paid(full_script(TURNS), run.records()))).status == "done"
    assert_sound(run)
