"""A worker's view of the queue: it claims debates, sends heartbeats, and takes over from workers that have died.

Every statement is durable before it returns, can be repeated safely, and never changes a debate that another worker
owns by now.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from moot.database.connection import Database
from moot.errors import ConfigError
from moot.text.json import parse_json

if TYPE_CHECKING:
    import psycopg


@dataclass(frozen=True, slots=True)
class Order:
    """What a job asks for: a config, changes to it, and the hashes of the content that it carries, by name."""

    config: dict[str, Any]
    limits: dict[str, Any]
    material: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Claim:
    """A debate that this worker has claimed. `put_back` counts the attempts that failed. Config, limits and material
    are JSON that anybody may have written. They are read when the debate starts, so that a bad job fails alone."""

    run: int
    name: str
    config: str
    limits: str
    reports: bool
    put_back: int
    material: str

    def order(self) -> Order:
        """ConfigError if it cannot be read."""
        found: dict[str, dict[str, Any]] = {}
        for key in ("config", "limits", "material"):
            try:
                found[key] = parse_json(getattr(self, key))
            except ValueError as error:
                raise ConfigError(f"the job cannot be read: its {key} is {error}") from None
            if not isinstance(found[key], dict):
                raise ConfigError(f"the job cannot be read: its {key} should be a mapping of keys to values")
        return Order(**found)


@dataclass(frozen=True, slots=True)
class QueueState:
    """The state of the queue for a worker: `new` debates, debates of its own to `stop`, debates that it has `lost`, and
    the heartbeats of all other workers."""

    new: Sequence[Claim]
    stop: Collection[int]
    lost: Collection[int]
    beats: Mapping[int, int]


@dataclass(slots=True)
class Watch:
    """Finds workers without heartbeats. Only time in which a heartbeat could have been seen counts, so no worker is
    blamed while the database or this process was away."""

    takeover: float
    _beats: dict[int, int] = field(default_factory=dict)
    _silence: dict[int, float] = field(default_factory=dict)
    _looked: float | None = None

    def look(self, now: float, beats: Mapping[int, int]) -> dict[int, int]:
        """The workers that were silent for that long, with the last heartbeat of each."""
        # A late check has not observed more than a punctual one.
        passed = 0.0 if self._looked is None else min(now - self._looked, self.takeover / 4)
        self._silence = {
            worker: self._silence.get(worker, 0.0) + passed if self._beats.get(worker) == beat else 0.0
            for worker, beat in beats.items()
        }
        self._beats, self._looked = dict(beats), now
        return {worker: beats[worker] for worker, silence in self._silence.items() if silence >= self.takeover}

    def forget(self) -> None:
        """Start over: the database was away."""
        self._beats.clear()
        self._looked = None


class Claims:
    """The claims of one worker. `most` is the maximum number at a time."""

    def __init__(self, database: Database, most: int) -> None:
        self._database = database
        self._most = most
        self._worker: int | None = None

    def look(self, in_hand: Collection[int], *, claim: bool = True) -> QueueState:
        """Send a heartbeat, claim as many debates as there is room for, and check the debates in hand. DatabaseAway if
        the database cannot be reached."""
        with self._database.connection() as connection, connection.transaction():
            self._beat(connection)
            if claim:
                connection.execute(_CLAIM, [self._worker, self._most, self._worker])
            mine = dict(connection.execute(_MINE, [self._worker]).fetchall())
            # A claim whose answer was lost is new here too.
            rows = connection.execute(_CLAIMED, [[run for run in mine if run not in in_hand]])
            new = [Claim(*row) for row in rows]
            beats = dict(
                connection.execute("SELECT id, beats FROM moot_workers WHERE id <> %s", [self._worker]).fetchall()
            )
        stop = {run for run in in_hand if mine.get(run)}
        return QueueState(new, stop, {run for run in in_hand if run not in mine}, beats)

    def _beat(self, connection: "psycopg.Connection[Any]") -> None:
        beat = "UPDATE moot_workers SET beats = beats + 1 WHERE id = %s RETURNING id"
        if connection.execute(beat, [self._worker]).fetchone() is None:
            # This worker is new, or was taken for dead and has lost its debates.
            row = connection.execute("INSERT INTO moot_workers DEFAULT VALUES RETURNING id").fetchone()
            self._worker = row[0] if row else None

    def take_over(self, silent: Mapping[int, int]) -> int:
        """Put back the debates of these workers, unless they have sent a heartbeat since; return the number of
        debates."""
        with self._database.connection() as connection, connection.transaction():
            gone = [
                worker
                for worker, beat in silent.items()
                if connection.execute(
                    "DELETE FROM moot_workers WHERE id = %s AND beats = %s RETURNING id", [worker, beat]
                ).fetchone()
            ]
            return len(connection.execute(_PUT_BACK, [gone]).fetchall())

    def end(
        self, run: int, state: str, reason: str | None, calls: int | None = None, cost: float | None = None
    ) -> None:
        self._database.rows(_END, [state, reason, calls, cost, run, self._worker])

    def put_back(self, run: int, wait: float, tried: int | None = None) -> None:
        """Let any worker claim it after `wait` seconds; `tried` is the number of failed attempts, if this one
        counts."""
        self._database.rows(_PUT_BACK_ONE, [wait, tried, run, self._worker])

    def leave(self) -> None:
        """Remove this worker, and put back its debates."""
        if self._worker is not None:
            self._database.patiently(self._leave)

    def _leave(self, connection: "psycopg.Connection[Any]") -> None:
        with connection.transaction():
            connection.execute(_PUT_BACK, [[self._worker]])
            connection.execute("DELETE FROM moot_workers WHERE id = %s", [self._worker])


_CLAIM = """
UPDATE moot_debates SET state = 'running', worker = %s WHERE run IN (
    SELECT run FROM moot_debates WHERE state = 'waiting' AND (not_before IS NULL OR not_before <= clock_timestamp())
    ORDER BY run LIMIT greatest(0, %s - (SELECT count(*) FROM moot_debates WHERE worker = %s))
    FOR UPDATE SKIP LOCKED
)
"""
_MINE = "SELECT run, stop FROM moot_debates WHERE worker = %s"
_CLAIMED = """
SELECT d.run, r.name, d.config::text, d.limits::text, d.reports, d.put_back, d.material::text
FROM moot_debates d JOIN moot_runs r ON r.id = d.run WHERE d.run = ANY(%s) ORDER BY d.run
"""
_END = """
UPDATE moot_debates SET state = %s, reason = %s, calls = coalesce(%s, calls), cost = %s, ended = clock_timestamp(),
    worker = NULL
WHERE run = %s AND worker = %s
"""
_PUT_BACK = """
UPDATE moot_debates SET worker = NULL, state = CASE WHEN stop THEN 'cancelled' ELSE 'waiting' END,
    ended = CASE WHEN stop THEN clock_timestamp() END
WHERE worker = ANY(%s) RETURNING run
"""
"""A debate that was told to stop has no worker left to stop it."""
_PUT_BACK_ONE = """
UPDATE moot_debates SET worker = NULL, state = CASE WHEN stop THEN 'cancelled' ELSE 'waiting' END,
    ended = CASE WHEN stop THEN clock_timestamp() END,
    not_before = clock_timestamp() + make_interval(secs => %s), put_back = coalesce(%s, put_back)
WHERE run = %s AND worker = %s
"""
