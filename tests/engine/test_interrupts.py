"""What is begun in a thread ends before whoever began it goes on, however often that is cancelled."""

import asyncio
import errno
import gc
from pathlib import Path

import pytest

import moot
from moot.record.files import keep_whole, locked, remove_abandoned
from moot.record.lines import LineFile
from moot.testing import ScriptedModel
from tests.kit.duels import MODEL, full_script, play, small_config, staged, take_up
from tests.kit.waiting import turns

pytestmark = pytest.mark.usefixtures("reports_are_read")


def test_a_run_whose_config_cannot_be_written_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("moot.record.files.synced", fail)
    with pytest.raises(OSError, match=r"No space left on device: .*config\.yaml"):
        play(small_config(tmp_path / "runs"), ScriptedModel(full_script(2)))
    assert list((tmp_path / "runs").iterdir()) == []


async def test_a_debate_that_is_cancelled_after_its_last_reply_has_its_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noise: list[object] = []
    on_disk = LineFile.synced
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
