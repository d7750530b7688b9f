"""Independent answers: who said what, and no verdict."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.cli.entry_text import Teller
from moot.testing import ScriptedModel
from tests.kit.duels import assert_sound

MODEL = "scripted/replies"
REPLIES = {"Ada/answer": "It is warm.\n\nANSWER: yes", "Bo/answer": "It is cold.\nANSWER: no"}


def answered(folder: Path, **settings: Any) -> moot.Result:
    speakers = [{"name": name, "model": MODEL} for name in ("Ada", "Bo")]
    config = moot.configure(
        "answers", topic="Is it so?", form="yes or no", speakers=speakers, out=str(folder), seed=1, **settings
    )
    return asyncio.run(moot.run(config, models={MODEL: ScriptedModel(REPLIES)}))


@pytest.mark.usefixtures("reports_are_read")
def test_each_answer_is_shown_by_its_last_line_and_nothing_is_decided(tmp_path: Path) -> None:
    result = answered(tmp_path)
    assert result.status == "done", result.reason
    summary = result.summary
    assert (summary.headline, summary.decided) == ("2 of 2 answered, none of whom heard of another", False)
    assert [flag.code for flag in result.flags] == ["scripted_replies"]
    run = moot.find_run(result.run)
    for name in ("report.md", "report.html"):
        text = (run.path / name).read_text("utf-8")
        assert "2 of 2 answered, none of whom heard of another" in text
        assert "ANSWER: no" in text
    assert "- Ada: ANSWER: yes\n- Bo: ANSWER: no" in (run.path / "report.md").read_text("utf-8")
    teller = Teller()
    assert [str(teller.tell(entry).label) for entry in run.entries()][1:] == ["Ada · answers", "Bo · answers"]
    assert_sound(run)


def test_whoever_did_not_answer_is_named(tmp_path: Path) -> None:
    result = answered(tmp_path, max_calls=1)
    assert result.status == "limit"
    [flag] = [flag for flag in result.flags if flag.code == "answers_missing"]
    missing = {"Ada", "Bo"} - set(result.document()["answers"])
    assert flag.text == f"Not everybody answered: {missing.pop()} did not."
