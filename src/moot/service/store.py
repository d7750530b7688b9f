"""The runs of a service: in a folder, or in a PostgreSQL database shared with other servers and workers."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Protocol

from moot.database.connection import is_address, open_database
from moot.database.runs import Stored, named
from moot.database.schema import LOCK
from moot.engine.define.config import RunConfig
from moot.engine.staging.finding import StudyFolder, find_nested, list_studies
from moot.engine.staging.runs import Run, is_run, list_runs
from moot.errors import RunDamaged
from moot.record.stores.base import CONFIG, RESULT
from moot.runs.tags import TAGS


@dataclass(frozen=True, slots=True)
class ListedRun:
    """A run in a list. `version` changes when its config, its result or its tags do."""

    run: Run
    made: datetime
    version: object
    running: Callable[[], bool]


class Store(Protocol):
    """The runs there are, and which of them are running."""

    @property
    def out(self) -> str: ...

    @property
    def shown(self) -> str:
        """The location, without a password."""
        ...

    def find(self, name: str) -> Run | None:
        """The run of exactly that name."""
        ...

    def at(self, address: str, config: RunConfig | None = None) -> Run:
        """The run that was just created there."""
        ...

    def running(self, run: Run) -> bool:
        """Whether it is running or queued."""
        ...

    def listed_runs(self) -> list[ListedRun]:
        """All runs, oldest first, except for those inside studies."""
        ...

    def studies(self) -> list[StudyFolder]:
        """The batches and evaluations, by name; a database has none."""
        ...


def open_store(out: str) -> "FolderStore | DatabaseStore":
    return DatabaseStore(out) if is_address(out) else FolderStore(out)


class FolderStore:
    def __init__(self, out: str) -> None:
        self.out = self.shown = out

    def find(self, name: str) -> Run | None:
        path = Path(self.out) / name
        return Run(path) if is_run(path) else find_nested(name, self.out)

    def studies(self) -> list[StudyFolder]:
        return list_studies(self.out)

    def at(self, address: str, config: RunConfig | None = None) -> Run:
        return Run(Path(address), config)

    def running(self, run: Run) -> bool:
        with suppress(OSError, RunDamaged):
            return run.busy
        return False

    def listed_runs(self) -> list[ListedRun]:
        return [self._listed(run) for run in list_runs(self.out)]

    def _listed(self, run: Run) -> ListedRun:
        times = [_changed(run.path / name) for name in (CONFIG, RESULT, TAGS)]
        made = datetime.fromtimestamp(times[0] / 1e9, UTC)
        return ListedRun(run, made, tuple(times), partial(self.running, run))


@dataclass(frozen=True, slots=True)
class State:
    """The state of a run in a database: held by a process, or queued for workers."""

    held: bool
    queued: bool

    @property
    def running(self) -> bool:
        return self.held or self.queued


class DatabaseStore:
    def __init__(self, out: str) -> None:
        self.out = out
        self.database = open_database(out)
        self.shown = self.database.shown

    def find(self, name: str) -> Run | None:
        place = named(self.out, name)
        return Run(place) if place is not None else None

    def studies(self) -> list[StudyFolder]:
        return []

    def at(self, address: str, config: RunConfig | None = None) -> Run:
        place = named(self.out, address.rpartition("#")[2])
        assert place is not None  # noqa: S101 (it has just been made)
        return Run(place, config)

    def running(self, run: Run) -> bool:
        number = number_of(run)
        return self.states([number])[number].running

    def states(self, numbers: Sequence[int]) -> dict[int, State]:
        """The states of runs, by number. A run that is gone is not running."""
        self.database.writer.settle()  # this process may have let go of some only a moment ago
        rows = self.database.rows(
            f"SELECT r.id, {_HELD}, {_QUEUED} {_RUNS} WHERE r.id = ANY(%s)", [LOCK, list(numbers)]
        )
        found = {number: State(held, queued) for number, held, queued in rows}
        return {number: found.get(number, State(False, False)) for number in numbers}

    def listed_runs(self) -> list[ListedRun]:
        self.database.writer.settle()
        statement = f"""
            SELECT r.id, r.name, r.created, concat(c.xmin::text, ' ', t.xmin::text), {_HELD} OR {_QUEUED} {_RUNS}
            LEFT JOIN moot_documents c ON c.run = r.id AND c.name = %s
            LEFT JOIN moot_documents t ON t.run = r.id AND t.name = %s ORDER BY r.created, r.id
        """
        return [
            ListedRun(Run(Stored(self.database, number, name)), made, (number, version), partial(bool, running))
            for number, name, made, version, running in self.database.rows(statement, [LOCK, RESULT, TAGS])
        ]


def number_of(run: Run) -> int:
    """The number of a run in its database."""
    assert isinstance(run.place, Stored)  # noqa: S101 (found there)
    return run.place.number


_RUNS = """
FROM moot_runs r LEFT JOIN moot_debates d ON d.run = r.id AND d.ended IS NULL
LEFT JOIN (
    SELECT DISTINCT objid::bigint AS run FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND objsubid = 2
    AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
) l ON l.run = r.id
"""
_HELD = "l.run IS NOT NULL"
_QUEUED = "(d.run IS NOT NULL AND NOT d.stop)"
"""A debate that was told to stop belongs to its worker only while that holds it."""


def _changed(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_mtime_ns
    return 0
