"""What is begun in a thread ends before whoever began it goes on, however often that is cancelled."""

import asyncio
import errno
import gc
import threading
from pathlib import Path

import pytest

import moot
from moot.engine.staging.opened import uninterrupted
from moot.record.files import keep_whole, locked, remove_abandoned
from moot.record.lines import LineFile
from moot.testing import ScriptedModel
from tests.kit.duels import MODEL, full_script, play, small_config, staged, take_up
from tests.kit.waiting import PATIENCE, turns

pytestmark = pytest.mark.usefixtures("reports_are_read")


def test_opening_a_run_ends_before_its_second_cancellation_counts() -> None:
    goes_on, ended = threading.Event(), threading.Event()

    def opens() -> None:
        goes_on.wait(PATIENCE)
        ended.set()

    async def cancelled_twice() -> None:
        task = asyncio.create_task(uninterrupted(asyncio.to_thread(opens)))
        for _ in range(2):
            await turns(10)
            task.cancel()
        await turns(10)
        assert not task.done()
        goes_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended.is_set(), "a lock that is taken later would never be given back"

    asyncio.run(cancelled_twice())


def test_an_error_after_a_cancellation_is_raised() -> None:
    goes_on = threading.Event()

    def fails() -> None:
        goes_on.wait(PATIENCE)
        raise OSError(errno.ENOSPC, "No space left on device")

    async def cancelled() -> None:
        task = asyncio.create_task(uninterrupted(asyncio.to_thread(fails)))
        await turns()
        task.cancel()
        await turns(10)
        goes_on.set()
        with pytest.raises(OSError, match="No space left"):
            await task

    asyncio.run(cancelled())


def test_a_run_whose_config_cannot_be_written_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("moot.record.files.synced", fail)
    with pytest.raises(OSError, match=r"No space left on device: .*config\.yaml"):
        play(small_config(tmp_path / "runs"), ScriptedModel(full_script(2)))
    assert list((tmp_path / "runs").iterdir()) == []


def test_a_debate_that_is_cancelled_after_its_last_reply_has_its_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noise: list[object] = []
    on_disk = LineFile.synced

    async def cancelled() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: noise.append(context))

        async def cancel(self: LineFile) -> None:
            task.cancel()
            await turns()
            task.cancel()
            await on_disk(self)

        monkeypatch.setattr(LineFile, "synced", cancel)
        models = {MODEL: ScriptedModel(full_script(2))}
        task = asyncio.create_task(moot.run(small_config(tmp_path), models=models))
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    gc.collect()
    [run] = moot.list_runs(str(tmp_path))
    assert (run.result() or {}).get("status") == "done"
    assert noise == []


def test_resuming_removes_what_a_killed_process_was_writing(tmp_path: Path) -> None:
    run = staged(tmp_path)
    abandoned, living, foreign = (
        run.path / name for name in (f".result.json.{'0' * 16}", f".tags.json.{'a' * 16}", ".notes")
    )
    for path in (abandoned, living, foreign):
        path.write_text("{", "utf-8")
    with locked(living):  # as by another process that is writing it
        assert take_up(run, ScriptedModel({})).status == "done"
    assert not abandoned.exists()
    assert living.exists()
    assert foreign.exists()


def test_a_document_that_is_being_written_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def sweep(*_: object) -> None:
        remove_abandoned(tmp_path)

    monkeypatch.setattr("moot.record.files.synced", sweep)
    asyncio.run(keep_whole(tmp_path / "result.json", b"{}"))
    assert [one.name for one in tmp_path.iterdir()] == ["result.json"]
