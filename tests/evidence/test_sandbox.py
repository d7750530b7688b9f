"""`python`: programs of models in a sandbox, and no tool where there is none."""

import asyncio
from pathlib import Path
from unittest.mock import patch

import pytest

import moot
from moot.evidence.sandbox import Sandbox, is_at_hand
from moot.service.guests import requested
from moot.testing import ScriptedModel
from tests.kit.duels import assert_sound, not_yet_paid, small_config, take_up
from tests.kit.lookups import NOTHING, declare, duel, made, prompt_at, script, wish
from tests.kit.skips import NO_SANDBOX
from tests.kit.waiting import AT_ONCE, FOREVER, PATIENCE


def _works() -> bool:
    try:
        with patch("moot.evidence.sandbox.SECONDS", PATIENCE):
            return is_at_hand() and bool(asyncio.run(Sandbox().offered()))
    except LookupError:
        return False


sandboxed = pytest.mark.skipif(not _works(), reason=NO_SANDBOX)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("SECRET_KEY", "sk-canary")
    monkeypatch.setattr("moot.evidence.sandbox.SECONDS", PATIENCE)
    monkeypatch.setattr(Sandbox, "seconds", PATIENCE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_a_sandbox_there_is_no_such_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(moot.ConfigError, match="needs a sandbox, and here is none: install bubblewrap"):
        asyncio.run(moot.run(small_config(Path("runs"), tools=["python"])))


@sandboxed
def test_a_program_is_run_once_and_its_output_is_on_record(place: Path) -> None:
    code = "import statistics\nprint(statistics.mean([3, 4, 8]))"
    replies = script(A__plan__lookup__1=wish(("python", {"code": code}))) | {"A/plan/lookup/2": NOTHING}
    result, model = duel(replies, tools=["python"])
    assert [one.error for one in made(result)] == [None]
    assert "\n5\n" in prompt_at(model, "A/plan/lookup/2")
    run = moot.find_run(result.run)
    assert_sound(run)
    (place / "bin").mkdir()
    again = take_up(moot.fork(run, 3), ScriptedModel(not_yet_paid(replies, moot.fork(run, 3).records())))
    assert again.status == "done", again.reason


@sandboxed
@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("import os; print(sorted(os.listdir('/')), dict(os.environ).keys())", "SECRET_KEY"),
        ("import os; print(os.listdir(os.path.expanduser('~')))", "No such file"),
        ("print(open('/etc/passwd').read())", "No such file"),
        ("f = open('/x', 'w'); f.write('a'); f.flush()", "Error"),
        ("import socket; socket.create_connection(('127.0.0.1', 80))", "Operation not permitted"),
        ("import os; os.fork()", "Operation not permitted"),
        ("import subprocess; subprocess.run(['ls'])", "Operation not permitted"),
        ("import threading; threading.Thread(target=print).start()", "can't start new thread"),
        ("x = 'a' * 10 ** 9", "MemoryError"),
        ("print('x' * 1_000_000)", "printed more than 100,000 bytes"),
        ("import resource as r; r.setrlimit(r.RLIMIT_AS, (2 ** 40, 2 ** 40))", "not allowed to raise"),
        ("import ctypes; print(ctypes.CDLL(None).unshare(0x10000000))", "-1"),
        ("import ctypes; print(ctypes.CDLL(None).shmget(0, 2 ** 30, 0o1600))", "-1"),
        ("import ctypes; print(ctypes.CDLL(None).msgget(0, 0o1600))", "-1"),
        ("import os; os.memfd_create('x')", "Operation not permitted"),
        ("import os; os.mkdir('/x')", "Read-only file system"),
        ("import os; os.symlink('x' * 4000, '/x')", "Read-only file system"),
        ("x = 1", "printed nothing"),
    ],
)
def test_what_a_program_cannot_do(place: Path, code: str, printed: str) -> None:
    found = asyncio.run(Sandbox().call("python", {"code": code}))
    assert (printed in found) is (printed != "SECRET_KEY"), found
    assert "sk-canary" not in found and str(place) not in found and "/root" not in found


@sandboxed
def test_a_program_without_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.evidence.sandbox.SECONDS", AT_ONCE - 2)
    with pytest.raises(LookupError, match="took more than"):
        asyncio.run(Sandbox().call("python", {"code": FOREVER}))


@sandboxed
def test_guests_run_programs_only_if_the_owner_says_so() -> None:
    asked = {"topic": "Is it so?", "tools": ["python"]}
    with pytest.raises(moot.ConfigError, match="not for guests"):
        requested("duel", asked)
    declare({"python": {"guests": True}})
    assert requested("duel", asked).options.tools == {"python": []}
