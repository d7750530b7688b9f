"""The command line as tests use it: in this process where that will do, in one of its own where it matters."""

import contextlib
import io
import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest
import yaml

import moot as api
from moot.cli.main import _main
from tests.kit import warm
from tests.kit.duels import CAST, full_script
from tests.kit.waiting import PATIENCE

# A shell that runs the tests in the background has them, and so their children, ignore interrupts.
_START = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from moot.cli import main; main()"
COMMAND = [sys.executable, "-c", _START]
"""The command in a new interpreter."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a command came to."""

    code: int
    out: str
    err: str


def empty_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, where nobody's settings, keys or servers have a say."""
    for name in os.environ:
        if name.startswith(("MOOT_", "OLLAMA_")) or name.endswith(("_API_KEY", "_BASE_URL")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    place = tmp_path / "place"
    place.mkdir()
    monkeypatch.chdir(place)
    return place


def moot(*args: str, stdin: bytes = b"") -> Said:
    """The command with these arguments, in this process and not at a terminal."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), _standard_input(stdin):
        code = _main(list(args))
    written = [stream.buffer.getvalue().decode() for stream in (out, err) if isinstance(stream.buffer, io.BytesIO)]
    return Said(code, *written)


def refused(*args: str, stdin: bytes = b"", code: int = 2) -> str:
    """The message with which a command is refused."""
    before = _files()
    ended = moot(*args, stdin=stdin)
    assert ended.code == code, ended
    assert ended.out == ""
    assert _files() == before
    message = ended.err.partition("Error: ")[2] if ended.err.startswith("Usage: ") else ended.err
    assert message.endswith("\n")
    assert message.count("\n") == 1
    assert "Traceback" not in message
    assert "\x1b" not in message
    return message


def document(*args: str) -> Any:
    """The JSON that a command prints, and nothing else does it print."""
    ended = moot(*args, "--json")
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


def only_run(out: str = "debates") -> api.Run:
    (run,) = api.list_runs(out)
    return run


def warm_command() -> list[str]:
    """The command, forked from a process that has imported it."""
    return [warm.python(), "-c", _START]


def spawn(*args: str, first: str = "", **options: Any) -> "subprocess.Popen[bytes]":
    """The command in a process of its own, which can be interrupted and killed, after this code."""
    pipes: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return warm.Started([warm.python(), "-c", f"{first}\n{_START}", *args], **(pipes | options))


def in_shell(line: str, command: list[str] | None = None) -> Said:
    """A line for the shell, in which MOOT stands for the command."""
    line = line.replace("MOOT", shlex.join(command or warm_command()))
    ended = subprocess.run(line, shell=True, capture_output=True, text=True, check=False, timeout=PATIENCE)
    return Said(ended.returncode, ended.stdout, ended.stderr)


def moot_alone(*args: str, **options: Any) -> Said:
    """The command in a process of its own, to its end."""
    process = spawn(*args, **options)
    out, err = process.communicate(timeout=PATIENCE)
    return Said(process.returncode, (out or b"").decode(), (err or b"").decode())


def write_debate(turns: int = 2, **settings: Any) -> Path:
    """A small duel in `debate.yaml`, with a reply for every call of it in `replies.yaml`, in the working folder."""
    return _write("debate.yaml", turns, {"topic": "Is it so?", "seed": 7, **settings})


def write_batch(**settings: Any) -> str:
    """The same on two topics, in `batch.yaml`."""
    return str(_write("batch.yaml", 2, {"grid": {"topic": ["One?", "Two?"]}, **settings}))


def _write(name: str, turns: int, settings: dict[str, Any]) -> Path:
    Path("replies.yaml").write_text(yaml.safe_dump(full_script(turns), allow_unicode=True), "utf-8")
    duel = {"protocol": "duel", "claim": "It is so.", "turns": turns, "model": "scripted/replies.yaml", **CAST}
    Path(name).write_text(yaml.safe_dump(duel | settings, allow_unicode=True), "utf-8")
    return Path(name)


def git(*words: str) -> None:
    subprocess.run(["git", "-c", "user.email=a@b", "-c", "user.name=A", *words], check=True, capture_output=True)


def read_until(stream: IO[bytes], wanted: str) -> str:
    """What a process writes up to the line that has those words, or to its end."""
    seen = ""
    while wanted not in seen and (line := stream.readline()):
        seen += line.decode()
    return seen


def _files() -> list[str]:
    return sorted(str(path) for path in Path().rglob("*") if path.is_file())


@contextlib.contextmanager
def _standard_input(data: bytes) -> Any:
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(data), "utf-8")
    try:
        yield
    finally:
        sys.stdin = before
