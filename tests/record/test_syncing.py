"""Waiting for the disk through another process, and what happens when that one cannot."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from moot.record import fsync
from moot.record.lines import LineFile
from tests.kit.waiting import wait_until

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
    path = tmp_path / "file with spaces – “quoted”"
    path.write_text("text", "utf-8")
    for _ in range(3):
        assert sync(path, 500) == []


@pytest.mark.parametrize("name", ["missing", "two\nlines"])
def test_what_it_cannot_do_is_done_here(tmp_path: Path, name: str) -> None:
    assert sync(tmp_path / name, 3) == ["here"] * 3


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
        file = LineFile(tmp_path / "two\nlines")  # of which the other process cannot be told
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


def is_running(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text("utf-8")
    except FileNotFoundError:
        return False
