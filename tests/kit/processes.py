"""What the tests do in real processes: debates that are killed or that wait, and many hands on one log.

    python -m tests.kit.processes crash FOLDER MOMENT               one run for every step there is to be killed at
    python -m tests.kit.processes lives FOLDER MOMENT STEP          one run, killed at that step of each of its lives
    python -m tests.kit.processes fork RUN FOLDER AT MOMENT         one fork for every step there is to be killed at
    python -m tests.kit.processes fill FOLDER BYTES                 one run on a disk that takes files of that size only
    python -m tests.kit.processes wait FOLDER                       one run that goes on once there is a file FOLDER/go
    python -m tests.kit.processes append RUN PROCESSES COUNT        entries from outside, COUNT by each of the processes

A step is one write to log or journal; but for `lives` also one document put in its place. The process itself only
forks and waits, so that its children start from a clean state.
"""

import asyncio
import itertools
import os
import resource
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import moot
from moot.testing import ScriptedModel
from tests.kit import warm
from tests.kit.duels import GatedModel, full_script, harsh_script, play, small_config

NAME = "tests.kit.processes"
MOMENTS = ("before", "middle", "unended", "after")
"""Nothing of the step was done; half of it; all but the end of the line; all of it."""
MOST_LIVES = 200


def process(*arguments: object, code: str | None = None, module: str = NAME) -> "subprocess.Popen[str]":
    """Start this module, another one or other code, in a process of its own."""
    start = ["-c", code] if code else ["-m", module]
    command = [warm.python(), *start, *map(str, arguments)]
    pipe = subprocess.PIPE
    return warm.Started(command, cwd=warm.ROOT, stdout=pipe, stderr=pipe, text=True)


def in_process(*arguments: object, code: str | None = None, module: str = NAME) -> None:
    """Have it done, and see that it went well."""
    with process(*arguments, code=code, module=module) as running:
        _, errors = running.communicate()
    assert running.returncode == 0, errors


def kill_at(step: int, moment: str, *, documents: bool) -> None:
    """Have this process kill itself at its step of that number; `documents` says whether they are steps too."""
    write, replace, steps = os.write, os.replace, itertools.count(1)

    def killing_write(fd: int, data: bytes) -> int:
        if not stat.S_ISREG(os.fstat(fd).st_mode) or next(steps) != step:
            return write(fd, data)
        length = {"before": 0, "middle": len(data) // 2, "unended": len(data) - 1, "after": len(data)}[moment]
        if length:
            write(fd, data[:length])
        die()

    def killing_replace(source: Any, target: Any, **folders: Any) -> None:
        if not documents or next(steps) != step:
            return replace(source, target, **folders)
        if moment in ("unended", "after"):
            replace(source, target, **folders)
        die()

    os.write, os.replace = killing_write, killing_replace  # type: ignore[assignment]


def die() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("nobody outlives this")


def start_child(work: Callable[[], object]) -> int:
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return child


def in_child(work: Callable[[], object]) -> bool:
    """Do the work in a child; True when it was done, False when the child was killed at it."""
    code = os.waitstatus_to_exitcode(os.waitpid(start_child(work), 0)[1])
    if code not in (0, -signal.SIGKILL):
        raise SystemExit(f"a child ended with {code}")
    return code == 0


def crash(folder: Path, moment: str) -> None:
    def work(step: int) -> None:
        kill_at(step, moment, documents=True)
        live(small_config(folder / f"{step:03}"))

    at_every_step(work)


def fork(run: moot.Run, folder: Path, at: int, moment: str) -> None:
    def work(step: int) -> None:
        kill_at(step, moment, documents=True)
        moot.fork(run, at, out=str(folder / f"{step:03}"))

    at_every_step(work)


def at_every_step(work: Callable[[int], None]) -> None:
    """Do the work again and again, to be killed at the first step, the second, …, until it has no such step."""
    for step in itertools.count(1):
        if in_child(partial(work, step)):
            return


def lives(folder: Path, moment: str, step: int) -> None:
    def work() -> None:
        kill_at(step, moment, documents=False)
        live(small_config(folder))

    for _ in range(MOST_LIVES):
        if in_child(work):
            return
    raise SystemExit("the debate does not get on")


def live(config: moot.RunConfig) -> None:
    """Run the debate, or take it up when there is one already."""
    model = ScriptedModel(answer)
    models = {model.name: model}
    runs = moot.list_runs(config.options.out)
    asyncio.run(moot.resume(runs[0], models=models) if runs else moot.run(config, models=models))


def answer(request: moot.Request) -> Any:
    """The scripted reply, whoever was asked what in the lives before: the conversation tells the attempt."""
    reply = harsh_script(2)[request.key]
    if isinstance(reply, list):
        return reply["That reply cannot be used" in request.messages[-1].content]
    return reply


def fill(folder: Path, size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    try:
        play(small_config(folder), ScriptedModel(full_script(2)))
    except OSError:
        return
    raise SystemExit("the disk was large enough")


def wait(folder: Path) -> None:
    """Says where the run is once it waits."""

    def gate() -> bool:
        if not said:
            said.append(moot.list_runs(str(folder))[0].path)
            sys.stdout.write(f"{said[0]}\n")
            sys.stdout.flush()
        return (folder / "go").exists()

    said: list[Path] = []
    play(small_config(folder), GatedModel(ScriptedModel(full_script(2)), {"B/turn/2": gate}))


def append(run: moot.Run, processes: int, count: int) -> None:
    def many(who: int) -> None:
        for number in range(count):
            moot.append_outside(run, phase="opening", speaker=f"Guest {who}", type="note", content=f"Note {number}.")

    children = [start_child(partial(many, who)) for who in range(processes)]
    if any(os.waitpid(child, 0)[1] for child in children):
        raise SystemExit("an append failed")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["crash", folder, moment]:
            crash(Path(folder), moment)
        case ["lives", folder, moment, step]:
            lives(Path(folder), moment, int(step))
        case ["fork", run, folder, at, moment]:
            fork(moot.find_run(run), Path(folder), int(at), moment)
        case ["fill", folder, size]:
            fill(Path(folder), int(size))
        case ["wait", folder]:
            wait(Path(folder))
        case ["append", run, processes, count]:
            append(moot.find_run(run), int(processes), int(count))
        case _:
            raise SystemExit(__doc__)
