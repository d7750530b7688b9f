"""Locks, and what is tied to a system."""

import re
from pathlib import Path

import moot
from moot.system import lock, unlock

SOURCE = Path(moot.__file__).parent
MODULES = ("fcntl", "msvcrt", "resource", "signal", "termios", "pwd", "grp")


def test_nothing_else_is_tied_to_a_system() -> None:
    tied = re.compile(rf"^\s*(?:import|from) (?:{'|'.join(MODULES)})\b", re.MULTILINE)
    found = [str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*.py") if tied.search(path.read_text("utf-8"))]
    assert found == ["system/__init__.py"]


def test_a_lock_keeps_others_out(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"text")
    with file.open("rb") as one, file.open("rb") as other:
        assert lock(one)
        assert not lock(other)
        assert not lock(other, shared=True)
        unlock(one.fileno())
        assert lock(one, shared=True)
        assert lock(other, shared=True)
        assert not lock(other)
    with file.open("rb") as another:
        assert lock(another, wait=True)
