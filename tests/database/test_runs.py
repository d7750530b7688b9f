"""What is special about runs in PostgreSQL: kills at every statement, lost sessions, takeovers, and secrecy."""

import asyncio
from pathlib import Path

import psycopg
import pytest

import moot
from moot.database.connection import close_databases, open_database, redacted
from moot.database.runs import named
from moot.record.stores.base import JOURNAL, LOG
from moot.testing import ScriptedModel
from tests.kit.duels import (
    assert_sound,
    calls_of,
    full_script,
    harsh_script,
    not_yet_paid,
    play,
    said,
    small_config,
    staged,
    take_up,
)
from tests.kit.processes import in_process
from tests.kit.waiting import wait_until

OTHERS = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
END_OTHERS = f"SELECT pg_terminate_backend(pid, 900000) {OTHERS} AND application_name = %s"
"""It waits until they have ended."""


def named_session(url: str, name: str) -> str:
    """Another address of the same database, with which a process has sessions of its own."""
    return f"{url}&application_name={name}"


def end_sessions(url: str, name: str) -> int:
    with psycopg.connect(url, autocommit=True) as connection:
        return len(connection.execute(END_OTHERS, [name]).fetchall())


def sessions(url: str) -> int:
    with psycopg.connect(url) as connection:
        [[count]] = connection.execute(f"SELECT count(*) {OTHERS}".encode()).fetchall()
    return int(count)


def test_killed_at_every_statement(database: str, tmp_path: Path) -> None:
    """Killed after one, the server has what it has when a process is killed before the next."""
    reference = play(small_config(tmp_path), ScriptedModel(harsh_script(2)))
    log = said(moot.find_run(reference.run).entries())
    open_database(database)  # the tables are made, and no part of it
    close_databases()
    in_process(database, "after", module="tests.kit.killed_statements")
    # A server takes a moment to notice that a client was killed.
    wait_until(lambda: sessions(database) == 0)
    runs = moot.list_runs(database)
    assert len(runs) > calls_of(2)
    for run in runs:
        assert not run.busy
        assert moot.verify(run).faults == []
        model = ScriptedModel(not_yet_paid(harsh_script(2), run.records()))
        result = take_up(run, model)
        assert (result.status, result.reason) == ("done", None)
        assert result.spent.calls == calls_of(2) + 2
        assert said(run.entries()) == log
        assert_sound(run)


def test_a_lost_session_is_opened_again_and_nothing_is_lost(database: str) -> None:
    url = named_session(database, "here")

    def script(request: moot.Request) -> object:
        ended.append(end_sessions(database, "here"))
        return full_script(2)[request.key]

    ended: list[int] = []
    assert play(small_config(url), ScriptedModel(script)).status == "done"  # type: ignore[arg-type]
    assert sum(ended) > calls_of(2) / 2
    [run] = moot.list_runs(database)
    assert len(run.records()) == calls_of(2) + 1
    assert_sound(run)


def test_who_was_believed_dead_adds_nothing(database: str) -> None:
    """Its session is gone and another process goes on; its own lines are refused, though their numbers are free."""
    run = staged(database)
    zombie = named(named_session(database, "zombie"), run.name)
    heir = named(named_session(database, "heir"), run.name)
    assert zombie is not None
    assert heir is not None
    before = run.place.read_lines(LOG)
    with zombie.hold():
        lines = zombie.lines(LOG)
        lines.new_lines()
        with pytest.raises(moot.RunBusy), heir.hold():
            pass
        assert end_sessions(database, "zombie")
        with heir.hold():
            inherited = heir.lines(LOG)
            assert inherited.new_lines() == before
            inherited.append(b'{"by": "heir"}')
            inherited.sync()
            for number in range(3):
                lines.append(b'{"by": "zombie"}' + b" " * number)
            with pytest.raises(moot.RunBusy, match="has taken over"):
                asyncio.run(lines.synced())
            with pytest.raises(moot.RunBusy, match="has taken over"):
                lines.append(b'{"by": "zombie"}')
            with pytest.raises(moot.RunBusy, match="has taken over"):
                zombie.write("result.json", "{}")
            inherited.close()
    assert run.place.read_lines(LOG) == [*before, b'{"by": "heir"}']


def test_two_holders_in_one_process(database: str) -> None:
    run = staged(database)
    again = moot.find_run(run.address)
    with run.hold(), pytest.raises(moot.RunBusy), again.hold():
        pass
    with again.hold():
        pass


def test_an_outside_agent_needs_a_folder(database: str) -> None:
    with pytest.raises(moot.ConfigError, match="folder"):
        play(small_config(database, roles={"judge": "external/kim"}), ScriptedModel(full_script(2)))
    assert moot.list_runs(database) == []


def test_a_run_in_a_database_has_no_folder(database: str) -> None:
    run = staged(database)
    assert run.folder is None
    with pytest.raises(moot.ConfigError, match="kept in PostgreSQL"):
        _ = run.path


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://ada:s3cret@db.example:5433/moot", "postgresql://ada@db.example:5433/moot"),
        (
            "postgresql://ada:s3%40cret@db.example/moot?sslmode=require",
            "postgresql://ada@db.example/moot?sslmode=require",
        ),
        ("postgresql://db/moot?user=ada&password=s3cret", "postgresql://db/moot?user=ada"),
        ("postgresql:///moot?host=/run/pg&sslpassword=s3cret", "postgresql:///moot?host=/run/pg"),
        ("postgresql://ada:s3/cret@db.example/moot", "postgresql://…"),
    ],
)
def test_an_address_is_shown_without_its_password(url: str, shown: str) -> None:
    assert redacted(url) == shown
    assert "s3" not in redacted(url)


def test_the_password_is_in_nothing_that_is_kept_or_told(database: str, tmp_path: Path) -> None:
    secret = "s3cret-and-long"
    url = database.replace("moot@", f"moot:{secret}@")
    told: list[object] = []
    model = ScriptedModel(full_script(2))
    result = asyncio.run(moot.run(small_config(url), models={model.name: model}, follow=told.append))
    run = moot.find_run(result.run)
    twin = moot.fork(moot.find_run(result.run.replace("moot@", f"moot:{secret}@")), 2)
    assert take_up(twin, ScriptedModel(not_yet_paid(full_script(2), twin.records()))).status == "done"
    with psycopg.connect(database) as connection:
        kept = connection.execute("SELECT content FROM moot_documents UNION ALL SELECT line FROM moot_lines").fetchall()
    whole = b"\n".join(one for (one,) in kept).decode() + repr((run, result, told, run.config, twin, twin.place))
    assert secret not in whole
    assert len(kept) > calls_of(2)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ada:s3cret@/nothing?host={folder}",
        "postgresql://ada:s3cret@s3cret@/nothing?host={folder}",
        "postgresql://ada:%zzs3cret@/nothing?host={folder}",
        "postgresql://ada:s3cret/s3cret@/nothing?host={folder}",
        "postgresql:///nothing?host={folder}&password=%zzs3cret",
    ],
)
def test_an_address_that_does_not_answer_is_an_error_without_its_password(tmp_path: Path, url: str) -> None:
    with pytest.raises(moot.ConfigError, match="cannot be reached") as refused:
        moot.list_runs(url.format(folder=tmp_path))
    assert "s3cret" not in str(refused.value)
    assert refused.value.__cause__ is None


def test_a_database_of_another_version_is_left_alone(database: str) -> None:
    open_database(database)
    close_databases()
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("UPDATE moot_runs_schema SET version = 99")
    with pytest.raises(moot.ConfigError, match="of version 99"):
        moot.list_runs(database)


def test_a_copy_in_files_has_the_same_hashes(database: str, tmp_path: Path) -> None:
    """Lines with their ends are what a file would hold, so a run that is written out verifies as it is."""
    run = staged(database)
    for name in (LOG, JOURNAL):
        (tmp_path / name).write_bytes(b"".join(line + b"\n" for line in run.place.read_lines(name)))
    for name in ("config.yaml", "result.json"):
        (tmp_path / name).write_bytes(run.place.read(name) or b"")
    assert_sound(moot.Run(tmp_path))


def test_a_read_that_fails_while_a_run_is_opened_lets_go_of_it(database: str) -> None:
    run = staged(database)
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("ALTER TABLE moot_lines RENAME TO moot_lines_away")
        for opened in (run.open_log, run.open_journal):
            with pytest.raises(psycopg.errors.UndefinedTable):
                opened()
        with pytest.raises(psycopg.errors.UndefinedTable):
            take_up(run, ScriptedModel({}))
        connection.execute("ALTER TABLE moot_lines_away RENAME TO moot_lines")
    assert not run.busy
    assert take_up(run, ScriptedModel({})).status == "done"


def test_a_write_that_fails_lets_go_of_the_run(database: str) -> None:
    """Its lock is one of the session, which a transaction that is rolled back does not give up."""
    run = staged(database)
    other = moot.find_run(run.address)
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("ALTER TABLE moot_runs RENAME COLUMN epoch TO epoch_away")
        with pytest.raises(psycopg.errors.UndefinedColumn), run.hold():
            pass
        connection.execute("ALTER TABLE moot_runs RENAME COLUMN epoch_away TO epoch")
        wait_until(lambda: not run.busy)  # a server takes a moment to notice that a session was closed
        with other.hold():
            journal = other.open_journal()
            connection.execute("ALTER TABLE moot_lines RENAME TO moot_lines_away")
            journal.note(journal.records[0])
            with pytest.raises(psycopg.errors.UndefinedTable):
                journal.close()
            connection.execute("ALTER TABLE moot_lines_away RENAME TO moot_lines")
    wait_until(lambda: not run.busy)
    with run.hold():
        pass
