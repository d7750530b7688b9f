import psycopg

from moot.record.stores.database import open_database
from moot.record.stores.schema import MIGRATIONS


def test_a_database_of_the_first_version_becomes_one_of_today(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        for statement in MIGRATIONS[0]:
            connection.execute(statement.encode())
        connection.execute("CREATE TABLE moot_runs_schema (version INTEGER NOT NULL)")
        connection.execute("INSERT INTO moot_runs_schema VALUES (1)")
        connection.execute("INSERT INTO moot_endpoints VALUES ('http://127.0.0.1:1', NULL)")
        connection.execute("INSERT INTO moot_leases VALUES ('http://127.0.0.1:1', 'worker', 1, 2, now())")
    upgraded = open_database(database)
    assert upgraded.rows("SELECT version FROM moot_runs_schema") == [(len(MIGRATIONS),)]
    assert upgraded.rows("SELECT slots, wanted, rate, calls, times FROM moot_leases") == [(1, 2, None, 0, 0)]
    assert upgraded.rows("SELECT next_at FROM moot_endpoints") == [(None,)]
