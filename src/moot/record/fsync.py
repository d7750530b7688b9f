"""Group commit: a child process waits for the disk on behalf of all debates of this process.

A thread could wait as well. But whenever it wakes up, it takes the interpreter's lock from the event loop, which stops
until it gets the lock back; with hundreds of debates that cost a tenth of all calls. The child receives the path of a
file per line, syncs that file and answers with a byte, in the order of the requests; a file that several debates wait
for is synced once.
"""

import asyncio
import os
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from threading import Lock, Thread

_KEPT = b"."
_PROGRAM = """
import os
sync = getattr(os, "fdatasync", os.fsync)  # macOS has no fdatasync
rest = b""
while data := os.read(0, 65536):
    *paths, rest = (rest + data).split(b"\\n")
    answers, known = b"", {}
    for path in paths:
        if path not in known:
            try:
                file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
                try:
                    sync(file)
                finally:
                    os.close(file)
                known[path] = b"."
            except OSError:
                known[path] = b"!"
        answers += known[path]
        if len(answers) == 16:
            os.write(1, answers)
            answers = b""
    os.write(1, answers)
"""
"""The program of the child. It answers in groups of sixteen: not one by one, and not only at the end."""


async def synced(path: bytes, here: Callable[[], None]) -> None:
    """Wait until the file is on disk. `here` does the same in this process, in case the child cannot; it raises
    errors."""
    if not await _keeper_of(os.getpid()).keep(path):
        await asyncio.to_thread(here)


class _Keeper:
    """The child process, and the tasks that wait for its answers. It ends when this process ends."""

    def __init__(self) -> None:
        self._lock = Lock()  # keeps the order of waiting tasks equal to the order of requests
        self._waiting: deque[tuple[asyncio.AbstractEventLoop, asyncio.Future[bool]]] = deque()
        self._requests: int | None = None
        with suppress(OSError):
            self._requests, answers = _start()
            Thread(target=self._listen, args=(answers,), name="moot-disk", daemon=True).start()

    async def keep(self, path: bytes) -> bool:
        """Whether the child has synced the file."""
        if b"\n" in path:
            return False
        loop = asyncio.get_running_loop()
        done: asyncio.Future[bool] = loop.create_future()
        with self._lock:
            if self._requests is None:
                return False
            self._waiting.append((loop, done))
            try:
                os.write(self._requests, path + b"\n")  # complete: it is shorter than a pipe's atomic write
            except OSError:
                self._waiting.pop()
                return False
        return await done

    def _listen(self, answers: int) -> None:
        while data := os.read(answers, 4096):
            self._tell([data[index : index + 1] == _KEPT for index in range(len(data))])
        # The child has died. Waiting and future tasks sync in this process.
        with self._lock:
            self._requests = None
        self._tell([False] * len(self._waiting))

    def _tell(self, outcomes: list[bool]) -> None:
        told = [(*self._waiting.popleft(), kept) for kept in outcomes]
        for loop in {loop for loop, _, _ in told}:
            # Nobody waits in a closed loop.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(_settle, [(done, kept) for one, done, kept in told if one is loop])


def _start() -> tuple[int, int]:
    """Start the child process; return the pipes for requests and answers."""
    if not hasattr(os, "posix_spawn"):
        raise OSError("no process can be started as quickly here")
    requests, to_keeper = os.pipe()
    from_keeper, answers = os.pipe()
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        os.posix_spawn(
            sys.executable,
            [sys.executable, "-I", "-S", "-c", _PROGRAM],
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, requests, 0),
                (os.POSIX_SPAWN_DUP2, answers, 1),
                (os.POSIX_SPAWN_DUP2, nothing, 2),
            ],
            setpgroup=0,  # an interrupt from the terminal is for the parent process only
        )
    except OSError:
        os.close(to_keeper)
        os.close(from_keeper)
        raise
    finally:
        for end in (requests, answers, nothing):
            os.close(end)
    return to_keeper, from_keeper


@cache
def _keeper_of(_process: int) -> _Keeper:
    """One for each process: a forked process shares neither the thread nor the waiting tasks."""
    return _Keeper()


def _settle(outcomes: "list[tuple[asyncio.Future[bool], bool]]") -> None:
    for done, kept in outcomes:
        if not done.done():
            done.set_result(kept)
