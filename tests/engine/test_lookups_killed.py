"""A debate in which both sides look things up is killed, by kill -9, after every record of its journal: after every
tenth, without `--deep`."""

from pathlib import Path

import pytest

import moot
from moot.engine.sources import lookups
from moot.testing import ScriptedModel
from tests.kit import killed_lookups
from tests.kit.duels import assert_sound, not_yet_paid, said, take_up
from tests.kit.examples import tries
from tests.kit.killed_lookups import both_look_up
from tests.kit.lookups import declare, over_http
from tests.kit.processes import in_process


def test_no_answer_on_record_is_asked_for_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = tmp_path / "calls.txt"
    monkeypatch.setenv("CALLS", str(calls))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "killed"
    folder.mkdir()
    with over_http() as url:
        stride = max(1, 10 // tries(1))
        in_process(folder, url, stride, module=killed_lookups.NAME)
        declare({"all": {"url": url}})
        *killed, whole = [moot.list_runs(str(place))[0] for place in sorted(folder.iterdir()) if place.is_dir()]
        assert whole.result() is not None and len(killed) >= (len(whole.records()) - 1) // stride
        for run in killed:
            assert run.result() is None
            known = [record for record in run.records() if record.key.startswith(lookups.FACTS)]
            calls.write_text("", "utf-8")
            result = take_up(run, ScriptedModel(not_yet_paid(both_look_up(), run.records())))
            assert result.status == "done", (run.path, result.reason)
            assert said(run.entries()) == said(whole.entries()), run.path
            assert calls.read_text("utf-8").count("\n") == 3 - len(known), run.path
            assert_sound(run)
