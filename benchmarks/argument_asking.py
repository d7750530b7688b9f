"""Asking a contestant: a process of its own, which is stopped when it takes too long."""

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

LOADING = 300.0
"""Seconds to start and to read the instance: a million arguments take some peers longer than to solve them."""


def solved(contestant: Path, python: Path, name: str, task: str, file: Path, limit: float) -> dict[str, Any]:
    """What it prints, or why it printed nothing."""
    command: list[str | Path] = [python, contestant, name, task, file, str(limit)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit + LOADING)
    except subprocess.TimeoutExpired:
        return {"note": f"over {limit:g} s, or did not load"}
    if done.returncode == -signal.SIGALRM:
        return {"note": f"over {limit:g} s"}
    if done.returncode:
        return {"note": f"failed: {(done.stderr.strip() or str(done.returncode)).splitlines()[-1]}"}
    found: dict[str, Any] = json.loads(done.stdout)
    return found
