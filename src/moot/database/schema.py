"""The tables of moot in PostgreSQL."""

from typing import TYPE_CHECKING, Any

from moot.errors import ConfigError

if TYPE_CHECKING:
    import psycopg

LOCK = 20062
"""The first number of every advisory lock on a run; the second is the number of the run. Alone it guards the making of
the tables."""
VERSION = 7
"""Of the tables; a database with those of another version is refused."""
TABLES = (
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
    # repeats that of the run: parsing it as YAML takes as long as a quarter of the debate. A debate belongs to one
    # worker at a time. It may be marked to `stop`, and if it was `put_back`, it waits until `not_before`. `material`
    # has the hashes of the files that it names.
    """
    CREATE TABLE moot_debates (
        run BIGINT PRIMARY KEY, batch TEXT NOT NULL, debate TEXT NOT NULL, config JSON NOT NULL,
        limits JSON NOT NULL, reports BOOLEAN NOT NULL, times INTEGER NOT NULL DEFAULT 1,
        state TEXT NOT NULL DEFAULT 'waiting', reason TEXT, calls INTEGER NOT NULL DEFAULT 0,
        cost DOUBLE PRECISION DEFAULT 0, ended TIMESTAMPTZ, worker BIGINT, stop BOOLEAN NOT NULL DEFAULT false,
        not_before TIMESTAMPTZ, put_back INTEGER NOT NULL DEFAULT 0, material JSON NOT NULL DEFAULT '{}',
        UNIQUE (batch, debate)
    )
    """,
    "CREATE INDEX moot_debates_ended ON moot_debates (batch, ended)",
    "CREATE INDEX moot_debates_waiting ON moot_debates (run) WHERE state = 'waiting'",
    "CREATE INDEX moot_debates_worker ON moot_debates (worker) WHERE worker IS NOT NULL",
    # The content of files that debates name, by hash, so that workers open no files.
    "CREATE TABLE moot_material (sha256 TEXT PRIMARY KEY, content BYTEA NOT NULL)",
    # A worker counts its `beats`; if none is seen for long, another worker takes over its debates.
    """
    CREATE TABLE moot_workers (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, beats BIGINT NOT NULL DEFAULT 0
    )
    """,
    # The number of concurrent calls to an endpoint that each worker may have; the sum stays within the endpoint's
    # limit. For rates: the next start time that no worker has; and for each worker the lowest rate that its calls ask
    # for, how many more start times it could use, and how many it has had.
    "CREATE TABLE moot_endpoints (address TEXT PRIMARY KEY, paused_until TIMESTAMPTZ, next_at TIMESTAMPTZ)",
    """
    CREATE TABLE moot_leases (
        endpoint TEXT NOT NULL, worker TEXT NOT NULL, slots INTEGER NOT NULL, wanted INTEGER NOT NULL,
        seen TIMESTAMPTZ NOT NULL, rate INTEGER, calls INTEGER NOT NULL DEFAULT 0, times BIGINT NOT NULL DEFAULT 0,
        PRIMARY KEY (endpoint, worker)
    )
    """,
    # Drafts of other processes for the log of a held run: see `inbox`. `seq` is the entry that the draft became.
    """
    CREATE TABLE moot_outside (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, run BIGINT NOT NULL, draft BYTEA NOT NULL, seq INTEGER
    )
    """,
    "CREATE INDEX moot_outside_new ON moot_outside (run, id) WHERE seq IS NULL",
)


def make_tables(connection: "psycopg.Connection[Any]") -> None:
    """Make the tables where there are none, in one transaction; other processes wait. ConfigError if they are of
    another version."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        connection.execute("CREATE TABLE IF NOT EXISTS moot_runs_schema (version INTEGER NOT NULL)")
        row = connection.execute("SELECT version FROM moot_runs_schema").fetchone()
        if row is None:
            for statement in TABLES:
                connection.execute(statement.encode())
            connection.execute("INSERT INTO moot_runs_schema VALUES (%s)", [VERSION])
        elif row[0] != VERSION:
            raise ConfigError(f"the runs there are of version {row[0]}, and this moot reads version {VERSION} alone")
