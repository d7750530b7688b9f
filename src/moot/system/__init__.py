"""Everything that depends on the operating system, which is Linux or macOS: file locks, process limits, signals, a few
system calls. No other module of moot imports `fcntl`, `resource` or `signal`.
"""

import fcntl
import os
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from signal import SIGINT, SIGTERM
from threading import current_thread, main_thread
from types import FrameType
from typing import IO, TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Coroutine

_ENDING = (signal.SIGTERM, signal.SIGHUP)
"""Signals that ask a program to end, beside Ctrl-C."""
T = TypeVar("T")
GUARDED = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
"""Flags for files that another user may have created: links are not followed, and pipes do not block."""

sync_data: Callable[[int], None] = getattr(os, "fdatasync", os.fsync)
"""Write the content of a file to disk; on macOS this includes its metadata."""


def lock(file: int | IO[bytes], *, shared: bool = False, wait: bool = False) -> bool:
    """Lock an open file against other processes, until it is unlocked or closed. If another process has it, wait if
    `wait` is set, else return False."""
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(file, kind if wait else kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def unlock(file: int) -> None:
    fcntl.flock(file, fcntl.LOCK_UN)


def sync_folder(folder: Path) -> None:
    """Write the entry of a new file in its folder to disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@cache
def allow_many_files() -> None:
    """Raise this process's limit on open files as far as allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        # Some systems report a hard limit that they do not grant.
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def confine(memory: int) -> None:
    """Limit the memory of this process, and prevent it from writing files, on systems with such limits."""
    for limit, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0)):
        with suppress(ValueError, OSError):  # not all systems have all limits
            resource.setrlimit(limit, (most, most))


def allow_seconds(seconds: float) -> None:
    """Let the system end this process after this much more CPU time, if it can."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + seconds) + 2
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))


def on_stop(loop: "AbstractEventLoop", stop: Callable[[int], None]) -> None:
    """Call `stop` in this loop on SIGTERM and SIGINT; in other threads than the main one, the caller has to cancel."""
    for number in (SIGTERM, SIGINT):
        with suppress(RuntimeError, ValueError):
            loop.add_signal_handler(number, stop, number)


def end_as_by_interrupt() -> None:
    """Treat SIGTERM and a closed terminal like Ctrl-C. Signals that were ignored at the start, as by nohup, stay
    ignored; servers and workers handle signals themselves."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        # Ctrl-C is ignored in the background of a shell script; a request to end is not.
        handler = signal.getsignal(SIGINT)
        (handler if callable(handler) else signal.default_int_handler)(number, frame)

    for number in _ENDING:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, interrupt)


def run_until_stopped(work: "Coroutine[Any, Any, T]") -> "T":
    """Like `asyncio.run`. SIGTERM and a closed terminal cancel the work, as Ctrl-C does, and raise KeyboardInterrupt
    after its end. Raised where the signal comes, that would end a debate in the middle of a step."""
    import asyncio

    stopped: list[bool] = []
    before: dict[int, Any] = {}

    async def main() -> T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()

        def stop() -> None:
            stopped.append(True)
            if task is not None:
                task.cancel()

        for number in _ENDING:
            if (handler := signal.getsignal(number)) is not signal.SIG_IGN:
                with suppress(RuntimeError, ValueError):  # another thread
                    loop.add_signal_handler(number, stop)
                    before[number] = handler
        return await work

    try:
        return asyncio.run(main())
    except asyncio.CancelledError:
        if stopped:
            raise KeyboardInterrupt from None
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def raising_interrupts() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt while inside, as a running event loop does not; only in the main thread."""
    if current_thread() is not main_thread() or not callable(before := signal.getsignal(SIGINT)):
        yield
        return
    signal.signal(SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(SIGINT, before)


def ignore_interrupts() -> None:
    """Ignore Ctrl-C in this process, which its parent ends."""
    signal.signal(SIGINT, signal.SIG_IGN)


def kill(process: int) -> None:
    """Kill a process."""
    os.kill(process, signal.SIGKILL)


def kill_group(process: int) -> None:
    """Kill a process that leads a session, and its children."""
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)


def limiting_lines(memory: int, seconds: int) -> str:
    """The first lines of a Python program that limit its memory and its time and let it write no file. It cannot raise
    these limits again."""
    return f"""
import resource
for limit, most in (("AS", {memory}), ("CPU", {seconds}), ("FSIZE", 0), ("CORE", 0)):
    resource.setrlimit(getattr(resource, "RLIMIT_" + limit), (most, most))
"""
