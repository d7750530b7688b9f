"""A connection to an MCP server ends with all that belongs to it, however it ends."""

import asyncio
import os
import signal
import subprocess
import sys
from asyncio.subprocess import Process
from contextlib import suppress
from pathlib import Path

import pytest

from moot.evidence import mcp_connection
from moot.evidence.mcp_connection import over_streams
from tests.kit.waiting import AT_ONCE, FOREVER, forever, until, wait_until

LEAVES_A_CHILD = f"""
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", {FOREVER!r}], start_new_session=True)
open(sys.argv[1], "w").write(str(child.pid))
"""
HANGS = f"""
import os, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", {FOREVER!r}])
open(sys.argv[1], "w").write(f"{{os.getpid()}} {{child.pid}}\\n")
{FOREVER}
"""
STARTS_A_SERVER = f"""
import asyncio, sys
from moot.evidence.mcp_connection import over_streams

async def opened():
    async with over_streams([sys.executable, "-c", {HANGS!r}, sys.argv[1]], {{}}, []):
        await asyncio.Future()

asyncio.run(opened())
"""
ENDS_AT_ONCE = f"""
import os, signal, subprocess, sys
from moot.system.ending import ended_with_us

with ended_with_us([sys.executable, "-c", {FOREVER!r}], os.environ) as (words, how):
    server = subprocess.Popen(words, **how)
    open(sys.argv[1], "w").write(f"{{server.pid}}\\n")
    os.kill(os.getpid(), signal.SIGKILL)
"""


async def test_a_child_in_a_session_of_its_own_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps the standard streams of the server open."""
    monkeypatch.setattr(mcp_connection, "SECONDS_TO_STOP", AT_ONCE)
    note = tmp_path / "child"
    async with over_streams([sys.executable, "-c", LEAVES_A_CHILD, str(note)], {}, []):
        await until(lambda: note.exists() and note.read_text("utf-8") != "")
    os.kill(int(note.read_text("utf-8")), signal.SIGKILL)


async def test_an_end_that_is_cancelled_leaves_no_process_and_no_open_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    stopping: list[Process] = []

    async def wait_for(process: Process) -> None:
        stopping.append(process)
        await forever()

    async def opened() -> None:
        async with over_streams([sys.executable, "-c", FOREVER], {}, []):
            pass

    monkeypatch.setattr(mcp_connection, "_end_of", wait_for)
    task = asyncio.create_task(opened())
    await until(lambda: bool(stopping))
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    [process] = stopping
    await process.wait()  # whose code is not known if closing the pipes has noticed its end first
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)


@pytest.mark.parametrize("program", [STARTS_A_SERVER, ENDS_AT_ONCE], ids=["runs", "is just started"])
def test_a_server_that_hangs_ends_with_a_process_that_is_killed(program: str, tmp_path: Path) -> None:
    """With its child, though neither reads what tells it that nobody listens any more."""
    note = tmp_path / "pids"
    with subprocess.Popen([sys.executable, "-c", program, note]) as ours:
        wait_until(lambda: note.exists() and note.read_text("utf-8").endswith("\n"))
        ours.kill()
    wait_until(lambda: not any(map(is_alive, note.read_text("utf-8").split())))


def is_alive(process: str) -> bool:
    """Whether it runs; one that has ended and that nobody has asked about does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
