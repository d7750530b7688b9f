"""Shares the speech of running debates in PostgreSQL with other processes.

Each process writes the new text of its debates a few times a second, in one transaction, so traffic is bounded by the
text itself. Rows are useless once a reply is complete, because its entry is in the log. A failed write does not affect
a debate: its speech is written again from the beginning.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field

from moot.database.connection import Database
from moot.errors import ConfigError
from moot.models.base import Usage
from moot.record.events import Answered, Asked, Event, Retried, Streamed

TELL_EVERY = 0.2
BEGUN, ASKED, STREAMED, RETRIED, ANSWERED = "begun", "asked", "streamed", "retried", "answered"
Row = tuple[int, str, str, str, str]
"""The run, what happened, the key and the agent of a call, and text."""


@dataclass(slots=True)
class _Run:
    """The speech in one run, by key, and the rows that are not written yet. If `anew`, all of it is written again,
    because others may have received something else."""

    speeches: dict[str, tuple[str, str]] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    over: list[str] = field(default_factory=list)
    anew: bool = True


class Speech:
    """The speech in the debates of this process."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._runs: dict[int, _Run] = {}
        self._gone: set[int] = set()
        self._telling: asyncio.Task[None] | None = None

    def hear(self, run: int, event: Event) -> None:
        """Process an event of a run; a follower of its debate."""
        said = self._runs.setdefault(run, _Run())
        self._gone.discard(run)
        match event:
            case Asked():
                said.speeches[event.key] = event.agent, ""
                said.rows.append((run, ASKED, event.key, event.agent, ""))
            case Streamed():
                before = said.speeches.get(event.key, (event.agent, ""))[1]
                said.speeches[event.key] = event.agent, before + event.text
                _add_text(said.rows, (run, STREAMED, event.key, event.agent, event.text))
            case Retried():
                said.speeches[event.key] = event.agent, ""
                said.rows.append((run, RETRIED, event.key, event.agent, ""))
            case Answered():
                said.speeches.pop(event.key, None)
                said.over.append(event.key)
                said.rows = [row for row in said.rows if row[2] != event.key]
                said.rows.append((run, ANSWERED, event.key, event.agent, ""))
            case _:
                return
        self._tell_soon()

    def end(self, run: int) -> None:
        """End the speech in that run."""
        if self._runs.pop(run, None) is not None:
            self._gone.add(run)
            self._tell_soon()

    async def close(self) -> None:
        """Remove all speech."""
        for run in list(self._runs):
            self.end(run)
        if self._telling is not None:
            await asyncio.wait([self._telling], timeout=10 * TELL_EVERY)
            self._telling.cancel()

    def _tell_soon(self) -> None:
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        while self._gone or any(said.rows for said in self._runs.values()):
            await asyncio.sleep(TELL_EVERY)
            written = {run: said for run, said in self._runs.items() if said.rows}
            gone, self._gone = self._gone, set()
            cleared = [*gone, *(run for run, said in written.items() if said.anew)]
            over = [(run, key) for run, said in written.items() for key in said.over]
            rows = [row for run, said in written.items() for row in (_all_of(run, said) if said.anew else said.rows)]
            for said in written.values():
                said.rows, said.over, said.anew = [], [], False
            try:
                await asyncio.to_thread(self._write, cleared, over, rows)
            except (OSError, ConfigError):
                for said in written.values():
                    said.anew = True
                self._gone |= gone - self._runs.keys()

    def _write(self, cleared: list[int], over: list[tuple[int, str]], rows: list[Row]) -> None:
        with self._database.connection() as connection, connection.transaction():
            connection.execute("SET LOCAL synchronous_commit TO off")
            if cleared:
                connection.execute("DELETE FROM moot_speech WHERE run = ANY(%s)", [cleared])
            if over:
                connection.execute(
                    "DELETE FROM moot_speech s USING unnest(%s::bigint[], %s::text[]) AS o (run, key) "
                    "WHERE s.run = o.run AND s.key = o.key",
                    _columns(over),
                )
            if rows:
                connection.execute(
                    "INSERT INTO moot_speech (run, kind, key, agent, text) SELECT run, kind, key, agent, text "
                    "FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::text[], %s::text[]) WITH ORDINALITY "
                    "AS new (run, kind, key, agent, text, place) ORDER BY place",
                    _columns([(run, kind, key, agent, text.replace("\0", "")) for run, kind, key, agent, text in rows]),
                )


def event_of(kind: str, key: str, agent: str, text: str) -> Event | None:
    """The event of a row; None if all earlier speech is void because another process has resumed the run."""
    match kind:
        case "asked":
            return Asked(key, agent, "")
        case "streamed":
            return Streamed(key, agent, text)
        case "retried":
            return Retried(key, agent, "", "", "", 0.0)
        case "answered":
            return Answered(key, agent, "", Usage())
        case _:
            return None


def _add_text(rows: list[Row], row: Row) -> None:
    """Add text, to the last row if that belongs to the same reply."""
    if rows and rows[-1][1:3] == row[1:3]:
        row = (*row[:4], rows.pop()[4] + row[4])
    rows.append(row)


def _all_of(run: int, said: _Run) -> list[Row]:
    rows: list[Row] = [(run, BEGUN, "", "", "")]
    for key, (agent, text) in said.speeches.items():
        rows += [(run, ASKED, key, agent, ""), (run, STREAMED, key, agent, text)]
    return rows


def _columns(rows: Iterable[tuple[object, ...]]) -> list[list[object]]:
    return [list(column) for column in zip(*rows, strict=True)]
