"""Where CI=true, a test that is skipped fails the run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.skips import NO_SANDBOX
from tests.kit.waiting import PATIENCE

ROOT = Path(__file__).parents[1]
FINE = {
    "passes": "def test_one(): pass",
    "has_no_sandbox": f"@pytest.mark.skip(reason={NO_SANDBOX!r})\ndef test_one(): pass",
    "fails_as_expected": "@pytest.mark.xfail\ndef test_one(): raise AssertionError",
}
SKIPPED = {
    "mark": "@pytest.mark.skipif(True, reason='no mark')\ndef test_one(): pass",
    "fixture": "@pytest.fixture\ndef tool(): pytest.skip('no fixture')\ndef test_one(tool): pass",
    "test": "def test_one(): pytest.skip('no test')",
    "file": "pytest.skip('no file', allow_module_level=True)",
}


def run(folder: Path, files: dict[str, str], ci: str, *options: str) -> tuple[int, str]:
    """The exit code and the words of a run over these tests."""
    for name, text in files.items():
        (folder / f"test_{name}.py").write_text(f"import pytest\n{text}\n", "utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "tests.kit.skips", *options]
    own = {"CI": ci, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    environment = {**os.environ, **own}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("options", [(), ("-p", "xdist", "-n", "2")], ids=["alone", "by workers"])
def test_what_is_skipped_fails_a_run_of_ci(tmp_path: Path, options: tuple[str, ...]) -> None:
    code, told = run(tmp_path, FINE | SKIPPED, "true", "--continue-on-collection-errors", *options)
    assert code == 1
    for name in SKIPPED:
        assert f"Skipped: no {name}, though CI=true" in told
    assert "1 passed, 1 skipped, 1 xfailed" in told
