"""The command line on runs in PostgreSQL."""

import json
from pathlib import Path

import pytest
import yaml

import moot as api
from tests.kit.command import moot
from tests.kit.duels import full_script, staged


def test_commands_find_a_run_by_its_address_and_by_out(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = staged(database)
    listed = json.loads(moot("list", "--out", database, "--json").out)
    assert [(one["run"], one["status"]) for one in listed] == [(run.address, "done")]
    for name in (["latest", "--out", database], [run.address]):
        assert f"{run.name}: {len(run.entries())} entries" in moot("verify", *name).out
        assert "Statement 1, by A." in moot("show", *name).out
        assert moot("export", *name, "--to", "md").out.startswith("# Is it so?")
        assert moot("runs", "report", *name).out == f"{run.address}/report.html\n"
    monkeypatch.setenv("MOOT_OUT", database)
    assert moot("verify", "latest").code == 0
    note = ("--phase", "opening", "--speaker", "Guest", "--type", "note", "--content-file", "-")
    assert moot("log", "append", run.address, *note, stdin=b"A note.").code == 0
    assert run.entries()[-1].content == "A note."


def test_a_debate_goes_to_the_database_that_out_names(database: str, tmp_path: Path) -> None:
    replies = tmp_path / "replies.yaml"
    replies.write_text(yaml.safe_dump(full_script(2)), "utf-8")
    config = tmp_path / "debate.yaml"
    config.write_bytes(staged(tmp_path / "here").place.read("config.yaml") or b"")
    ended = moot("run", str(config), "--out", database, "-m", f"scripted/{replies}", "--json")
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["run"] == api.list_runs(database)[0].address
    resumed = moot("resume", json.loads(ended.out)["run"], "--json")
    assert json.loads(resumed.out)["status"] == "done"


def test_a_queue_that_is_none_is_refused() -> None:
    ended = moot("worker", "--queue", "debates")
    assert (ended.code, ended.out) == (2, "")
    assert "a queue is a PostgreSQL database" in ended.err
