"""Waiting for the disk beside the event loop, and what happens when the disk fails."""

import asyncio
import errno
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from moot.errors import RunDamaged
from moot.record.files import keep_whole
from moot.record.fsync import synced
from moot.record.lines import LineFile
from tests.kit.waiting import run, turns, until


class Disk:
    """A disk that syncs when it is let, and can fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.threads: list[threading.Thread] = []
        self.files: list[int] = []
        self.free = threading.Event()
        self.free.set()
        self.error: OSError | None = None
        monkeypatch.setattr("moot.record.lines.sync_data", self._sync)

    def _sync(self, file: int) -> None:
        self.files.append(file)
        self.threads.append(threading.current_thread())
        self.free.wait()
        if self.error is not None:
            raise self.error


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    disk = Disk(monkeypatch)
    yield disk
    disk.free.set()


@contextmanager
def many(folder: Path, count: int) -> Iterator[list[LineFile]]:
    """That many files, with a line in each."""
    with ExitStack() as opened:
        files = [opened.enter_context(closing(LineFile(folder / f"{number}"))) for number in range(count)]
        for file in files:
            file.append(b"{}")
        yield files


def is_open(path: Path, number: int) -> bool:
    """Whether this number stands for this file. Once closed, any thread may be given it for another one."""
    try:
        return os.path.samestat(os.fstat(number), path.stat())
    except OSError:
        return False


async def test_files_that_are_written_together_share_a_round(tmp_path: Path, disk: Disk) -> None:
    with many(tmp_path, 100) as files:
        for file in files:
            await file.kept()
        await until(lambda: all(file.on_disk == file.written for file in files))
    assert len(disk.files) == 100
    assert len(set(disk.threads)) <= 8 and threading.main_thread() not in disk.threads


async def test_what_is_on_disk_is_not_synced_again(tmp_path: Path, disk: Disk) -> None:
    with many(tmp_path, 1) as [file]:
        for _ in range(3):
            await file.synced()
    assert len(disk.files) == 1


async def test_a_file_is_closed_once_the_disk_has_done_with_it(tmp_path: Path, disk: Disk) -> None:
    disk.free.clear()
    file = LineFile(tmp_path / "file")
    file.append(b"{}")
    waiting = asyncio.ensure_future(file.synced())
    await until(lambda: len(disk.files) == 1)
    closing_it = threading.Thread(target=file.close)
    closing_it.start()
    await turns(3)
    assert is_open(file.path, disk.files[0])
    disk.free.set()
    await waiting
    await asyncio.to_thread(closing_it.join)
    assert not is_open(file.path, disk.files[0])
    await file.synced()
    assert len(disk.files) == 1, "a closed file is not synced"


async def test_where_no_thread_can_be_started_this_one_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def fail(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", fail)
    await asyncio.gather(synced(lambda: done.append("one")), synced(lambda: done.append("two")))
    assert done == ["one", "two"]


def failing(error: Exception) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


async def test_an_error_reaches_whoever_waits_and_nobody_else() -> None:
    both = synced(failing(OSError("the disk is gone"))), synced(lambda: None)
    failed, worked = [*await asyncio.gather(*both, return_exceptions=True)]
    assert isinstance(failed, OSError) and worked is None


async def test_what_failed_behind_our_back_is_raised_at_the_next_occasion_and_the_last(
    tmp_path: Path, disk: Disk
) -> None:
    with many(tmp_path, 1) as [file]:
        disk.error = OSError("the disk is gone")
        await file.kept()
        await until(lambda: file._fault is not None)
        disk.error = None  # the system reports it once
        for _ in range(2):
            with pytest.raises(OSError, match="the disk is gone"):
                await file.kept()
            with pytest.raises(OSError, match="the disk is gone"):
                await file.synced()
            with pytest.raises(OSError, match="the disk is gone"):
                file.sync()


def test_an_error_names_its_file(tmp_path: Path, disk: Disk) -> None:
    disk.error = OSError(errno.EIO, "Input/output error")
    with many(tmp_path, 1) as [file], pytest.raises(OSError, match=r"Input/output error: .*0"):
        file.sync()


def test_a_document_replaces_another_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "result.json"
    asyncio.run(keep_whole(path, b"first"))

    async def cancel() -> None:
        started = asyncio.Event()

        async def wait(*_: object) -> None:
            started.set()
            await asyncio.Future()

        monkeypatch.setattr("moot.record.files.synced", wait)
        writing = asyncio.create_task(keep_whole(path, b"second"))
        await started.wait()
        assert path.read_bytes() == b"first"
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing

    run(cancel())
    assert [one.name for one in tmp_path.iterdir()] == ["result.json"]
    assert path.read_bytes() == b"first"


def test_a_file_whose_folder_is_gone_is_not_left_locked(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    with closing(LineFile(tmp_path / "run" / "file")) as file:
        (tmp_path / "run").rename(tmp_path / "moved")
        (tmp_path / "run").touch()
        with pytest.raises(RunDamaged, match="deleted while it was in use"):
            file.lock()
        with closing(LineFile(tmp_path / "moved" / "file")) as other:
            other.lock()
