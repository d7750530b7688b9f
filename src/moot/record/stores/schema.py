"""The tables of moot in PostgreSQL, and their migrations."""

from typing import TYPE_CHECKING, Any

from moot.errors import ConfigError

if TYPE_CHECKING:
    import psycopg

LOCK = 20062
"""The first number of every advisory lock on a run; the second is the number of the run. Alone it guards migrations."""

MIGRATIONS: list[list[str]] = [
    [
        # `epoch` counts the holders of a run. Lines are accepted only from the current holder, so a process that was
        # wrongly believed dead cannot add lines after another has taken over.
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
        # The debates for workers. `limits` are those of this submission, `times` the number of submissions. `config`
        # repeats that of the run: parsing it as YAML takes as long as a quarter of the debate.
        """
        CREATE TABLE moot_debates (
            run BIGINT PRIMARY KEY, batch TEXT NOT NULL, debate TEXT NOT NULL, config JSON NOT NULL,
            limits JSON NOT NULL, reports BOOLEAN NOT NULL, times INTEGER NOT NULL DEFAULT 1, job BIGINT,
            state TEXT NOT NULL DEFAULT 'waiting', reason TEXT, calls INTEGER NOT NULL DEFAULT 0,
            cost DOUBLE PRECISION DEFAULT 0, ended TIMESTAMPTZ, UNIQUE (batch, debate)
        )
        """,
        "CREATE INDEX moot_debates_ended ON moot_debates (batch, ended)",
        # The number of concurrent calls to an endpoint that each worker may have; the sum stays within the endpoint's
        # limit.
        "CREATE TABLE moot_endpoints (address TEXT PRIMARY KEY, paused_until TIMESTAMPTZ)",
        """
        CREATE TABLE moot_leases (
            endpoint TEXT NOT NULL, worker TEXT NOT NULL, slots INTEGER NOT NULL, wanted INTEGER NOT NULL,
            seen TIMESTAMPTZ NOT NULL, PRIMARY KEY (endpoint, worker)
        )
        """,
    ],
    [
        # For rates: the next start time that no worker has; and for each worker the lowest rate that its calls ask for,
        # how many more start times it could use, and how many it has had.
        "ALTER TABLE moot_endpoints ADD COLUMN next_at TIMESTAMPTZ",
        """
        ALTER TABLE moot_leases ADD COLUMN rate INTEGER, ADD COLUMN calls INTEGER NOT NULL DEFAULT 0,
            ADD COLUMN times BIGINT NOT NULL DEFAULT 0
        """,
    ],
    [
        # A worker counts its `beats`; if none is seen for long, another worker takes over its debates. A debate belongs
        # to one worker at a time. It may be marked to `stop`, and if it was `put_back`, it waits until `not_before`.
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
        # Drafts of other processes for the log of a held run: see `inbox`. `seq` is the entry that the draft became.
        """
        CREATE TABLE moot_outside (
            id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, run BIGINT NOT NULL, draft BYTEA NOT NULL, seq INTEGER
        )
        """,
        "CREATE INDEX moot_outside_new ON moot_outside (run, id) WHERE seq IS NULL",
        # Current speech: see `speech`. It is worthless once it is complete, so it need not survive a crash of the
        # server.
        """
        CREATE UNLOGGED TABLE moot_speech (
            id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, run BIGINT NOT NULL, kind TEXT NOT NULL,
            key TEXT NOT NULL, agent TEXT NOT NULL, text TEXT NOT NULL
        )
        """,
        "CREATE INDEX moot_speech_run ON moot_speech (run, id)",
    ],
    [
        # The content of files that debates name, by hash, so that workers open no files; each debate has the hashes by
        # name.
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
