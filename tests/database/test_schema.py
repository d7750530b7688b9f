from moot.database.connection import close_databases, open_database
from moot.database.schema import VERSION
from tests.kit.databases import new_database


def test_the_tables_are_made_where_there_are_none(server: str) -> None:
    made = open_database(new_database(server, tables=False))
    assert made.rows("SELECT version FROM moot_runs_schema") == [(VERSION,)]
    assert made.rows("SELECT count(*) FROM moot_debates") == [(0,)]
    close_databases()
