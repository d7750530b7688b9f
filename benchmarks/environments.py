"""Environments for the peers: each has one of its own, with exactly the versions that `peers/NAME.txt` pins."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

REQUIREMENTS = Path(__file__).parent / "peers"
LONGEST_INSTALL = 900


class Unavailable(Exception):
    """A peer cannot be had here; the text says why."""


def default_folder() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser() / "moot" / "benchmark-peers"


def environment(name: str, folder: Path) -> Path:
    """The interpreter of a peer's environment, which is made when it is not there or has other versions."""
    wanted, home = REQUIREMENTS / f"{name}.txt", folder.resolve() / name
    python, installed = home / "bin" / "python", home / "installed.txt"
    if not installed.exists() or installed.read_bytes() != wanted.read_bytes():
        pip = [str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--retries=1"]
        try:
            venv.create(home, clear=True, with_pip=True)
            subprocess.run([*pip, "-r", wanted], check=True, stdout=sys.stderr, timeout=LONGEST_INSTALL)
        except (OSError, subprocess.SubprocessError) as error:
            raise Unavailable(f"what {wanted.name} names could not be installed ({type(error).__name__})") from error
        shutil.copy(wanted, installed)
    return python
