"""What ties moot to one kind of system: locks on files, limits of a process, signals, a few calls of the kernel.

Linux and macOS have all of it. Each function says what it does where a system lacks something; of these, Windows is
untried. Nothing else in moot imports `fcntl`, `msvcrt`, `resource` or `signal`.
"""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from signal import SIGINT, SIGTERM, Signals
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

_FAR = 2**31 - 2
"""The byte that is locked on Windows, where nobody can read what another has locked: beyond the end of our files."""
_PAUSE = 0.01


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError:
        return None


_fcntl, _msvcrt, _resource = _module("fcntl"), _module("msvcrt"), _module("resource")

CLOSE_ON_EXEC: int = getattr(os, "O_CLOEXEC", 0)
BINARY: int = getattr(os, "O_BINARY", 0)
"""For `os.open`: what keeps a file from the programs that are started, and its line ends from being changed."""

GUARDED: int = CLOSE_ON_EXEC | BINARY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""For files that a stranger may have made: no link is followed, and no pipe waited for."""
OPENS_IN_FOLDERS = os.open in os.supports_dir_fd
"""Whether a file can be opened relative to an open folder; elsewhere it is opened by its whole path."""

sync_data: Callable[[int], None] = getattr(os, "fdatasync", os.fsync)
"""Bring what is in a file to disk; macOS does so only with all that is known of the file."""


def lock(file: int | IO[bytes], *, shared: bool = False, wait: bool = False) -> bool:
    """Lock an open file against other processes, until it is unlocked or closed; False where another one has it, unless
    this is to `wait`. Where a system has no locks, there are none."""
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
    """Lock or unlock it, as Windows does; False where that is refused."""
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
    """Up to that many bytes from that place on."""
    if hasattr(os, "pread"):
        return os.pread(file, size, start)
    os.lseek(file, start, os.SEEK_SET)
    return os.read(file, size)


def sync_folder(folder: Path) -> None:
    """Have the disk know of a new file, and not only of what is in it. Windows opens no folders, and sees to that."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@cache
def allow_many_files() -> None:
    """Lift this process' limit on open files as far as it may; where there is no such limit, nothing is done."""
    if _resource is None:
        return
    soft, hard = _resource.getrlimit(_resource.RLIMIT_NOFILE)
    if soft != hard:
        # Some systems name a hard limit that they do not grant.
        with suppress(ValueError, OSError):
            _resource.setrlimit(_resource.RLIMIT_NOFILE, (hard, hard))


def confine(memory: int) -> None:
    """Give this process no more than so many bytes of memory, and no files to write, where there are such limits."""
    if _resource is None:
        return
    for limit, most in ((_resource.RLIMIT_AS, memory), (_resource.RLIMIT_FSIZE, 0), (_resource.RLIMIT_CORE, 0)):
        with suppress(ValueError, OSError):  # not every system has every limit
            _resource.setrlimit(limit, (most, most))


def allow_seconds(seconds: float) -> None:
    """Have the system end this process once it has worked for so much longer, where it can."""
    if _resource is None:
        return
    used = _resource.getrusage(_resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + seconds) + 2
    with suppress(ValueError, OSError):
        _resource.setrlimit(_resource.RLIMIT_CPU, (most, _resource.RLIM_INFINITY))


def on_stop(loop: "AbstractEventLoop", stop: Callable[[int], None]) -> None:
    """Have SIGTERM and SIGINT call `stop` in that loop, where a loop can be told of signals. Elsewhere, and in any but
    the main thread, whoever runs the loop has to cancel."""
    for number in (SIGTERM, SIGINT):
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, stop, number)


def end_as_by_interrupt() -> None:
    """Have a request to end, or a terminal that went away, do what Ctrl-C does: a debate leaves its result. Who started
    this with one of them ignored, as nohup does, wants it so; servers and workers have ways of their own."""

    def interrupt(*_: object) -> None:
        if signal.getsignal(SIGINT) is signal.SIG_IGN:  # as in the background of a shell script
            signal.signal(SIGINT, signal.default_int_handler)
        signal.raise_signal(SIGINT)

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, interrupt)


def ignore_interrupts() -> None:
    """Let Ctrl-C pass by this process, which another one ends."""
    signal.signal(SIGINT, signal.SIG_IGN)


def kill(process: int) -> None:
    """End a process at once."""
    os.kill(process, getattr(signal, "SIGKILL", SIGTERM))


def kill_group(process: int) -> None:
    """End a process that leads a session of its own, and what it started; where there are no sessions, it alone."""
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process, Signals["SIGKILL"])
        else:
            os.kill(process, SIGTERM)  # which on Windows ends it
