"""Programs that answer as models, written for a test, and the moot.yaml that declares them."""

import json
import stat
import sys
from pathlib import Path
from typing import Any

from tests.kit.trusted import write_trusted

ANSWERS = """
prompt = sys.stdin.read()
_, found, schema = prompt.rpartition("JSON Schema:\\n")
if found:
    import json
    from moot.engine.play.structured import instance_of
print(json.dumps(instance_of(json.loads(schema))) if found else "It is so, for three reasons.")
"""
"""Answers any question, with the simplest object where JSON is asked for."""


def program(folder: Path, body: str, name: str = "program") -> str:
    """The path of a program with this Python code, which has `sys` and `os`."""
    path = folder.absolute() / name
    path.write_text(f"#!{sys.executable}\nimport os, sys\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def declare(folder: Path, **commands: Any) -> None:
    """Write a moot.yaml there that declares these commands."""
    write_trusted(json.dumps({"commands": commands}), folder)
