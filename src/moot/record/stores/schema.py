"""The tables of moot in PostgreSQL, and their migrations."""

from typing import TYPE_CHECKING, Any

from moot.errors import ConfigError

if TYPE_CHECKING:
    import psycopg

LOCK = 20062
"""The first number of every advisory lock on a run; the second is the run's. Alone it guards the migrations."""

MIGRATIONS: list[list[str]] = [
    [
        # `epoch` counts who has held the run. Lines are taken only from the one who holds it now, so a process that
        # was believed dead, and was not, cannot add to what another has taken over.
        """
        CREATE TABLE moot_runs (
            id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name TEXT NOT NULL UNIQUE,
            epoch BIGINT NOT NULL DEFAULT 0, created TIMESTAMPTZ NOT NULL DEFAULT now()
        )
        """,
        """
        CREATE TABLE moot_lines (
            run BIGINT NOT NULL, file TEXT NOT NULL, number INTEGER NOT NULL, line BYTEA NOT NULL,
            PRIMARY KEY (run, file, number)
        )
        """,
        """
        CREATE TABLE moot_documents (
            run BIGINT NOT NULL, name TEXT NOT NULL, content BYTEA NOT NULL, PRIMARY KEY (run, name)
        )
        """,
        # The debates that workers are to run. `limits` are those of this turn, `times` how often one was submitted.
        # `config` is that of the run once more: reading it as YAML costs as much as a quarter of the debate.
        """
        CREATE TABLE moot_debates (
            run BIGINT PRIMARY KEY, batch TEXT NOT NULL, debate TEXT NOT NULL, config JSON NOT NULL,
            limits JSON NOT NULL, reports BOOLEAN NOT NULL, times INTEGER NOT NULL DEFAULT 1, job BIGINT,
            state TEXT NOT NULL DEFAULT 'waiting', reason TEXT, calls INTEGER NOT NULL DEFAULT 0,
            cost DOUBLE PRECISION DEFAULT 0, ended TIMESTAMPTZ, UNIQUE (batch, debate)
        )
        """,
        "CREATE INDEX moot_debates_ended ON moot_debates (batch, ended)",
        # How many calls to an endpoint each worker may have under way; their sum keeps the endpoint's limit.
        "CREATE TABLE moot_endpoints (address TEXT PRIMARY KEY, paused_until TIMESTAMPTZ)",
        """
        CREATE TABLE moot_leases (
            endpoint TEXT NOT NULL, worker TEXT NOT NULL, slots INTEGER NOT NULL, wanted INTEGER NOT NULL,
            seen TIMESTAMPTZ NOT NULL, PRIMARY KEY (endpoint, worker)
        )
        """,
    ],
    [
        # Where a rate holds: the next time at which a call may start that no worker has; and of each worker the lowest
        # rate that its calls ask for, for how many more it could use a time, and how many it has had.
        "ALTER TABLE moot_endpoints ADD COLUMN next_at TIMESTAMPTZ",
        """
        ALTER TABLE moot_leases ADD COLUMN rate INTEGER, ADD COLUMN calls INTEGER NOT NULL DEFAULT 0,
            ADD COLUMN times BIGINT NOT NULL DEFAULT 0
        """,
    ],
    [
        # A worker counts its `beats`; whoever sees no new one for long takes its debates over. A debate is one worker's
        # at a time. It may have been told to `stop`, and is left alone until `not_before` where it was `put_back`.
        """
        CREATE TABLE moot_workers (
            id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, beats BIGINT NOT NULL DEFAULT 0
        )
        """,
        """
        ALTER TABLE moot_debates DROP COLUMN job, ADD COLUMN worker BIGINT,
            ADD COLUMN stop BOOLEAN NOT NULL DEFAULT false, ADD COLUMN not_before TIMESTAMPTZ,
            ADD COLUMN put_back INTEGER NOT NULL DEFAULT 0
        """,
        "CREATE INDEX moot_debates_waiting ON moot_debates (run) WHERE state = 'waiting'",
        "CREATE INDEX moot_debates_worker ON moot_debates (worker) WHERE worker IS NOT NULL",
    ],
    [
        # What others hand over for the log of a run that is held: see `inbox`. `seq` is the entry that it became.
        """
        CREATE TABLE moot_outside (
            id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, run BIGINT NOT NULL, draft BYTEA NOT NULL, seq INTEGER
        )
        """,
        "CREATE INDEX moot_outside_new ON moot_outside (run, id) WHERE seq IS NULL",
        # What is being said: see `speech`. It is worth nothing once it was said, so no crash of the server keeps it.
        """
        CREATE UNLOGGED TABLE moot_speech (
            id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, run BIGINT NOT NULL, kind TEXT NOT NULL,
            key TEXT NOT NULL, agent TEXT NOT NULL, text TEXT NOT NULL
        )
        """,
        "CREATE INDEX moot_speech_run ON moot_speech (run, id)",
    ],
    [
        # The content of files that debates name, so that no worker opens one: by its hash, and of each debate by name.
        "CREATE TABLE moot_material (sha256 TEXT PRIMARY KEY, content BYTEA NOT NULL)",
        "ALTER TABLE moot_debates ADD COLUMN material JSON NOT NULL DEFAULT '{}'",
    ],
]


def migrate(connection: "psycopg.Connection[Any]") -> None:
    """Migrate the database to this version of moot in one transaction; other processes wait."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        connection.execute("CREATE TABLE IF NOT EXISTS moot_runs_schema (version INTEGER NOT NULL)")
        row = connection.execute("SELECT version FROM moot_runs_schema").fetchone()
        version = row[0] if row else 0
        if version > len(MIGRATIONS):
            raise ConfigError(
                f"the runs there are of version {version}; this moot knows {len(MIGRATIONS)}: take a newer moot"
            )
        for step in MIGRATIONS[version:]:
            for statement in step:
                connection.execute(statement.encode())
        if row is None:
            connection.execute("INSERT INTO moot_runs_schema VALUES (%s)", [len(MIGRATIONS)])
        elif version < len(MIGRATIONS):
            connection.execute("UPDATE moot_runs_schema SET version = %s", [len(MIGRATIONS)])
