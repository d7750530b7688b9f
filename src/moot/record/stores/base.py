"""What a run asks of the place where it is kept. `folder` and `postgresql` are the two there are."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

CONFIG = "config.yaml"
LOG = "log.jsonl"
JOURNAL = "calls.jsonl"
RESULT = "result.json"


class Lines(Protocol):
    """Open lines that are only ever added to."""

    @property
    def path(self) -> Path | str:
        """Where they are, for messages."""

    def lock(self) -> None:
        """Hold them against other writers."""

    def unlock(self) -> None: ...

    def locked(self) -> AbstractContextManager[None]: ...

    def new_lines(self) -> list[bytes]:
        """Lines added since the last look, by whomever. Call under `locked`."""
        ...

    def append(self, line: bytes) -> None:
        """Add one line whole, without waiting for the disk."""

    async def kept(self) -> None:
        """Wait until all that was appended so far is safe from a crash of this process."""

    async def synced(self) -> None:
        """Wait until all that was appended so far is safe from a crash of the machine."""

    async def certain(self) -> None:
        """Return once it is certain that this process still holds the run; RunBusy when another has taken it over."""

    def sync(self) -> None:
        """Wait until it is safe from a crash of the machine; all other work in this thread waits too."""

    def close(self) -> None: ...


class Place(Protocol):
    """Where one run is kept: lines and documents by name. Reading takes no hold."""

    @property
    def name(self) -> str: ...

    @property
    def address(self) -> str:
        """What finds it again. There is no password in it."""
        ...

    @property
    def out(self) -> str:
        """What holds this run and others."""
        ...

    def hold(self) -> AbstractContextManager[None]:
        """Keep every other process from running this debate; RunBusy when one already does."""
        ...

    @property
    def busy(self) -> bool: ...

    def lines(self, name: str) -> Lines:
        """Open them, to read and to append."""
        ...

    def read_lines(self, name: str) -> Sequence[bytes]:
        """The whole lines there are, though somebody may be adding more; a last line that was cut off is left out."""
        ...

    def read(self, name: str) -> bytes | None:
        """A document, or None where there is none."""
        ...

    def write(self, name: str, text: str) -> None:
        """Write a document whole or not at all."""

    def names(self) -> list[str]:
        """The names of all that is kept: lines and documents, the config last."""
        ...

    def size(self, name: str) -> int:
        """How much there is of these lines: it grows with each."""
        ...

    def add_entry(self, draft: bytes) -> int:
        """Add an entry from outside to the log, whoever is running the debate, and return its seq: the draft is one
        without its place. RunBusy when whoever runs it does not let others in; it is added once they do."""
        ...

    def last_line(self, name: str) -> bytes | None: ...

    def sha256(self, name: str) -> str:
        """The hash of a document or of lines with their ends; empty where there is none."""
        ...

    def set_aside(self) -> list[str]:
        """The names of cut-off lines that were moved out of the way."""
        ...

    def strangers(self) -> list[str]:
        """What is kept there that is no file and leads elsewhere, in words."""
        ...

    def remove(self) -> None:
        """Leave nothing of the run."""
