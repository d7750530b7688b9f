"""Locks and limits, and a duel where a system has none of what moot would use."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import moot
from moot.system import lock, read_at, sync_folder, unlock
from tests.kit import command
from tests.kit.command import Said, write_debate
from tests.kit.waiting import PATIENCE

SOURCE = Path(moot.__file__).parent
MODULES = ("fcntl", "msvcrt", "resource", "signal", "termios", "pwd", "grp")
LACKING = """
import os, signal, sys
for name in ("fcntl", "resource", "termios", "pwd", "grp"):
    sys.modules[name] = None
for name in ("pread", "pwrite", "fdatasync", "killpg", "sched_getaffinity", "O_CLOEXEC"):
    delattr(os, name)
os.process_cpu_count = os.cpu_count  # of Python 3.13: counts by what is gone above, where a system has it
for name in ("SIGHUP", "SIGKILL", "SIGUSR1", "SIGQUIT"):
    delattr(signal, name)
import json
from moot.cli import main
ended = []
for command in json.loads(sys.argv[1]):
    try:
        main(command)
    except SystemExit as end:
        ended.append(end.code or 0)
print(ended)
"""
"""What Windows does not have. Python's own modules were loaded with it, where they need it."""
WINDOWS_LOCKS = """
import errno, os, sys, types
held = set()
def locking(file, kind, size):
    assert size == 1 and os.lseek(file, 0, os.SEEK_CUR) > 2**30, "beyond what is in the file"
    one = os.fstat(file).st_ino
    if kind == 0:
        held.discard(one)
    elif one in held:
        raise PermissionError(errno.EACCES, "locked")
    else:
        held.add(one)
sys.modules["fcntl"] = None
sys.modules["msvcrt"] = types.SimpleNamespace(locking=locking, LK_NBLCK=2, LK_UNLCK=0)
from moot.system import lock, unlock
with open("file", "wb+") as one, open("file", "rb") as other:
    one.write(b"text")
    print(lock(one), lock(other), one.tell())
    unlock(one.fileno())
    print(lock(other))
"""


pytestmark = pytest.mark.usefixtures("place")


def python(code: str, *args: str) -> Said:
    ended = subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert "Traceback" not in ended.stderr, ended.stderr
    return Said(ended.returncode, ended.stdout, ended.stderr)


def test_nothing_else_is_tied_to_a_system() -> None:
    tied = re.compile(rf"^\s*(?:import|from) (?:{'|'.join(MODULES)})\b", re.MULTILINE)
    found = [str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*.py") if tied.search(path.read_text("utf-8"))]
    assert found == ["system/__init__.py"]


def test_a_lock_keeps_others_out(place: Path) -> None:
    (place / "file").write_bytes(b"text")
    with (place / "file").open("rb") as one, (place / "file").open("rb") as other:
        assert lock(one)
        assert not lock(other)
        assert not lock(other, shared=True)
        unlock(one.fileno())
        assert lock(one, shared=True)
        assert lock(other, shared=True)
        assert not lock(other)
    with (place / "file").open("rb") as another:
        assert lock(another, wait=True)


def test_a_part_of_a_file_is_read(place: Path) -> None:
    (place / "file").write_bytes(b"some text")
    with (place / "file").open("rb") as file:
        assert read_at(file.fileno(), 4, 5) == b"text"
    sync_folder(place)


def test_a_duel_where_the_system_has_none_of_it() -> None:
    write_debate()
    begin, go_on = ["run", "debate.yaml", "--max-calls", "4"], ["resume", "latest", "--max-calls", "100"]
    after = [["verify", "latest"], ["runs", "report", "latest"]]
    ended = python(LACKING, json.dumps([begin, go_on, *after]))
    assert ended.code == 0
    assert ended.out.endswith("[3, 0, 0, 0]\n")
    assert "Yes, on the reasons given (8 to 6)" in ended.out
    assert command.moot("verify", "latest").code == 0


def test_locks_as_windows_has_them() -> None:
    assert python(WINDOWS_LOCKS).out == "True False 4\nTrue\n"
