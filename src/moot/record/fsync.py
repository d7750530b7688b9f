"""Group commit: a child process waits for the disk on behalf of all debates of this process.

A thread could wait as well. But whenever it wakes up, it takes the interpreter's lock from the event loop, which stops
until it gets the lock back; with hundreds of debates that cost a tenth of all calls. The child receives requests, each
with the paths of some files, syncs these and answers with a byte for each.

Files that nobody waits for are synced in rounds: one request for all that were written to since the last round. A task
and a request for each of them cost as much as the lines that are written to it.
"""

import asyncio
import os
import select
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from itertools import islice
from threading import Lock, Thread
from typing import NamedTuple, Protocol
from weakref import WeakKeyDictionary

_MOMENT = 0.01
"""How long to wait before a round, in seconds, so that more lines and files can share it."""
_MOST_FILES = 256
"""How many files a round has at most: the paths of most fit into a pipe."""
_PATIENCE = 20.0
"""How long to wait for an answer, in seconds. A child that takes longer was stopped, or hangs at one of the files."""
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
    in_doubt: bool
    """The child could not sync it. Only this process can: the system reports a failure once to each who opens a file
    in time, and to nobody who opens it later."""
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

    if not (_keeper().ask([path], answer) and await done):
        await asyncio.to_thread(here)


def sync_soon(file: File) -> None:
    """Sync the file in the next round, without waiting for it. The file keeps errors of its `sync`."""
    keeper, loop = _keeper(), asyncio.get_running_loop()
    rounds = keeper.rounds.get(loop)
    if rounds is None:
        rounds = keeper.rounds[loop] = _Rounds(keeper)
    rounds.add(file)


class _Request(NamedTuple):
    loop: asyncio.AbstractEventLoop
    paths: int
    answer: Answer
    limit: asyncio.TimerHandle


class _Child(NamedTuple):
    """The child's process id, and the pipes to and from it."""

    pid: int
    requests: int
    answers: int


class _Keeper:
    """The child process, and the requests that wait for its answers. It is started by the first request, and ends when
    this process ends. If it cannot be started, dies or does not answer, all is left to this process."""

    def __init__(self) -> None:
        self.rounds: WeakKeyDictionary[asyncio.AbstractEventLoop, _Rounds] = WeakKeyDictionary()
        self._lock = Lock()  # keeps the order of waiting requests equal to the order in which they are sent
        self._waiting: deque[_Request] = deque()
        self._unsent = bytearray()
        self._is_sending = False
        self._is_started = False
        self._requests: int | None = None

    def ask(self, paths: Sequence[bytes], answer: Answer) -> bool:
        """Let the child sync these files; False if it cannot."""
        loop = asyncio.get_running_loop()
        with self._lock:
            if not self._is_started:
                self._is_started = True
                self._start()
            if self._requests is None:
                return False
            limit = loop.call_later(_PATIENCE, self._give_up, answer)
            self._waiting.append(_Request(loop, len(paths), answer, limit))
            self._unsent += b"\0".join(paths) + b"\0\0"
            self._send()
            if self._unsent and not self._is_sending:
                self._is_sending = True
                try:
                    Thread(target=self._send_rest, args=(self._requests,), name="moot-disk-rest", daemon=True).start()
                except RuntimeError:  # no more threads: a later request or answer sends it
                    self._is_sending = False
        return True

    def _start(self) -> None:
        # Threads cannot be started without memory, nor while the interpreter ends.
        with suppress(OSError, RuntimeError):
            child = _start()
            self._requests = child.requests
            try:
                Thread(target=self._listen, args=(child,), name="moot-disk", daemon=True).start()
            except RuntimeError:
                self._requests = None
                os.close(child.requests)
                os.close(child.answers)
                raise

    def _send(self) -> None:
        """Send what the pipe has room for. Call under the lock."""
        # If the child has died, the thread that listens notices it too.
        with suppress(OSError):
            while self._unsent and self._requests is not None:
                del self._unsent[: os.write(self._requests, self._unsent)]

    def _send_rest(self, requests: int) -> None:
        """Wait for room in the pipe: a child that is slow or stopped must not stop the event loop."""
        room = select.poll()
        room.register(requests, select.POLLOUT)
        while True:
            room.poll()
            with self._lock:
                self._send()
                if not self._unsent:
                    self._is_sending = False
                    return

    def _listen(self, child: _Child) -> None:
        arrived = b""
        with suppress(OSError):
            while data := os.read(child.answers, 4096):
                arrived += data
                with self._lock:
                    while self._waiting and len(arrived) >= (count := self._waiting[0].paths):
                        _tell(self._waiting.popleft(), [one == _KEPT for one in arrived[:count]])
                        arrived = arrived[count:]
                    self._send()
        # The child has died.
        self._hang_up()
        with suppress(OSError):
            os.close(child.answers)
            os.waitpid(child.pid, 0)

    def _give_up(self, answer: Answer) -> None:
        with self._lock:
            is_late = any(request.answer is answer for request in self._waiting)
        if is_late:
            self._hang_up()

    def _hang_up(self) -> None:
        """Leave waiting and future requests to this process. The child ends once it has read all that was sent."""
        with self._lock:
            if self._requests is not None:
                with suppress(OSError):
                    os.close(self._requests)
                self._requests = None
            self._unsent.clear()
            while self._waiting:
                _tell(request := self._waiting.popleft(), [False] * request.paths)


def _tell(request: _Request, outcomes: Sequence[bool]) -> None:
    # Nobody waits in a closed loop.
    with suppress(RuntimeError):
        request.loop.call_soon_threadsafe(_settle, request, outcomes)


def _settle(request: _Request, outcomes: Sequence[bool]) -> None:
    request.limit.cancel()
    request.answer(outcomes)


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
                else:
                    file.in_doubt = True
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
        try:
            for file in files:
                # No thread can be started while the loop ends; then whoever closes the file syncs it.
                with suppress(OSError, RuntimeError):
                    if file.is_open:
                        await asyncio.to_thread(file.sync)
        finally:
            self._here = None  # it would keep the loop alive
            self._end()

    def _end(self) -> None:
        self._is_due = False
        for file in self._files:
            self.add(file)
            break


def _start() -> _Child:
    """Start the child process."""
    # The executable of an application that contains Python would start that once more.
    if not hasattr(os, "posix_spawn") or not sys.executable or getattr(sys, "frozen", False):
        raise OSError("no process can be started as quickly here")
    with ExitStack() as theirs, ExitStack() as ours:
        requests, to_keeper = os.pipe()
        theirs.callback(os.close, requests)
        ours.callback(os.close, to_keeper)
        from_keeper, answers = os.pipe()
        theirs.callback(os.close, answers)
        ours.callback(os.close, from_keeper)
        nothing = os.open(os.devnull, os.O_WRONLY)
        theirs.callback(os.close, nothing)
        os.set_blocking(to_keeper, False)
        pid = os.posix_spawn(
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
        ours.pop_all()
    return _Child(pid, to_keeper, from_keeper)


_keepers: dict[int, _Keeper] = {}
"""One for each process: a forked process shares neither the thread nor the waiting requests."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_keepers.clear)


def _keeper() -> _Keeper:
    # Threads that ask at the same time get the same one.
    return _keepers.get(os.getpid()) or _keepers.setdefault(os.getpid(), _Keeper())
