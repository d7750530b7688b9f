"""The interface of the places where runs are stored; `folder`, and the room `database`, implement it."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

CONFIG = "config.yaml"
LOG = "log.jsonl"
JOURNAL = "calls.jsonl"
RESULT = "result.json"


class Lines(Protocol):
    """An open append-only sequence of lines."""

    @property
    def path(self) -> Path | str:
        """Their location, for messages."""

    def lock(self) -> None:
        """Lock them against other writers."""

    def unlock(self) -> None: ...

    def locked(self) -> AbstractContextManager[None]: ...

    def new_lines(self) -> list[bytes]:
        """Lines added since the last call, by any process. Call under `locked`."""
        ...

    def append(self, line: bytes) -> None:
        """Append one complete line, without waiting for the disk."""

    async def kept(self) -> None:
        """Wait until all that was appended so far is safe from a crash of this process."""

    async def synced(self) -> None:
        """Wait until all that was appended so far is safe from a crash of the machine."""

    async def certain(self) -> None:
        """Return when it is certain that this process still holds the run; RunBusy if another has taken it over."""

    def sync(self) -> None:
        """Block until it is safe from a crash of the machine."""

    def close(self) -> None: ...


class Place(Protocol):
    """The storage of one run: lines and documents by name. Reading needs no lock."""

    @property
    def name(self) -> str: ...

    @property
    def address(self) -> str:
        """The address of the run, without a password."""
        ...

    @property
    def out(self) -> str:
        """The folder or database that contains this run."""
        ...

    def hold(self) -> AbstractContextManager[None]:
        """Prevent other processes from running this debate; RunBusy if one already does."""
        ...

    @property
    def busy(self) -> bool: ...

    def lines(self, name: str) -> Lines:
        """Open them, to read and to append."""
        ...

    def read_lines(self, name: str) -> Sequence[bytes]:
        """The complete lines, even while more are being added; an incomplete last line is left out."""
        ...

    def read(self, name: str) -> bytes | None:
        """A document, or None if it does not exist."""
        ...

    def write(self, name: str, text: str) -> None:
        """Write a document atomically."""

    async def keep(self, documents: Mapping[str, str]) -> None:
        """Write several, each atomically, without blocking the event loop."""

    def names(self) -> list[str]:
        """The names of all lines and documents, the config last."""
        ...

    def size(self, name: str) -> int:
        """The size of these lines, which grows with each."""
        ...

    def add_entry(self, draft: bytes) -> int:
        """Append an outside entry to the log, even while another process runs the debate, and return its seq. RunBusy
        if that process does not accept it in time; it is added later."""
        ...

    def last_line(self, name: str) -> bytes | None: ...

    def sha256(self, name: str) -> str:
        """The hash of a document or of lines with newlines; empty if it does not exist."""
        ...

    def set_aside(self) -> list[str]:
        """The names of files with lines that were set aside."""
        ...

    def strangers(self) -> list[str]:
        """Descriptions of what is not a file and leads elsewhere."""
        ...

    def remove(self) -> None:
        """Delete the run."""
