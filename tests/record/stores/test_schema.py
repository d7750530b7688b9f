import psycopg

from moot.record.stores.database import close_databases, open_database
from moot.record.stores.schema import MIGRATIONS
from tests.kit.databases import new_database


def test_a_database_of_the_first_version_becomes_one_of_today(server: str) -> None:
    database = new_database(server, tables=False)
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
    close_databases()


def test_the_tables_are_made_where_there_are_none(server: str) -> None:
    made = open_database(new_database(server, tables=False))
    assert made.rows("SELECT version FROM moot_runs_schema") == [(len(MIGRATIONS),)]
    assert made.rows("SELECT count(*) FROM moot_debates") == [(0,)]
    close_databases()
