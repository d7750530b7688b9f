"""The log: append-only, one entry per line, numbered and chained by hash.

It knows nothing of scripts or models. The caller decides on the order; entries get their seq here, counted from 0, and
many processes may append to one log at once.
"""

import hashlib
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from pydantic import ValidationError

from moot.errors import ConfigError, MootError, RunDamaged
from moot.present.data import first_fault
from moot.record.entry import GENESIS, Draft, Entry, now
from moot.record.lines import LineFile, line_of, read_lines
from moot.record.payloads import COMMON, Payloads
from moot.record.stores.base import Lines


class Log:
    """An open log, in a file or elsewhere. `entries` are those that this process has read."""

    def __init__(self, where: Path | Lines, payloads: Payloads = COMMON) -> None:
        self._payloads = payloads
        self._file: Lines = LineFile(where) if isinstance(where, Path) else where
        self.entries: list[Entry] = []
        self.head = GENESIS
        with ExitStack() as failing:  # a run that failed to open must not stay locked
            failing.callback(self._file.close)
            self.catch_up()
            failing.pop_all()

    def append(self, draft: Draft) -> Entry:
        """Write the draft as the next entry, after any that others have appended."""
        with self._file.locked():
            self._catch_up()
            entry = draft.at(len(self.entries), self.head)
            line = line_of(entry)
            self._file.append(line)
            draft.number = entry.seq
            self.entries.append(entry)
            self.head = line_hash(line)
            return entry

    def catch_up(self) -> None:
        """Read what others have appended."""
        with self._file.locked():
            self._catch_up()

    async def synced(self) -> None:
        """Wait until it is on disk."""
        await self._file.synced()

    def sync(self) -> None:
        """Block until it is on disk."""
        self._file.sync()

    def close(self) -> None:
        # The journal is synced reply by reply and the log can be derived from it, so once is enough here.
        try:
            self._file.sync()
        finally:
            self._file.close()

    def _catch_up(self) -> None:
        for line in self._file.new_lines():
            self.entries.append(parse_line(line, len(self.entries), self._file.path, self._payloads))
            self.head = line_hash(line)


def line_hash(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def read_log(path: Path, payloads: Payloads = COMMON) -> list[Entry]:
    """All complete entries of a log, even while it is being written."""
    return parse_log(read_lines(path), path, payloads)


def parse_log(lines: Sequence[bytes], where: Path | str, payloads: Payloads = COMMON) -> list[Entry]:
    """Parse these lines; `where` is for error messages, `payloads` are those of the run's protocol."""
    return [parse_line(line, seq, where, payloads) for seq, line in enumerate(lines)]


def head_of(lines: Sequence[bytes]) -> str:
    return line_hash(lines[-1]) if lines else GENESIS


def chain_faults(lines: Sequence[bytes], payloads: Payloads = COMMON) -> list[str]:
    """Descriptions of broken links in the chain; empty if every line follows from the one before. A changed last line
    breaks no link: the receipt detects that."""
    faults = []
    head, expected = GENESIS, 0
    for number, line in enumerate(lines, 1):
        try:
            entry = Entry.read(line, payloads)
        except ValidationError as error:
            faults.append(f"line {number} is not an entry: {first_fault(error)}")
            head, expected = line_hash(line), expected + 1
            continue
        if entry.seq > expected:
            faults.append(f"line {number}: entries {expected} to {entry.seq - 1} are missing before seq {entry.seq}")
        elif entry.seq < expected:
            faults.append(f"line {number}: seq {entry.seq} stands where {expected} belongs")
        elif entry.prev != head:
            before = f"entry {entry.seq - 1} is not the one that" if number > 1 else "the start of the log is not what"
            faults.append(f"line {number}: {before} entry {entry.seq} was chained to; one of the two was altered")
        head, expected = line_hash(line), entry.seq + 1
    return faults


def take_back(path: Path, seq: int, payloads: Payloads = COMMON) -> None:
    """Set this entry and all later ones aside. Outside entries that were appended since stay, unless they refer to an
    entry that is gone. Nobody may have the log open for writing except to append from outside."""
    file = LineFile(path)
    with closing(file), file.locked():
        lines = file.new_lines()
        kept, gone = lines[:seq], lines[seq:]
        for entry in parse_log(lines, path, payloads)[seq:]:
            if entry.outside and all(one is None or one < seq for one in (entry.rebuttal_to_seq, entry.target_seq)):
                moved = entry.model_copy(update={"seq": len(kept), "prev": head_of(kept)})
                kept.append(line_of(moved))
        file.replace(kept, gone)


def parse_line(line: bytes, seq: int, path: Path | str, payloads: Payloads) -> Entry:
    """Parse the line at that place; RunDamaged if it is not an entry."""
    try:
        entry = Entry.read(line, payloads)
    except ValidationError as error:
        raise RunDamaged(
            f"{path}, line {seq + 1} is not a log entry: {first_fault(error)}. If the journal is whole, take the log "
            "away and `moot resume` derives it again."
        ) from error
    if entry.seq != seq:
        raise RunDamaged(f"{path}, line {seq + 1} has seq {entry.seq}, not {seq}; `moot verify` says more")
    return entry


def placed(draft: bytes, seq: int, prev: str) -> bytes:
    """The log line for a draft at this place, with the current time; ConfigError if it is not an outside entry."""
    try:
        entry = Entry.read(draft, COMMON)
    except (ValueError, MootError):
        raise ConfigError("what was handed over for the log is not an entry") from None
    if not entry.outside:
        raise ConfigError("what was handed over for the log is not marked as coming from outside")
    return line_of(entry.model_copy(update={"seq": seq, "prev": prev, "timestamp": now()}))
