"""Append-only files of JSON lines that survive a crash at any byte.

A line is written completely, in one write. Last lines that are not JSON, because they were cut off or lost by the disk,
are moved to another file (`NAME.torn-1`, …), and the file continues without them. Any other line that is not JSON is
damage.
"""

import errno
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from pydantic import BaseModel

from moot.errors import RunBusy, RunDamaged
from moot.record.files import open_file, read_file, write_beside, write_whole
from moot.record.fsync import sync_soon, synced
from moot.system import lock, sync_data, unlock
from moot.text import printable
from moot.text.json import parse_json


class LineFile:
    """An open file of lines. Not thread-safe; many processes can append under `locked`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._place = str(path.absolute())
        self._fd = open_file(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
        self.written = 0
        self.on_disk = 0
        self._is_open = True
        self._syncing = Lock()
        self._fault: OSError | None = None

    def lock(self) -> None:
        """Lock the file against other writers, who hold it only for one append. RunBusy if another file has replaced
        it, RunDamaged if it is gone."""
        lock(self._fd, wait=True)
        try:
            there = os.stat(self._place)  # noqa: PTH116 (a third of the time of Path.stat, and for every entry)
            replaced = there.st_ino != os.fstat(self._fd).st_ino
        except (FileNotFoundError, NotADirectoryError):
            self.unlock()
            raise RunDamaged(f"{self.path} is gone: it was deleted while it was in use") from None
        except OSError as error:
            self.unlock()
            raise self._named(error) from None
        if replaced:
            self.unlock()
            raise RunBusy(f"{self.path} was mended at this very moment, since its run was taken up; try again")

    def unlock(self) -> None:
        unlock(self._fd)

    @contextmanager
    def locked(self) -> Iterator[None]:
        self.lock()
        try:
            yield
        finally:
            self.unlock()

    def new_lines(self) -> list[bytes]:
        """Lines added since the last call, by any process. Call under `locked`: an incomplete last line is set
        aside."""
        size = os.fstat(self._fd).st_size
        if size == self.written:
            return []
        if size < self.written:
            raise RunDamaged(f"{self.path} was shortened while it was in use")
        data = _read(self._fd, self.written, size)
        lines = data.split(b"\n")
        if _is_json(lines[-1]):
            # Only the newline is missing: the record is complete, and dropping it would mean paying twice.
            os.write(self._fd, b"\n")
        else:
            while lines and not _is_json(lines[-1]):
                lines.pop()
        whole = sum(len(line) + 1 for line in lines)
        if whole < size - self.written:
            self._set_aside(data[whole:])
        self.written += whole
        return lines

    def append(self, line: bytes) -> None:
        """Write one complete line, or leave the file unchanged."""
        data = line + b"\n"
        size = len(data)
        try:
            written = os.write(self._fd, data)
            while written < size:
                written += os.write(self._fd, data[written:])
        except OSError as error:
            self._fault = self._named(error)
            with suppress(OSError):
                os.ftruncate(self._fd, self.written)
            raise self._fault from None
        self.written += size

    async def kept(self) -> None:
        """Start syncing appended lines without waiting; they already survive a crash of this process. Raises an earlier
        error."""
        self._raise_fault()
        sync_soon(self.sync)

    async def synced(self) -> None:
        """Wait until all appended lines are on disk, without blocking the event loop."""
        await synced(self.sync)

    async def certain(self) -> None:
        """A file lock ends only with its process, so this is always certain."""

    def sync(self) -> None:
        """Block until all appended lines are on disk, unless the file is closed. Another thread may call this."""
        with self._syncing:
            self._raise_fault()
            size = self.written
            if size > self.on_disk and self._is_open:
                try:
                    sync_data(self._fd)
                except OSError as error:
                    self._fault = self._named(error)
                    raise self._fault from None
                self.on_disk = size

    def check(self, room: int) -> None:
        """Raise if the next line could not be stored: an earlier write failed, the disk has less than that many bytes
        left, or the file is gone or has become shorter."""
        self._raise_fault()
        here = os.fstat(self._fd)
        if here.st_nlink == 0 or here.st_size < self.written:
            what = "deleted" if here.st_nlink == 0 else "shortened"
            raise RunDamaged(f"{self.path} was {what} while it was in use: nothing more is asked")
        disk = os.fstatvfs(self._fd)
        # File systems without a size, such as some network ones, report 0 blocks.
        if disk.f_blocks and disk.f_bavail * disk.f_frsize < room:
            raise OSError(errno.ENOSPC, "The disk is full, so moot stopped before the next call", str(self.path))

    def _raise_fault(self) -> None:
        # The system reports a failure only once. Unwritten data stay unwritten, even if the next sync succeeds.
        if self._fault is not None:
            raise self._fault

    def _named(self, error: OSError) -> OSError:
        """The error with the name of this file, which errors of open files do not have."""
        return error if error.errno is None else OSError(error.errno, error.strerror, str(self.path))

    def replace(self, lines: Sequence[bytes], aside: Sequence[bytes]) -> None:
        """Atomically replace this file by one with these lines, and move lines that it no longer has to a file next to
        it. Call under `locked`; this object takes no more lines afterwards."""
        write_beside(self.path, _joined(aside))
        write_whole(self.path, _joined(lines))

    def close(self) -> None:
        with self._syncing:  # or the number would be that of another file
            self._is_open = False
            os.close(self._fd)

    def _set_aside(self, torn: bytes) -> None:
        """Move the last bytes of the file to a file next to it."""
        aside = write_beside(self.path, torn)
        os.ftruncate(self._fd, os.fstat(self._fd).st_size - len(torn))
        told = printable(f"the end of {self.path} could not be read and was set aside in {aside.name}")
        logging.getLogger(__name__).warning(told)


def line_of(value: BaseModel) -> bytes:
    """The value as `model_dump_json` has it, without decoding and encoding it again."""
    return value.__pydantic_serializer__.to_json(value)


def read_lines(path: Path) -> list[bytes]:
    """The complete lines of a file that may be being written; an incomplete last line is ignored."""
    return (read_file(path) or b"").split(b"\n")[:-1]


def last_line(path: Path) -> bytes | None:
    """The last complete line of such a file."""
    *lines, _ = (read_file(path) or b"").rsplit(b"\n", 2)
    return lines[-1] if lines else None


def _joined(lines: Sequence[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _is_json(data: bytes) -> bool:
    try:
        parse_json(data)
    except ValueError:
        return False
    return True


def _read(fd: int, start: int, end: int) -> bytes:
    parts = []
    while start < end and (part := os.pread(fd, end - start, start)):
        parts.append(part)
        start += len(part)
    return b"".join(parts)
