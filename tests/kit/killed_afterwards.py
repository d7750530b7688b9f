"""Killing moot at random points after a debate, and looking whether anything is half done, or done twice.

Each point is a copy of one finished arena. A forked process takes it up, delivers it to a file and to a webhook,
remembers it and runs a command, and is killed (SIGKILL) before a line of moot's code drawn by lot, or at a call or
return of any code, that of libraries and of Python itself included. Another does the same again, to the end.
"""

import asyncio
import ctypes
import json
import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from urllib.request import Request, urlopen

import moot
from moot.stats.similarity import embed_here, shipped_backend
from tests.kit import warm
from tests.kit.waiting import PATIENCE

SOURCE = Path(__file__).parents[2] / "src" / "moot"
TABLES = ("debates", "memories", "words", "vectors", "games", "ratings", "votes")
LAST = "/last"
WHOLE = dict(zip(TABLES, (1, 1, 1, 1, 3, 3, 3), strict=True))
"""How many rows one arena of three agents leaves."""


@dataclass(frozen=True, slots=True)
class Point:
    """One run and all that is around it."""

    folder: Path
    memory: str
    hook: str

    def finish(self) -> None:
        """All that comes after the debate, as `moot arena` and `moot resume` have it."""
        from moot.cli.additions import Additions

        os.chdir(self.folder)
        run = moot.Run(Path("run"))
        command = shlex.join(["sh", "-c", "echo $MOOT_DELIVERY >> ran.txt"])
        result = asyncio.run(moot.result_of(run))
        with Path("told.txt").open("w", encoding="utf-8") as words, redirect_stderr(words):
            given = {"places": ["out.json", self.hook, f"exec:{command}"], "memory": self.memory}
            Additions.out_of(given).after(result)


@dataclass(frozen=True, slots=True)
class Found:
    """What went wrong, and how often something was left in doubt, as it should be."""

    faults: list[str]
    doubts: int


def check(folder: Path, points: int, seed: int, server: str | None = None) -> Found:
    """Kill that often, and see what came of it. With a `server`, memories are new databases of PostgreSQL there."""
    from tests.kit.arenas import arena
    from tests.kit.webhooks import receiver

    result, _ = arena(folder / "staged", revision_rounds=1, reports=True)
    with receiver() as hook:
        arguments = [result.run, hook.url, str(points), str(seed), server or ""]
        environment = {**os.environ, "TOKENIZERS_PARALLELISM": "false"}
        # Forking wants one thread, and the receiver is another.
        command = [warm.python(), "-m", "tests.kit.killed_afterwards", *arguments]
        subprocess.run(command, cwd=warm.ROOT, check=True, timeout=PATIENCE, env=environment)
        # Who comes last is let in after all others, and the receiver ends when it has heard all of them out.
        urlopen(Request(hook.url.replace("/hook", LAST), b""), timeout=PATIENCE).close()
    keys = Counter(headers["Idempotency-Key"] for headers, _ in hook.got if "Idempotency-Key" in headers)
    arrived = Counter(path for path in hook.paths if path != LAST)
    faults = [fault for number in range(points) for fault in faults_of(folder, number, arrived, server)]
    faults += [f"the key {key} came {count} times" for key, count in keys.items() if count > 1]
    return Found(faults, sum("It is unclear" in line for number in range(points) for line in told(folder, number)))


def drive(staged: Path, hook: str, points: int, seed: int, server: str | None) -> None:
    """In a process of its own, with one thread: fork, kill, take up again."""
    # What every child would load by itself, at a time when there is nothing to interrupt.
    for name in ("aiohttp", "psycopg", "moot.cli.additions", "moot.deliver", "moot.memory.remember"):
        import_module(name)
    embed_here(["warm"], shipped_backend())
    _adopt_orphans()
    lot = random.Random(seed)
    place = staged.parents[1]
    watches = (_calls, _lines)
    steps = [measure(_point(place / watch.__name__, staged, hook, watch.__name__, server), watch) for watch in watches]
    for number in range(points):
        point = _point(place / str(number), staged, hook, str(number), server)
        at, watch = lot.randint(1, steps[number % 2]), watches[number % 2]
        _forked(partial(_dying_at, at, watch, point.finish))
        (point.folder / "left.json").write_text(json.dumps(_rows(point.memory)))
        if (code := _forked(point.finish)) != 0:
            raise RuntimeError(f"point {number} could not be taken up: {code}")


def measure(point: Point, watch: "Watch") -> int:
    """How many steps an undisturbed one takes."""
    count = point.folder / "count.txt"

    def counted() -> None:
        ran = [0]
        watch(lambda: ran.__setitem__(0, ran[0] + 1))
        point.finish()
        count.write_text(str(ran[0]))

    _forked(counted)
    return int(count.read_text())


def _dying_at(number: int, watch: "Watch", work: Callable[[], None]) -> None:
    left = [number]

    def step() -> None:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    watch(step)
    work()


Watch = Callable[[Callable[[], None]], None]
"""Has a function called at every step of what happens after a debate, in whichever thread."""


def _calls(step: Callable[[], None]) -> None:
    """Steps are calls and returns, of functions in C too."""

    def profile(*_: Any) -> None:
        step()

    threading.setprofile(profile)
    sys.setprofile(profile)


def _lines(step: Callable[[], None]) -> None:
    """Steps are the lines of moot that deliver and remember."""
    watched = {str(path) for folder in ("deliver", "memory") for path in (SOURCE / folder).glob("*.py")}
    assert len(watched) > 8

    def local(_: FrameType, event: str, __: Any) -> Any:
        if event == "line":
            step()
        return local

    def trace(frame: FrameType, _: str, __: Any) -> Any:
        return local if frame.f_code.co_filename in watched else None

    threading.settrace(trace)
    sys.settrace(trace)


def _adopt_orphans() -> None:
    """Be the parent of whatever killed children had started."""
    set_child_subreaper = 36
    assert ctypes.CDLL(None).prctl(set_child_subreaper, 1) == 0


def _forked(work: Callable[[], None]) -> int:
    """Do it in a child, and wait for whatever that had started too; the exit status."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException as error:  # or the child would go on as its parent
            Path("error.txt").write_text(repr(error))
            os._exit(1)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    with suppress(ChildProcessError):
        while True:
            os.wait()
    return status


def _point(folder: Path, staged: Path, hook: str, name: str, server: str | None) -> Point:
    shutil.copytree(staged, folder / "run")
    parts = urlsplit(hook)
    return Point(folder, _memory(folder, name, server, create=True), urlunsplit(parts._replace(path=f"/{name}")))


def _memory(folder: Path, name: str, server: str | None, *, create: bool = False) -> str:
    if server is None:
        return str(folder / "memory.db")
    import psycopg

    database = f"moot_crash_{name}"
    if create:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {database}".encode())
    return server.replace("/postgres?", f"/{database}?")


def told(folder: Path, number: int) -> list[str]:
    """What was said about a point when it was finished."""
    return (folder / str(number) / "told.txt").read_text("utf-8").splitlines()


def faults_of(folder: Path, number: int, arrived: "Counter[str]", server: str | None) -> list[str]:
    """What is wrong at one point, after it was taken up again."""
    place = folder / str(number)
    words = "\n".join(told(folder, number))
    ran = (place / "ran.txt").read_text("utf-8").splitlines() if (place / "ran.txt").exists() else []
    hooked = arrived[f"/{number}"]
    faults = []
    if (place / "out.json").read_bytes().count(b'"delivery": ') != 1 or "out.json" not in words:
        faults.append("the file is not there, or not whole")
    if hooked > 1 or (hooked == 0 and "It is unclear whether http" not in words):
        faults.append(f"the webhook got it {hooked} times")
    if len(ran) > 1 or (not ran and "It is unclear whether sh got the result" not in words):
        faults.append(f"the command ran {len(ran)} times")
    left, rows = json.loads((place / "left.json").read_text()), _rows(_memory(place, str(number), server))
    if rows != WHOLE or left not in (WHOLE, dict.fromkeys(TABLES, 0), {}):
        faults.append(f"the memory had {left}, and has {rows}")
    return [f"point {number}: {fault}" for fault in faults]


def _rows(memory: str) -> dict[str, int]:
    """How many rows each table has; empty where there are no tables yet."""
    from moot.memory.database import open_database

    database = open_database(memory)
    names = "sqlite_master" if database.is_sqlite else "pg_tables"
    column = "name" if database.is_sqlite else "tablename"
    try:
        known = {row[0] for row in database.execute(f"SELECT {column} FROM {names}")}
        there = [table for table in TABLES if table in known]
        return {table: database.execute(f"SELECT COUNT(*) FROM {table}")[0][0] for table in there}
    finally:
        database.close()


if __name__ == "__main__":
    staged, hook, points, seed, server = sys.argv[1:]
    drive(Path(staged), hook, int(points), int(seed), server or None)
