"""The tables of the memory, and the migrations between versions."""

from moot.errors import ConfigError
from moot.memory.database import Database

MIGRATIONS: list[list[str | dict[str, str]]] = [
    [
        """
        CREATE TABLE debates (
            id TEXT PRIMARY KEY, run TEXT NOT NULL, question TEXT NOT NULL, decision TEXT NOT NULL,
            verdict TEXT NOT NULL, decided_by TEXT NOT NULL, confidence DOUBLE PRECISION, finished TEXT NOT NULL,
            evidence TEXT NOT NULL, dissent TEXT NOT NULL, receipt TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE ratings (agent TEXT PRIMARY KEY, elo DOUBLE PRECISION NOT NULL, games INTEGER NOT NULL)
        """,
        """
        CREATE TABLE games (
            debate TEXT NOT NULL REFERENCES debates (id) ON DELETE CASCADE,
            one TEXT NOT NULL, other TEXT NOT NULL, score DOUBLE PRECISION NOT NULL
        )
        """,
        """
        CREATE TABLE votes (
            debate TEXT NOT NULL REFERENCES debates (id) ON DELETE CASCADE,
            agent TEXT NOT NULL, confidence DOUBLE PRECISION NOT NULL, was_right INTEGER NOT NULL
        )
        """,
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
        {"sqlite": "", "postgresql": "CREATE INDEX words_found_by ON words USING GIN (found_by)"},
    ],
    # Games and votes stay when a debate is forgotten, because ratings stay.
    [
        "ALTER TABLE games RENAME TO old_games",
        """
        CREATE TABLE games (
            debate TEXT NOT NULL, one TEXT NOT NULL, other TEXT NOT NULL, score DOUBLE PRECISION NOT NULL
        )
        """,
        "INSERT INTO games SELECT * FROM old_games",
        "DROP TABLE old_games",
        "CREATE INDEX games_debate ON games (debate)",
        "ALTER TABLE votes RENAME TO old_votes",
        """
        CREATE TABLE votes (
            debate TEXT NOT NULL, agent TEXT NOT NULL, confidence DOUBLE PRECISION NOT NULL, was_right INTEGER NOT NULL
        )
        """,
        "INSERT INTO votes SELECT * FROM old_votes",
        "DROP TABLE old_votes",
    ],
    # Pending index entries are scanned by every search, and the planner then avoids the index.
    [
        {"sqlite": "", "postgresql": "ALTER INDEX words_found_by SET (fastupdate = off)"},
        {"sqlite": "", "postgresql": "SELECT gin_clean_pending_list('words_found_by')"},
    ],
    # How decisions turned out; votes that only this can score; and agreement without a vote, which has no confidence.
    [
        "CREATE TABLE truths (debate TEXT PRIMARY KEY, score DOUBLE PRECISION NOT NULL)",
        "ALTER TABLE votes RENAME TO old_votes",
        """
        CREATE TABLE votes (
            debate TEXT NOT NULL, agent TEXT NOT NULL, confidence DOUBLE PRECISION, was_right INTEGER,
            for_decision INTEGER
        )
        """,
        "INSERT INTO votes SELECT debate, agent, confidence, was_right, NULL FROM old_votes",
        "DROP TABLE old_votes",
        "ALTER TABLE debates ADD COLUMN unrated TEXT",
    ],
]


def migrate(database: Database) -> None:
    """Bring the store up to this version of moot, all in one transaction."""
    with database.transaction():
        database.execute("CREATE TABLE IF NOT EXISTS moot_memory (version INTEGER NOT NULL)")
        rows = database.execute("SELECT version FROM moot_memory")
        version = rows[0][0] if rows else 0
        if version > len(MIGRATIONS):
            raise ConfigError(
                f"the memory is of version {version}; this moot knows {len(MIGRATIONS)}: take a newer moot"
            )
        for step in MIGRATIONS[version:]:
            kind = "sqlite" if database.is_sqlite else "postgresql"
            for statement in step:
                wording = statement if isinstance(statement, str) else statement[kind]
                if wording:
                    database.execute(wording)
        if not rows:
            database.execute("INSERT INTO moot_memory VALUES (?)", [len(MIGRATIONS)])
        elif version < len(MIGRATIONS):
            database.execute("UPDATE moot_memory SET version = ?", [len(MIGRATIONS)])
