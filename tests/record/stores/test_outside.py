"""Entries from outside in a log that somebody else has open: added once, in a chain that holds."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.database import runs as postgresql
from moot.database.runs import named
from moot.record.stores.base import LOG
from moot.testing import ScriptedModel
from tests.kit.duels import GatedModel, assert_sound, full_script, small_config, staged
from tests.kit.waiting import AT_ONCE, PATIENCE, until

ENTRIES = 13
NOTE: dict[str, Any] = {"phase": "opening", "speaker": "Guest", "type": "note"}


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgresql, "SECONDS_TO_TAKE", PATIENCE)


@pytest.fixture(params=["folder", "PostgreSQL"])
def out(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path) if request.param == "folder" else request.getfixturevalue("database")


def test_many_add_notes_while_it_runs(out: str) -> None:
    added: list[int] = []
    model = GatedModel(ScriptedModel(full_script(2)), {"judge/deliberate": lambda: len(added) == 12})

    async def go() -> None:
        debate = asyncio.create_task(moot.run(small_config(out), models={model.name: model}))
        await until(lambda: [len(run.entries()) for run in moot.list_runs(out)] == [11])
        address = moot.list_runs(out)[0].name
        with ThreadPoolExecutor(4) as pool:
            notes = [
                asyncio.get_running_loop().run_in_executor(
                    pool, lambda: moot.append_outside(moot.find_run(address, out), **NOTE, content="Well!")
                )
                for _ in range(12)
            ]
            added.extend(await asyncio.gather(*notes))
        assert (await debate).status == "done"

    asyncio.run(asyncio.wait_for(go(), PATIENCE))
    [run] = moot.list_runs(out)
    entries = run.entries()
    assert sorted(added) == [entry.seq for entry in entries if entry.outside] == list(range(11, 23))
    assert len(entries) == ENTRIES + 12
    result = run.result()
    assert result
    assert result["receipt"]["entries"] == ENTRIES + 12
    assert_sound(run)


def test_what_is_not_taken_in_time_is_taken_by_the_next(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever holds a run without its log open takes nothing; nothing that was handed over is lost, or added twice."""
    run = staged(database)
    other = moot.find_run(run.address)
    monkeypatch.setattr(postgresql, "SECONDS_TO_TAKE", AT_ONCE)
    with run.hold(), pytest.raises(moot.RunBusy, match="is added once they do"):
        moot.append_outside(other, **NOTE, content="The first.")
    monkeypatch.setattr(postgresql, "SECONDS_TO_TAKE", PATIENCE)
    assert moot.append_outside(other, **NOTE, content="The second.") == ENTRIES + 1
    assert [entry.content for entry in run.entries()[ENTRIES:]] == ["The first.", "The second."]
    assert_sound(run)


def test_a_receipt_speaks_of_what_the_log_has_seen(database: str) -> None:
    """An entry that is handed over between two looks belongs to neither the entries nor the last line of the first."""
    run = staged(database)
    place = named(database, run.name)
    assert place is not None
    with place.hold():
        lines = place.lines(LOG)
        before = lines.new_lines()
        seq = moot.append_outside(moot.find_run(run.address), **NOTE, content="A note.")
        assert seq == len(before)
        assert place.last_line(LOG) == before[-1]
        [note] = lines.new_lines()
        assert place.last_line(LOG) == note
        lines.close()
    assert_sound(run)
