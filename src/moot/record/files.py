"""Files in a folder from an untrusted source: opened relative to it, and never through a link.

The folder itself can be reached through links. Inside it only regular files are opened, so that no link, pipe or device
can cause anything outside to be read, written or waited for. A new file gets an unguessable name that must not exist,
and is then renamed.
"""

import errno
import hashlib
import os
import re
import secrets
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from moot.errors import ConfigError, RunBusy, RunDamaged
from moot.record.fsync import synced
from moot.system import GUARDED, lock

LARGEST = 1 << 30
"""The maximum size of a file in bytes. Debates are far smaller; a sparse file can claim any size."""
_TEMPORARY = re.compile(r"\..+\.[0-9a-f]{16}")
"""The names of files that are being written."""

CHECKSUMS = "SHA256SUMS"


def checksums(files: Mapping[str, bytes]) -> bytes:
    """The hashes of files by name, as `sha256sum -c` reads them."""
    lines = (f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items()))
    return "".join(lines).encode()


def make_folder(path: Path, what: str, *, new: bool = False) -> None:
    """Make a folder, and those above it; ConfigError if that fails or, of a `new` one, if it is there. `what` names it
    in the error."""
    try:
        path.mkdir(parents=True, exist_ok=not new)
    except OSError as error:
        raise ConfigError(f"{what} {path} cannot be made: {error.strerror}") from error


@contextmanager
def opened_folder(path: Path) -> Iterator[int]:
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield folder
    finally:
        os.close(folder)


def open_file(path: Path, flags: int = os.O_RDONLY) -> int:
    """Open a regular file; RunDamaged if it is something else. A file that will be written must not have a second hard
    link, through which the change would be visible elsewhere."""
    with opened_folder(path.parent) as folder:
        try:
            file = os.open(path.name, flags | GUARDED, 0o644, dir_fd=folder)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENXIO, errno.EMLINK, errno.EISDIR):
                raise _refused(path, _found_at(path, folder)) from None
            raise OSError(error.errno, error.strerror, str(path)) from None
    found = os.fstat(file)
    why = _stranger(found.st_mode)
    if why is None and found.st_size > LARGEST:
        why = f"larger than {LARGEST >> 30} GiB"
    if why is None and flags & (os.O_WRONLY | os.O_RDWR) and found.st_nlink > 1:
        why = "the same as another file (a hard link), which would change with it; copy the folder first"
    if why is not None:
        os.close(file)
        raise _refused(path, why)
    return file


def read_file(path: Path, most: int = -1) -> bytes | None:
    """The content of a regular file, or its first bytes; None if it does not exist."""
    try:
        file = open_file(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    with os.fdopen(file, "rb") as opened:
        return opened.read(most)


def write_whole(path: Path, data: bytes, *, sync: bool = True) -> None:
    """Write a file atomically, replacing whatever has its name."""
    with _replacement(path, data) as file:
        if sync:
            os.fsync(file)


async def keep_whole(path: Path, data: bytes) -> None:
    """As `write_whole`, without blocking the event loop while the disk works."""
    with _replacement(path, data) as file:
        await synced(lambda: os.fsync(file))


@contextmanager
def _replacement(path: Path, data: bytes) -> Iterator[int]:
    """A new file with these bytes, as its open handle. At the end it gets the name of the file that it replaces. It
    must be on disk by then: otherwise, a crash of the machine may leave an empty file under that name."""
    with opened_folder(path.parent) as folder:
        temporary = path.with_name(f".{path.name[:100]}.{secrets.token_hex(8)}")
        try:
            with _created(temporary, folder, data) as file:
                with suppress(OSError):  # not all file systems have locks
                    lock(file)  # `remove_abandoned` leaves it alone
                yield file
            os.replace(temporary.name, path.name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException as error:  # whatever ends the writing, the half-written file goes away
            with suppress(OSError):
                os.unlink(temporary.name, dir_fd=folder)
            if isinstance(error, OSError):
                raise OSError(error.errno, error.strerror, str(path)) from None
            raise


def remove_abandoned(path: Path) -> None:
    """Remove the temporary files that killed processes left in this folder. Those of living ones are locked."""
    for one in path.iterdir():
        if _TEMPORARY.fullmatch(one.name):
            with suppress(OSError, RunDamaged):
                file = open_file(one)
                try:
                    if lock(file):
                        one.unlink()
                finally:
                    os.close(file)


def write_beside(path: Path, data: bytes) -> Path:
    """Write these bytes to a new file next to this one, with the first free name of `NAME.torn-1`, …"""
    number = 1
    with opened_folder(path.parent) as folder:
        while True:
            aside = path.with_name(f"{path.name}.torn-{number}")
            try:
                with _created(aside, folder, data) as file:
                    os.fsync(file)
            except FileExistsError:
                number += 1
            else:
                return aside


def mark(path: Path) -> None:
    """Create an empty file."""
    os.close(open_file(path, os.O_WRONLY | os.O_CREAT))


def strangers(path: Path) -> list[str]:
    """Descriptions of what is neither a file nor a folder in this folder."""
    with os.scandir(path) as found:
        kinds = {one.name: _stranger(one.stat(follow_symlinks=False).st_mode, folders=True) for one in found}
    return [f"{name} is {kind}" for name, kind in sorted(kinds.items()) if kind is not None]


def check_folder(path: Path) -> None:
    """RunDamaged if something in the folder leads out of it."""
    if found := strangers(path):
        name = found[0].encode(errors="backslashreplace").decode()
        raise RunDamaged(f"{path} is not used: {name}, and moot puts none there")


@contextmanager
def _created(path: Path, folder: int, data: bytes) -> Iterator[int]:
    """A new file with these bytes, open."""
    handle = os.open(path.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | GUARDED, 0o644, dir_fd=folder)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        yield handle


def _found_at(path: Path, folder: int) -> str:
    try:
        return _stranger(os.stat(path.name, dir_fd=folder, follow_symlinks=False).st_mode) or "no plain file"
    except OSError:
        return "no plain file"


def _stranger(mode: int, *, folders: bool = False) -> str | None:
    """A description of what this is, unless it is a regular file or, if allowed, a folder."""
    if stat.S_ISREG(mode) or (folders and stat.S_ISDIR(mode)):
        return None
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISLNK(mode):
        return "a link"
    return "a pipe" if stat.S_ISFIFO(mode) else "a device" if not stat.S_ISSOCK(mode) else "a socket"


def _refused(path: Path, why: str) -> RunDamaged:
    return RunDamaged(f"{path} is not opened: it is {why}")


@contextmanager
def locked(path: Path, busy: str | None = None) -> Iterator[None]:
    """Lock this file or folder against other processes. If it is locked, wait; or raise RunBusy with the message
    `busy`."""
    # A folder may be reached through links. A file may not: it may have been created by another user.
    handle = os.open(path.resolve() if path.is_dir() else path, os.O_RDONLY | GUARDED)
    try:
        if not lock(handle, wait=busy is None):
            raise RunBusy(busy or "")
        yield
    finally:
        os.close(handle)
