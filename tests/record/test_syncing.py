"""Waiting for the disk through another process, and what happens when that one cannot."""

import asyncio
import errno
import gc
import os
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from moot.errors import RunDamaged
from moot.record import fsync
from moot.record.files import keep_whole
from moot.record.lines import LineFile
from tests.kit.waiting import until, wait_until

ALONE = """
import asyncio, os, sys
from moot.record import fsync
here = []
async def main():
    path = os.fsencode(sys.argv[1])
    await fsync.synced(path, lambda: here.append("before"))
    children = open(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read().split()
    assert len(children) == 1, children
    os.kill(int(children[0]), 9)
    await asyncio.gather(*(fsync.synced(path, lambda: here.append("after")) for _ in range(20)))
asyncio.run(main())
print(here == ["after"] * 20, flush=True)
"""


def sync(path: Path, times: int = 1) -> list[str]:
    """How often this process had to do it itself."""
    here: list[str] = []

    async def all_at_once() -> None:
        await asyncio.gather(*(fsync.synced(os.fsencode(path), lambda: here.append("here")) for _ in range(times)))

    asyncio.run(all_at_once())
    return here


def test_the_other_process_does_it_for_loop_after_loop(tmp_path: Path) -> None:
    path = tmp_path / "file with spaces – “quoted”\nand two lines"
    path.write_text("text", "utf-8")
    for _ in range(3):
        assert sync(path, 500) == []


def test_what_it_cannot_do_is_done_here(tmp_path: Path) -> None:
    assert sync(tmp_path / "missing", 3) == ["here"] * 3


def test_what_goes_wrong_here_is_raised(tmp_path: Path) -> None:
    def fail() -> None:
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        asyncio.run(fsync.synced(os.fsencode(tmp_path / "missing"), fail))


def test_what_failed_behind_our_back_is_raised_at_the_next_occasion_and_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_once(_: int) -> None:
        monkeypatch.undo()
        raise OSError("the disk is gone")

    async def append() -> None:
        file = LineFile(tmp_path / "file")
        file.path.unlink()  # so that the other process cannot open it
        monkeypatch.setattr("moot.record.lines.sync_data", fail_once)
        file.append(b"{}")
        await file.kept()
        with pytest.raises(OSError, match="the disk is gone"):
            while True:
                await asyncio.sleep(0.01)
                await file.kept()
        for _ in range(2):
            with pytest.raises(OSError, match="the disk is gone"):
                await file.kept()
            with pytest.raises(OSError, match="the disk is gone"):
                await file.synced()
            with pytest.raises(OSError, match="the disk is gone"):
                file.sync()
        file.close()

    asyncio.run(append())


def requests_of(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of files in each request to the other process, as they are made."""
    counts: list[int] = []
    ask = fsync._Keeper.ask

    def counted(self: fsync._Keeper, paths: Sequence[bytes], answer: fsync.Answer) -> bool:
        counts.append(len(paths))
        return ask(self, paths, answer)

    monkeypatch.setattr(fsync._Keeper, "ask", counted)
    return counts


async def on_disk(files: Sequence[LineFile]) -> None:
    await until(lambda: all(file.on_disk == file.written for file in files))


@contextmanager
def many(folder: Path, count: int) -> Iterator[list[LineFile]]:
    with ExitStack() as opened:
        yield [opened.enter_context(closing(LineFile(folder / f"{number}"))) for number in range(count)]


def test_files_that_are_written_together_share_a_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    requests = requests_of(monkeypatch)

    async def append() -> None:
        with many(tmp_path, 300) as files:
            for file in files:
                file.append(b"{}")
                await file.kept()
            await on_disk(files)

    asyncio.run(append())
    assert requests == [256, 44]


def test_a_line_that_comes_during_a_round_is_in_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask, held = fsync._Keeper.ask, []

    def hold(_: fsync._Keeper, paths: Sequence[bytes], answer: fsync.Answer) -> bool:
        held.append((paths, answer))
        return True

    async def append() -> None:
        with many(tmp_path, 2) as (first, second):
            monkeypatch.setattr(fsync._Keeper, "ask", hold)
            for file in (first, second):
                file.append(b"{}")
                await file.kept()
            await until(lambda: bool(held))
            first.append(b"{}")
            await first.kept()
            monkeypatch.setattr(fsync._Keeper, "ask", ask)
            [(_, answer)] = held
            answer([True, True])
            assert (first.on_disk, second.on_disk) == (3, 3)
            await on_disk([first])

    asyncio.run(append())


def test_a_file_that_cannot_be_synced_there_is_synced_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here: list[int] = []
    monkeypatch.setattr("moot.record.lines.sync_data", here.append)

    async def append() -> None:
        with many(tmp_path, 3) as files:
            files[1].path.unlink()
            for file in files:
                file.append(b"{}")
                await file.kept()
            await on_disk(files)
            assert here == [files[1]._fd]

    asyncio.run(append())


def test_a_closed_file_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    requests = requests_of(monkeypatch)

    async def append() -> None:
        with many(tmp_path, 2) as files:
            closed = LineFile(tmp_path / "closed")
            for file in (closed, *files):
                file.append(b"{}")
                await file.kept()
            closed.close()
            await on_disk(files)

    asyncio.run(append())
    assert requests == [2]


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

    asyncio.run(cancel())
    assert [one.name for one in tmp_path.iterdir()] == ["result.json"]
    assert path.read_bytes() == b"first"


@pytest.mark.skipif(sys.platform != "linux", reason="finds the other process in /proc")
def test_when_it_is_killed_this_process_goes_on_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    ended = subprocess.run([sys.executable, "-c", ALONE, path], check=False, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "True\n", "")


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_it_ends_when_this_process_is_killed(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    program = (
        ALONE.split("    os.kill", maxsplit=1)[0]
        + "    print(children[0], flush=True)\n    import time; time.sleep(3600)\nasyncio.run(main())"
    )
    process = subprocess.Popen([sys.executable, "-c", program, tmp_path / "file"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    keeper = int(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    wait_until(lambda: not is_running(keeper))


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> fsync._Keeper:
    """A keeper of this test's own, whose child has not been started."""
    keeper = fsync._Keeper()
    monkeypatch.setattr(fsync, "_keepers", {os.getpid(): keeper})
    return keeper


def started(keeper: fsync._Keeper, path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """The process id of its child, after that has answered once."""
    children: list[fsync._Child] = []
    start = fsync._start

    def noted() -> fsync._Child:
        children.append(start())
        return children[0]

    monkeypatch.setattr(fsync, "_start", noted)
    path.touch()
    assert sync(path) == []
    return children[0].pid


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.skipif(sys.platform != "linux", reason="stops the other process")
def test_a_stopped_process_does_not_stop_the_loop_nor_a_debate_for_ever(
    tmp_path: Path, alone: fsync._Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path.joinpath(*["long" * 50] * 4)
    folder.mkdir(parents=True)
    child = started(alone, tmp_path / "file", monkeypatch)
    os.kill(child, signal.SIGSTOP)

    async def append() -> None:
        with many(folder, 256) as files:
            for file in files:
                file.append(b"{}")
                await file.kept()
            await until(lambda: alone._is_sending)  # the pipe is full, and this loop goes on
            monkeypatch.setattr(fsync, "_PATIENCE", 0.01)
            await files[0].synced()
            await on_disk(files)

    try:
        asyncio.run(append())
        assert sync(tmp_path / "file") == ["here"]
    finally:
        os.kill(child, signal.SIGCONT)
    wait_until(lambda: not Path(f"/proc/{child}").exists())


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_killed_process_leaves_nothing_behind(
    tmp_path: Path, alone: fsync._Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = open_files()
    child = started(alone, tmp_path / "file", monkeypatch)
    os.kill(child, signal.SIGKILL)
    wait_until(lambda: not Path(f"/proc/{child}").exists())
    wait_until(lambda: open_files() == before)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("failing", ["os.open", "os.posix_spawn", "threading.Thread.start"])
def test_what_cannot_be_started_is_tried_once_and_leaves_nothing_open(
    tmp_path: Path, alone: fsync._Keeper, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    tried: list[object] = []

    def fail(*args: object, **_: object) -> None:
        tried.append(args)
        raise RuntimeError("no thread") if "Thread" in failing else OSError("too many")

    async def ask() -> bool:
        return alone.ask([os.fsencode(tmp_path)], lambda _: None)

    before = open_files()
    with monkeypatch.context() as patched:
        patched.setattr(failing, fail)
        assert [asyncio.run(ask()) for _ in range(3)] == [False] * 3
    assert (len(tried), open_files()) == (1, before)


def test_loops_that_start_together_share_one_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    starts: list[fsync._Child] = []
    start, together = fsync._start, threading.Barrier(8)

    def noted() -> fsync._Child:
        starts.append(start())
        return starts[-1]

    monkeypatch.setattr(fsync, "_start", noted)
    monkeypatch.setattr(fsync, "_keepers", {})
    path = tmp_path / "file"
    path.touch()

    def ask() -> None:
        together.wait()
        sync(path)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(starts) == 1


def test_a_loop_in_which_this_process_synced_is_not_kept(tmp_path: Path) -> None:
    loops: list[weakref.ref[asyncio.AbstractEventLoop]] = []

    async def append() -> None:
        loops.append(weakref.ref(asyncio.get_running_loop()))
        with many(tmp_path, 1) as files:
            files[0].path.unlink()
            files[0].append(b"{}")
            await files[0].kept()
            await on_disk(files)

    asyncio.run(append())
    gc.collect()
    assert [loop() for loop in loops] == [None]


@pytest.mark.parametrize("round_fails", [True, False])
def test_an_error_that_one_request_saw_is_not_hidden_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, round_fails: bool
) -> None:
    asked: list[fsync.Answer] = []

    def hold(_: fsync._Keeper, __: Sequence[bytes], answer: fsync.Answer) -> bool:
        asked.append(answer)
        return True

    def fail(_: int) -> None:
        raise OSError("the disk is gone")

    async def append() -> None:
        file = LineFile(tmp_path / "file")
        monkeypatch.setattr(fsync._Keeper, "ask", hold)
        monkeypatch.setattr("moot.record.lines.sync_data", fail)
        file.append(b"{}")
        await file.kept()
        await until(lambda: len(asked) == 1)
        waiting = asyncio.create_task(file.synced())
        await until(lambda: len(asked) == 2)
        # The system reports an error once, and to those who open the file later no more.
        for answer, fails in zip(asked, (round_fails, not round_fails), strict=True):
            answer([not fails])
        with pytest.raises(OSError, match="the disk is gone"):
            await waiting
        with pytest.raises(OSError, match="the disk is gone"):
            file.sync()
        file.close()

    asyncio.run(append())


def test_an_error_names_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("moot.record.lines.sync_data", fail)
    with closing(LineFile(tmp_path / "file")) as file:
        file.append(b"{}")
        with pytest.raises(OSError, match=r"Input/output error: .*file"):
            file.sync()


def test_a_file_whose_folder_is_gone_is_not_left_locked(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    with closing(LineFile(tmp_path / "run" / "file")) as file:
        (tmp_path / "run").rename(tmp_path / "moved")
        (tmp_path / "run").touch()
        with pytest.raises(RunDamaged, match="deleted while it was in use"):
            file.lock()
        with closing(LineFile(tmp_path / "moved" / "file")) as other:
            other.lock()


def is_running(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text("utf-8")
    except FileNotFoundError:
        return False
