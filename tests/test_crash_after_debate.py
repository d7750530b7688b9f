"""Killed at any moment after the debate, moot leaves nothing half done and does nothing twice.

`benchmarks/crash_after_debate.py` does it a hundred times.
"""

from collections import Counter
from pathlib import Path

from tests.kit.killed_afterwards import check, faults_of


def test_with_a_memory_in_a_file(tmp_path: Path) -> None:
    assert check(tmp_path, points=9, seed=7).faults == []
    # The check itself finds what it looks for.
    (tmp_path / "0" / "ran.txt").write_text("one\ntwo\n", "utf-8")
    (tmp_path / "0" / "memory.db").unlink()
    (tmp_path / "0" / "out.json").write_bytes(b"")
    found = " ".join(faults_of(tmp_path, 0, Counter({"/0": 2}), None))
    for words in ("not whole", "the webhook got it 2 times", "the command ran 2 times", "the memory had"):
        assert words in found


def test_with_a_memory_in_postgresql(tmp_path: Path, server: str) -> None:
    assert check(tmp_path, points=4, seed=8, server=server).faults == []
