"""Programs of the warm process behave like those that an interpreter was started for."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit import warm
from tests.kit.waiting import FOREVER

ALL_IT_SEES = """
import os, sys
print(sys.argv, __name__, os.getcwd(), sorted(os.environ.items()), sys.stdin.read(), sys.stdout.isatty())
print("to the other stream", file=sys.stderr)
sys.exit(int(sys.argv[1]))
"""
WAITING = f"import os; print(os.getpid(), flush=True); {FOREVER}"


def anew(*command: str) -> list[str]:
    return [sys.executable, *command]


def warmed(*command: str) -> list[str]:
    return [warm.python(), *command]


def ended(command: list[str], place: Path) -> tuple[int, str, str]:
    environment = {"NAME": "value", "LC_CTYPE": "C.UTF-8"}
    done = subprocess.run(
        command, cwd=place, env=environment, input="typed", capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("code", ["0", "3", "255"])
def test_it_sees_and_ends_the_same(tmp_path: Path, code: str) -> None:
    arguments = ("-c", ALL_IT_SEES, code, "two words", "ünï")
    assert ended(warmed(*arguments), tmp_path) == ended(anew(*arguments), tmp_path)


@pytest.mark.parametrize(
    "program", ["raise SystemExit('a reason')", "import threading", "1 / 0", "import os; os._exit(7)"]
)
def test_it_fails_the_same(tmp_path: Path, program: str) -> None:
    code, out, err = ended(warmed("-c", program), tmp_path)
    other_code, other_out, other_err = ended(anew("-c", program), tmp_path)
    assert (code, out, err.splitlines()[-1:]) == (other_code, other_out, other_err.splitlines()[-1:])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_signals_end_it_the_same(number: int) -> None:
    with warm.Started(warmed("-c", WAITING), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:
        assert running.stdout is not None
        child = int(running.stdout.readline())
        running.send_signal(number)
        assert running.wait() == -number
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_it_does_not_outlive_whoever_waits_for_it() -> None:
    with subprocess.Popen(warmed("-c", WAITING), stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        running.stdout.readline()
        running.kill()
        assert running.stdout.read() == b""  # the child has ended too
