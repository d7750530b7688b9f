"""Group commit: a child process waits for the disk on behalf of all debates of this process.

A thread could wait as well. But whenever it wakes up, it takes the interpreter's lock from the event loop, which stops
until it gets the lock back; with hundreds of debates that cost a tenth of all calls. The child receives requests, each
with the paths of some files, syncs these and answers with a byte for each.

Files that nobody waits for are synced in rounds: one request for all that were written to since the last round. A task
and a request for each of them cost as much as the lines that are written to it.
"""

import asyncio
import os
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from threading import Lock, Thread
from typing import NamedTuple, Protocol
from weakref import WeakKeyDictionary

_MOMENT = 0.01
"""How long to wait before a round, in seconds, so that more lines and files can share it."""
_MOST_FILES = 256
"""How many files a round has at most: their paths fit into a pipe, so that writing them does not block."""
_KEPT = ord(".")
_PROGRAM = r"""
import os
from concurrent.futures import ThreadPoolExecutor
sync = getattr(os, "fdatasync", os.fsync)  # macOS has no fdatasync
def outcome(path):
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            sync(file)
        finally:
            os.close(file)
        return b"."
    except OSError:
        return b"!"
rest = b""
with ThreadPoolExecutor(8) as pool:
    while data := os.read(0, 65536):
        *requests, rest = (rest + data).split(b"\0\0")
        requests = [request.split(b"\0") for request in requests]
        outcomes = {path: pool.submit(outcome, path) for path in set(sum(requests, []))}
        for paths in requests:
            os.write(1, b"".join([outcomes[path].result() for path in paths]))
"""
"""The program of the child. A file that several requests wait for is synced once, and several files at a time: for file
systems, this is one commit."""

Answer = Callable[[Sequence[bool]], None]
"""Called in the event loop of a request with its outcomes, one for each path: whether the file is on disk."""


class File(Protocol):
    """An append-only file, by its bytes: how many are written, and how many of them are on disk."""

    path_bytes: bytes
    written: int
    on_disk: int
    is_open: bool

    def sync(self) -> None:
        """Block until everything written is on disk."""


async def synced(path: bytes, here: Callable[[], None]) -> None:
    """Wait until the file is on disk. `here` does the same in this process, in case the child cannot; it raises
    errors."""
    done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def answer(outcomes: Sequence[bool]) -> None:
        if not done.done():
            done.set_result(outcomes[0])

    if not (_keeper_of(os.getpid()).ask([path], answer) and await done):
        await asyncio.to_thread(here)


def sync_soon(file: File) -> None:
    """Sync the file in the next round, without waiting for it. The file keeps errors of its `sync`."""
    keeper, loop = _keeper_of(os.getpid()), asyncio.get_running_loop()
    rounds = keeper.rounds.get(loop)
    if rounds is None:
        rounds = keeper.rounds[loop] = _Rounds(keeper)
    rounds.add(file)


class _Request(NamedTuple):
    loop: asyncio.AbstractEventLoop
    paths: int
    answer: Answer


class _Keeper:
    """The child process, and the requests that wait for its answers. It ends when this process ends."""

    def __init__(self) -> None:
        self.rounds: WeakKeyDictionary[asyncio.AbstractEventLoop, _Rounds] = WeakKeyDictionary()
        self._lock = Lock()  # keeps the order of waiting requests equal to the order in which they are sent
        self._waiting: deque[_Request] = deque()
        self._requests: int | None = None
        with suppress(OSError):
            self._requests, answers = _start()
            Thread(target=self._listen, args=(answers,), name="moot-disk", daemon=True).start()

    def ask(self, paths: Sequence[bytes], answer: Answer) -> bool:
        """Let the child sync these files; False if it cannot."""
        unsent = b"\0".join(paths) + b"\0\0"
        with self._lock:
            if self._requests is None:
                return False
            self._waiting.append(_Request(asyncio.get_running_loop(), len(paths), answer))
            try:
                while unsent:
                    unsent = unsent[os.write(self._requests, unsent) :]
            except OSError:
                self._waiting.pop()
                return False
        return True

    def _listen(self, answers: int) -> None:
        arrived = b""
        while data := os.read(answers, 4096):
            arrived += data
            while self._waiting and len(arrived) >= (count := self._waiting[0].paths):
                _tell(self._waiting.popleft(), [one == _KEPT for one in arrived[:count]])
                arrived = arrived[count:]
        # The child has died. Waiting and future requests are left to this process.
        with self._lock:
            self._requests = None
        while self._waiting:
            _tell(request := self._waiting.popleft(), [False] * request.paths)


def _tell(request: _Request, outcomes: Sequence[bool]) -> None:
    # Nobody waits in a closed loop.
    with suppress(RuntimeError):
        request.loop.call_soon_threadsafe(request.answer, outcomes)


class _Rounds:
    """The files of one event loop that wait for a round. One round begins after the other has ended."""

    def __init__(self, keeper: _Keeper) -> None:
        self._keeper = keeper
        self._files: dict[File, None] = {}
        self._is_due = False
        self._here: asyncio.Task[None] | None = None

    def add(self, file: File) -> None:
        self._files[file] = None
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_later(_MOMENT, self._begin)

    def _begin(self) -> None:
        files = list(islice(self._files, _MOST_FILES))
        for file in files:
            del self._files[file]
        sizes = [(file, file.written) for file in files if file.is_open and file.written > file.on_disk]

        def answer(outcomes: Sequence[bool]) -> None:
            for (file, size), kept in zip(sizes, outcomes, strict=True):
                if kept:
                    file.on_disk = max(file.on_disk, size)
            left = [file for (file, _), kept in zip(sizes, outcomes, strict=True) if not kept]
            if left:
                self._here = asyncio.create_task(self._sync_here(left))
            else:
                self._end()

        if not sizes:
            self._end()
        elif not self._keeper.ask([file.path_bytes for file, _ in sizes], answer):
            answer([False] * len(sizes))

    async def _sync_here(self, files: Sequence[File]) -> None:
        for file in files:
            with suppress(OSError):
                if file.is_open:
                    await asyncio.to_thread(file.sync)
        self._end()

    def _end(self) -> None:
        self._is_due = False
        for file in self._files:
            self.add(file)
            break


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
    """One for each process: a forked process shares neither the thread nor the waiting requests."""
    return _Keeper()
