"""A test that hangs is named and says where; the others are run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.waiting import PATIENCE

ROOT = Path(__file__).parents[1]
WAITS = """
def test_waits(monkeypatch):
    monkeypatch.setattr(hanging, "LIMIT", 0.0)
    signal.setitimer(signal.ITIMER_REAL, AT_ONCE)
    threading.Event().wait()

def test_another():
    assert hanging.LIMIT == 900
"""


def run(folder: Path, tests: str, *options: str, conftest: str = "") -> tuple[int, str, str]:
    """The exit code, output and errors of a run of these tests."""
    imports = "import signal, threading\nfrom tests.kit import hanging\nfrom tests.kit.waiting import AT_ONCE\n"
    (folder / "test_it.py").write_text(imports + tests, "utf-8")
    (folder / "conftest.py").write_text(conftest, "utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "tests.kit.hanging", "-p", "xdist", *options]
    own = {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    done = subprocess.run(
        command, cwd=folder, env=os.environ | own, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("options", [(), ("-n", "1")], ids=["alone", "by a worker"])
def test_a_test_that_waits_for_ever_fails(tmp_path: Path, options: tuple[str, ...]) -> None:
    code, output, errors = run(tmp_path, WAITS, *options)
    assert code == 1
    assert "FAILED test_it.py::test_waits - Failed: it hangs" in output
    assert "1 failed, 1 passed" in output
    assert "test_it.py::test_waits has been running for" in errors
    assert "in test_waits" in errors and "in wait" in errors
