"""The set-up of a checkout, where it depends on the shell that starts it."""

import os
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

from tests.kit.waiting import wait_until

ROOT = Path(__file__).parents[1]


def test_python_is_found_in_an_empty_environment(tmp_path: Path) -> None:
    """A shell then makes up a PATH for itself alone, and a Python that is not told of it does not know where it is."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "setup", tmp_path / "scripts")
    for name in ("requirements.lock", "requirements-dev.lock", "requirements-uv.lock", "pyproject.toml"):
        (tmp_path / name).touch()
    made = tmp_path / ".venv" / "bin" / "python"
    setup = subprocess.Popen(
        ["env", "-i", "PIP_NO_INDEX=1", "/bin/sh", tmp_path / "scripts" / "setup", "runtime"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        # There is nothing to install, so it ends in an error at the latest then; the environment is made before.
        wait_until(lambda: made.exists() or setup.poll() is not None)
        assert made.exists()
    finally:
        with suppress(ProcessLookupError):
            os.killpg(setup.pid, signal.SIGKILL)
        setup.wait()
