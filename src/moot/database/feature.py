"""What runs in PostgreSQL bring to moot."""

from moot.plugins.features import Feature

FEATURE = Feature(
    name="database",
    extra="postgresql",
    offers={
        "create_run": "moot.database.runs:create",
        "all_runs": "moot.database.runs:all_runs",
        "redacted": "moot.database.connection:redacted",
    },
)
