"""The runs of a service in a PostgreSQL database, shared with other servers and workers."""

from contextlib import suppress
from functools import partial

from moot.database.connection import open_database
from moot.database.runs import Stored, named
from moot.database.schema import LOCK
from moot.engine.define.config import RunConfig
from moot.engine.staging.finding import StudyFolder
from moot.engine.staging.runs import Run
from moot.record.stores.base import RESULT
from moot.runs.tags import TAGS
from moot.service.store import ListedRun


class DatabaseStore:
    def __init__(self, out: str) -> None:
        self.out = out
        self.database = open_database(out)
        self.shown = self.database.shown

    def settle(self) -> None:
        self.database.writer.settle()

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
        return any(self._state(run))

    def queued(self, run: Run) -> bool:
        return self._state(run)[1]

    def _state(self, run: Run) -> tuple[bool, bool]:
        """Whether a process holds the run, and whether it is queued. A run that is gone is neither."""
        self.settle()  # this process may have let go of it only a moment ago
        assert isinstance(run.place, Stored)  # noqa: S101 (found there)
        statement = f"SELECT {_HELD}, {_QUEUED} {_RUNS} WHERE r.id = %s"
        rows = self.database.rows(statement, [LOCK, run.place.number])
        return (rows[0][0], rows[0][1]) if rows else (False, False)

    def reachable(self) -> bool:
        with suppress(ConnectionError), self.database.connection() as connection:
            connection.execute("SELECT 1")
            return True
        return False

    def listed_runs(self) -> list[ListedRun]:
        self.settle()
        statement = f"""
            SELECT r.id, r.name, r.created, concat(c.xmin::text, ' ', t.xmin::text), {_HELD} OR {_QUEUED} {_RUNS}
            LEFT JOIN moot_documents c ON c.run = r.id AND c.name = %s
            LEFT JOIN moot_documents t ON t.run = r.id AND t.name = %s ORDER BY r.created, r.id
        """
        return [
            ListedRun(Run(Stored(self.database, number, name)), made, (number, version), partial(bool, running))
            for number, name, made, version, running in self.database.rows(statement, [LOCK, RESULT, TAGS])
        ]


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
