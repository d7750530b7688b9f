"""Everything that depends on the operating system: file locks, process limits, signals, a few system calls.

Linux and macOS have all of it. Each function says what it does on systems that lack something; Windows, one of these,
is untested. No other module of moot imports `fcntl`, `msvcrt`, `resource` or `signal`.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from signal import SIGINT, SIGTERM, Signals
from threading import current_thread, main_thread
from types import FrameType
from typing import IO, TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Coroutine

_FAR = 2**31 - 2
"""The byte that is locked on Windows, where locked bytes cannot be read by others: beyond the end of our files."""
_PAUSE = 0.01
_ENDING = ("SIGTERM", "SIGHUP")
"""Signals that ask a program to end, beside Ctrl-C."""
T = TypeVar("T")


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError:
        return None


_fcntl, _msvcrt, _resource = _module("fcntl"), _module("msvcrt"), _module("resource")

CLOSE_ON_EXEC: int = getattr(os, "O_CLOEXEC", 0)
BINARY: int = getattr(os, "O_BINARY", 0)
"""Flags for `os.open`: child processes do not inherit the file, and line ends are not changed."""

GUARDED: int = CLOSE_ON_EXEC | BINARY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Flags for files that another user may have created: links are not followed, and pipes do not block."""
OPENS_IN_FOLDERS = os.open in os.supports_dir_fd
"""Whether a file can be opened relative to an open folder; if not, it is opened by its full path."""

sync_data: Callable[[int], None] = getattr(os, "fdatasync", os.fsync)
"""Write the content of a file to disk; on macOS this includes its metadata."""


def lock(file: int | IO[bytes], *, shared: bool = False, wait: bool = False) -> bool:
    """Lock an open file against other processes, until it is unlocked or closed. If another process has it, wait if
    `wait` is set, else return False. On systems without locks, nothing is locked."""
    number = file if isinstance(file, int) else file.fileno()
    if _fcntl is not None:
        kind = _fcntl.LOCK_SH if shared else _fcntl.LOCK_EX
        try:
            _fcntl.flock(number, kind if wait else kind | _fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    elif _msvcrt is not None:
        while not _far_byte(number, _msvcrt.LK_NBLCK):
            if not wait:
                return False
            time.sleep(_PAUSE)
    return True


def unlock(file: int) -> None:
    if _fcntl is not None:
        _fcntl.flock(file, _fcntl.LOCK_UN)
    elif _msvcrt is not None:
        _far_byte(file, _msvcrt.LK_UNLCK)


def _far_byte(file: int, kind: int) -> bool:
    """Lock or unlock this byte on Windows; False if that fails."""
    here = os.lseek(file, 0, os.SEEK_CUR)
    os.lseek(file, _FAR, os.SEEK_SET)
    try:
        _msvcrt.locking(file, kind, 1)
    except OSError:
        return False
    finally:
        os.lseek(file, here, os.SEEK_SET)
    return True


def read_at(file: int, size: int, start: int) -> bytes:
    """Read up to `size` bytes from this position."""
    if hasattr(os, "pread"):
        return os.pread(file, size, start)
    os.lseek(file, start, os.SEEK_SET)
    return os.read(file, size)


def sync_folder(folder: Path) -> None:
    """Write the entry of a new file in its folder to disk. Windows cannot open folders, and does this on its own."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@cache
def allow_many_files() -> None:
    """Raise this process's limit on open files as far as allowed; does nothing on systems without such a limit."""
    if _resource is None:
        return
    soft, hard = _resource.getrlimit(_resource.RLIMIT_NOFILE)
    if soft != hard:
        # Some systems report a hard limit that they do not grant.
        with suppress(ValueError, OSError):
            _resource.setrlimit(_resource.RLIMIT_NOFILE, (hard, hard))


def confine(memory: int) -> None:
    """Limit the memory of this process, and prevent it from writing files, on systems with such limits."""
    if _resource is None:
        return
    for limit, most in ((_resource.RLIMIT_AS, memory), (_resource.RLIMIT_FSIZE, 0), (_resource.RLIMIT_CORE, 0)):
        with suppress(ValueError, OSError):  # not all systems have all limits
            _resource.setrlimit(limit, (most, most))


def allow_seconds(seconds: float) -> None:
    """Let the system end this process after this much more CPU time, if it can."""
    if _resource is None:
        return
    used = _resource.getrusage(_resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + seconds) + 2
    with suppress(ValueError, OSError):
        _resource.setrlimit(_resource.RLIMIT_CPU, (most, _resource.RLIM_INFINITY))


def on_stop(loop: "AbstractEventLoop", stop: Callable[[int], None]) -> None:
    """Call `stop` in this loop on SIGTERM and SIGINT, if the loop supports signals. If it does not, and in other
    threads than the main one, the caller has to cancel."""
    for number in (SIGTERM, SIGINT):
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, stop, number)


def end_as_by_interrupt() -> None:
    """Treat SIGTERM and a closed terminal like Ctrl-C. Signals that were ignored at the start, as by nohup, stay
    ignored; servers and workers handle signals themselves."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        # Ctrl-C is ignored in the background of a shell script; a request to end is not.
        handler = signal.getsignal(SIGINT)
        (handler if callable(handler) else signal.default_int_handler)(number, frame)

    for name in _ENDING:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
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

        for name in _ENDING:
            number = getattr(signal, name, None)
            if number is not None and (handler := signal.getsignal(number)) is not signal.SIG_IGN:
                with suppress(NotImplementedError, RuntimeError, ValueError):  # Windows; another thread
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
    os.kill(process, getattr(signal, "SIGKILL", SIGTERM))


def kill_group(process: int) -> None:
    """Kill a process that leads a session, and its children; on systems without sessions, only the process."""
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process, Signals["SIGKILL"])
        else:
            os.kill(process, SIGTERM)  # this ends the process on Windows


def limiting_lines(memory: int, seconds: int) -> str:
    """The first lines of a Python program that limit its memory and its time and let it write no file. It cannot raise
    these limits again."""
    return f"""
import resource
for limit, most in (("AS", {memory}), ("CPU", {seconds}), ("FSIZE", 0), ("CORE", 0)):
    resource.setrlimit(getattr(resource, "RLIMIT_" + limit), (most, most))
"""
