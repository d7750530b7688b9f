"""Append-only files of JSON lines that survive a crash at any byte.

A line is written whole, in one write. A last line that was cut off is moved to a file beside
(`NAME.torn-1`, …) and the file goes on without it; anything else that is not JSON is damage.
"""

import asyncio
import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from moot.errors import RunBusy, RunDamaged
from moot.record.fsync import synced

# macOS has no fdatasync.
_fdatasync = getattr(os, "fdatasync", os.fsync)


_MOMENT = 0.01
"""How long the disk is left alone after an append, in seconds: replies that came together have gone on by then."""


class LineFile:
    """One open file of lines. Not safe for two threads; safe for many processes that append under `locked`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._absolute = os.fsencode(path.absolute())
        self._fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        self._size = 0
        self._synced = 0
        self._syncing: asyncio.Task[None] | None = None
        self._fault: OSError | None = None

    def lock(self) -> None:
        """Hold the file against other writers. They hold it only for one append, so waiting is short. RunBusy when
        another file stands in its place by now, RunDamaged when none does."""
        fcntl.flock(self._fd, fcntl.LOCK_EX)
        try:
            there = os.stat(self._absolute)  # noqa: PTH116 (a third of the time of Path.stat, and for every entry)
            replaced = there.st_ino != os.fstat(self._fd).st_ino
        except FileNotFoundError:
            self.unlock()
            raise RunDamaged(f"{self.path} is gone: it was deleted while it was in use") from None
        if replaced:
            self.unlock()
            raise RunBusy(f"{self.path} was mended at this very moment, since its run was taken up; try again")

    def unlock(self) -> None:
        fcntl.flock(self._fd, fcntl.LOCK_UN)

    @contextmanager
    def locked(self) -> Iterator[None]:
        self.lock()
        try:
            yield
        finally:
            self.unlock()

    def new_lines(self) -> list[bytes]:
        """Lines added since the last look, by whomever. Call under `locked`: a cut-off last line is set aside."""
        size = os.fstat(self._fd).st_size
        if size == self._size:
            return []
        if size < self._size:
            raise RunDamaged(f"{self.path} was shortened while it was in use")
        *lines, torn = _read(self._fd, self._size, size).split(b"\n")
        if torn and _is_json(torn):
            # Only the line's end is missing: the record is whole, and dropping it would pay for it twice.
            os.write(self._fd, b"\n")
            lines.append(torn)
        elif torn:
            self._set_aside(torn)
        self._size += sum(len(line) + 1 for line in lines)
        return lines

    def append(self, line: bytes) -> None:
        """Write one line whole, or leave the file as it was."""
        data = line + b"\n"
        written = 0
        try:
            while written < len(data):
                written += os.write(self._fd, data[written:])
        except OSError:
            os.ftruncate(self._fd, self._size)
            raise
        self._size += len(data)

    async def kept(self) -> None:
        """What was appended outlives this process already; the disk is set to work on it, and not waited for. Raises
        what went wrong there before."""
        self._check()
        if self._syncing is None or self._syncing.done():
            self._syncing = asyncio.ensure_future(self._sync_all())

    async def _sync_all(self) -> None:
        """One wait at a time, begun a moment late: what is appended by then goes with it, and what is appended
        meanwhile with the next."""
        with suppress(OSError):  # it is remembered
            while self._size > self._synced:
                await asyncio.sleep(_MOMENT)
                await self.synced()

    async def synced(self) -> None:
        """Wait until the disk has all that was appended so far; other work goes on meanwhile."""
        self._check()
        size = self._size
        if size > self._synced:
            await synced(self._absolute, self.sync)
            self._synced = max(self._synced, size)

    def sync(self) -> None:
        """The same, and all other work in this thread waits too."""
        self._check()
        size = self._size
        if size > self._synced:
            try:
                _fdatasync(self._fd)
            except OSError as error:
                self._fault = error
                raise
            self._synced = size

    def _check(self) -> None:
        # The system tells of a failure once. What it could not write stays unwritten, whatever it says the next time.
        if self._fault is not None:
            raise self._fault

    def replace(self, lines: Sequence[bytes], aside: Sequence[bytes]) -> None:
        """Put a file with these lines in the place of this one, whole or not at all, and lines that it no longer has
        into one beside it. Call under `locked`; after that this one takes no more."""
        write_whole(self._beside(), _joined(aside))
        write_whole(self.path, _joined(lines))

    def close(self) -> None:
        if self._syncing is not None:
            self._syncing.cancel()
        os.close(self._fd)

    def _set_aside(self, torn: bytes) -> None:
        """Move the last bytes of the file into one beside it."""
        self._beside().write_bytes(torn)
        os.ftruncate(self._fd, os.fstat(self._fd).st_size - len(torn))

    def _beside(self) -> Path:
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.torn-{number}")).exists():
            number += 1
        return aside


def read_lines(path: Path) -> list[bytes]:
    """The whole lines of a file that someone may be writing; a cut-off last line is left alone."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    return data.split(b"\n")[:-1]


def _joined(lines: Sequence[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def write_whole(path: Path, data: bytes) -> None:
    """Put a file there, whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        # Else a crash of the machine may leave an empty file under the new name.
        os.fsync(file.fileno())
    temporary.replace(path)


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


def _read(fd: int, start: int, end: int) -> bytes:
    parts = []
    while start < end and (part := os.pread(fd, end - start, start)):
        parts.append(part)
        start += len(part)
    return b"".join(parts)
