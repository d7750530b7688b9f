"""Mutated files in every format are read or refused with a line; at length by `benchmarks/fuzz_graphs.py` itself."""

import subprocess
import sys
from pathlib import Path

from tests.kit.waiting import PATIENCE

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "fuzz_graphs.py"


def test_no_mutated_file_makes_a_traceback() -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--files", "3000", "--seed", "11"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.startswith("3,000 files, ")
    assert ", 0 faults, " in done.stdout
