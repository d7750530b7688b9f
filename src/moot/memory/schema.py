"""The tables of the memory."""

from moot.errors import ConfigError
from moot.memory.database import Database

VERSION = 7
TABLES: list[str | dict[str, str]] = [
    """
    CREATE TABLE debates (
        id TEXT PRIMARY KEY, run TEXT NOT NULL, question TEXT NOT NULL, decision TEXT NOT NULL,
        verdict TEXT NOT NULL, decided_by TEXT NOT NULL, confidence DOUBLE PRECISION, finished TEXT NOT NULL,
        evidence TEXT NOT NULL, dissent TEXT NOT NULL, receipt TEXT NOT NULL, unrated TEXT,
        winner TEXT NOT NULL, proposals TEXT NOT NULL
    )
    """,
    "CREATE TABLE ratings (agent TEXT PRIMARY KEY, elo DOUBLE PRECISION NOT NULL, games INTEGER NOT NULL)",
    # Games and votes refer to no debate, because ratings stay when it is forgotten.
    """
    CREATE TABLE games (debate TEXT NOT NULL, one TEXT NOT NULL, other TEXT NOT NULL, score DOUBLE PRECISION NOT NULL)
    """,
    "CREATE INDEX games_debate ON games (debate)",
    # An agreement without a vote has no confidence; what is not known of a vote is null.
    # `own` is the side that it could not be for.
    """
    CREATE TABLE votes (
        debate TEXT NOT NULL, agent TEXT NOT NULL, confidence DOUBLE PRECISION, side TEXT, was_right INTEGER,
        own TEXT
    )
    """,
    # The side that turned out right; empty if none did.
    "CREATE TABLE truths (debate TEXT PRIMARY KEY, right_side TEXT NOT NULL)",
    """
    CREATE TABLE memories (
        debate TEXT PRIMARY KEY REFERENCES debates (id) ON DELETE CASCADE,
        tier TEXT NOT NULL, last_used TEXT NOT NULL, uses INTEGER NOT NULL
    )
    """,
    {
        "sqlite": """
        CREATE TABLE vectors (
            debate TEXT PRIMARY KEY REFERENCES debates (id) ON DELETE CASCADE,
            backend TEXT NOT NULL, vector BLOB NOT NULL
        )
        """,
        "postgresql": """
        CREATE TABLE vectors (
            debate TEXT PRIMARY KEY REFERENCES debates (id) ON DELETE CASCADE,
            backend TEXT NOT NULL, vector BYTEA NOT NULL
        )
        """,
    },
    {
        "sqlite": "CREATE VIRTUAL TABLE words USING fts5 (debate UNINDEXED, said, tokenize = 'porter unicode61')",
        "postgresql": """
        CREATE TABLE words (
            debate TEXT PRIMARY KEY REFERENCES debates (id) ON DELETE CASCADE, said TEXT NOT NULL,
            found_by TSVECTOR GENERATED ALWAYS AS (to_tsvector('english', said)) STORED
        )
        """,
    },
    # Pending index entries would be scanned by every search, and the planner then avoids the index.
    {"postgresql": "CREATE INDEX words_found_by ON words USING GIN (found_by) WITH (fastupdate = off)"},
]


def make_tables(database: Database) -> None:
    """Make the tables where there are none, all in one transaction; ConfigError for those of another version."""
    with database.transaction():
        database.execute("CREATE TABLE IF NOT EXISTS moot_memory (version INTEGER NOT NULL)")
        rows = database.execute("SELECT version FROM moot_memory")
        if rows and rows[0][0] != VERSION:
            raise ConfigError(f"the memory is of version {rows[0][0]}, and this moot reads version {VERSION}")
        if rows:
            return
        kind = "sqlite" if database.is_sqlite else "postgresql"
        for table in TABLES:
            if statement := table if isinstance(table, str) else table.get(kind):
                database.execute(statement)
        database.execute("INSERT INTO moot_memory VALUES (?)", [VERSION])
