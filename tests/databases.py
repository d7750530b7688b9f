"""Databases that are none of moot's."""

import sqlite3
from contextlib import closing
from pathlib import Path


def others_database(path: str) -> bytes:
    """Make an SQLite file of somebody else's, and return what is in it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE invoices (id INTEGER PRIMARY KEY)")
        connection.commit()
    return Path(path).read_bytes()
