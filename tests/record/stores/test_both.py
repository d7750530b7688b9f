"""What holds for a run in a folder holds for a run in PostgreSQL."""

import asyncio
import json

import pytest

import moot
from moot.record.entry import SCHEMA_VERSION
from moot.record.stores.base import CONFIG, JOURNAL, LOG
from moot.testing import ScriptedModel
from tests.kit.duels import (
    GatedModel,
    assert_sound,
    calls_of,
    full_script,
    not_yet_paid,
    play,
    said,
    small_config,
    staged,
    stopped_after,
    take_up,
)


def test_a_debate_leaves_a_run_that_verifies_and_replays(out: str) -> None:
    run = staged(out)
    assert_sound(run)
    assert not run.busy
    assert len(run.records()) == calls_of(2) + 1
    assert [entry.seq for entry in run.entries()] == list(range(len(run.entries())))
    document = run.result()
    assert document
    assert document["run"] == run.address
    assert document["winner"] == "Ada"
    assert run.config.debate == small_config(out).debate


def test_the_same_debate_makes_the_same_lines_in_both(out: str, tmp_path: object) -> None:
    """But for the moments in them, the lines are those that a file would have."""
    run, other = staged(out), staged(f"{tmp_path}/other")
    assert said(run.entries()) == said(other.entries())
    for name in (LOG, JOURNAL):
        assert len(run.place.read_lines(name)) == len(other.place.read_lines(name))
        assert all(json.loads(line) for line in run.place.read_lines(name))


def test_runs_are_found_by_address_name_and_part_of_it(out: str) -> None:
    first, second = staged(out), staged(out)
    assert [run.name for run in moot.list_runs(out)] == [first.name, second.name]
    assert moot.find_run(first.address).name == first.name
    assert moot.find_run(second.name, out).name == second.name
    assert moot.find_run("latest", out).name == second.name
    with pytest.raises(moot.ConfigError, match="fits 2 runs"):
        moot.find_run("is-it", out)
    with pytest.raises(moot.ConfigError, match="no run 'nothing'"):
        moot.find_run("nothing", out)


def test_a_run_of_another_version_is_named_and_not_read(out: str) -> None:
    run, other = staged(out), staged(out)
    run.place.write(CONFIG, run.config.frozen().replace(f"  schema: {SCHEMA_VERSION}\n", "  schema: 1\n", 1))
    runs = {one.name: one for one in moot.list_runs(out)}
    found, beside = runs[run.name], runs[other.name]
    assert found.unreadable is not None
    assert found.unreadable.startswith(f"{run.name} was written by moot ")
    assert found.unreadable.endswith(" (schema 1), which this version does not read")
    for ask in (moot.Run.entries, moot.Run.open_log, moot.verify):
        with pytest.raises(moot.ConfigError) as told:
            ask(found)
        assert str(told.value) == found.unreadable
    assert beside.unreadable is None
    assert_sound(beside)


@pytest.mark.parametrize("number", [0, 3, 9, 13])
def test_stopped_from_outside_and_taken_up(out: str, number: int) -> None:
    run = stopped_after(number, out)
    document = run.result()
    assert document
    assert document["status"] == "interrupted"
    assert_sound(run)
    assert take_up(run, ScriptedModel(not_yet_paid(full_script(2), run.records()))).status == "done"
    assert len(run.records()) == calls_of(2) + 1
    assert_sound(run)


def test_a_fork_shares_what_comes_before(out: str) -> None:
    run = staged(out)
    twin = moot.fork(run, 5)
    assert twin.place.out == run.place.out
    assert take_up(twin, ScriptedModel(not_yet_paid(full_script(2), twin.records()))).status == "done"
    assert said(twin.entries())[1:6] == said(run.entries())[1:6]
    assert twin.config.origin is not None
    assert twin.config.origin["run"] == run.name
    assert_sound(twin)


def test_nobody_else_runs_what_is_running(out: str) -> None:
    def look() -> bool:
        [run] = moot.list_runs(out)
        assert run.busy
        assert moot.verify(run).faults == []
        seen.append(len(run.entries()))
        with pytest.raises(moot.RunBusy, match="another process is running"), run.hold():
            pass
        return True

    seen: list[int] = []
    gated = GatedModel(ScriptedModel(full_script(2)), {"B/turn/2": look, "judge/announce": look})
    assert play(small_config(out), gated).status == "done"
    assert seen == sorted(seen)
    [run] = moot.list_runs(out)
    with run.hold():
        assert moot.find_run(run.address).busy
    assert not moot.find_run(run.address).busy


def test_reports_are_made_again_and_exported(out: str) -> None:
    run = staged(out)
    before = {name: run.place.read(name) for name in ("result.json", "report.md", "report.html")}
    assert all(before.values())
    asyncio.run(moot.rebuild(moot.find_run(run.address)))
    after = {name: run.place.read(name) for name in before}
    assert after == before
    whole = json.loads(asyncio.run(moot.export(run, "json")))
    assert len(whole["log"]) == len(run.entries())
    assert asyncio.run(moot.export(run, "md")) == (before["report.md"] or b"").decode()


def test_entries_from_outside(out: str) -> None:
    run = staged(out)
    seq = moot.append_outside(run, phase="opening", speaker="Guest", type="note", content="A note.")
    assert run.entries()[-1].seq == seq
    assert "1 entries were appended from outside since the receipt was made" in moot.verify(run).notes
    assert_sound(run)


def test_a_refused_debate_leaves_nothing(out: str) -> None:
    with pytest.raises(moot.MootError):
        play(small_config(out, model="scripted/no-such-file.yaml"))
    assert moot.list_runs(out) == []


def test_altering_a_line_is_found(out: str) -> None:
    run = staged(out)
    lines = [line.replace(b"Statement 1", b"Statement 9") for line in run.place.read_lines(LOG)]
    if run.folder:
        run.log_path.write_bytes(b"".join(line + b"\n" for line in lines))
    else:
        import psycopg

        with psycopg.connect(out) as connection:
            for number, line in enumerate(lines, 1):
                statement = "UPDATE moot_lines SET line = %s WHERE file = %s AND number = %s"
                connection.execute(statement, [line, LOG, number])
    assert any("was altered" in fault for fault in moot.verify(moot.find_run(run.address)).faults)
