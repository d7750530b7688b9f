"""What the report of a duel says against its own verdict, and of replies that are not whole."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from moot.report.duel import announced_winner

import moot
from moot.models.base import ModelReply
from moot.testing import ScriptedModel
from tests.cli.test_summary import told
from tests.kit.duels import MODEL, full_script, play, small_config


def duel(folder: Path, **replies: Any) -> moot.Result:
    said = {key.replace("_", "/"): reply for key, reply in replies.items()}
    return play(small_config(folder), ScriptedModel({**full_script(2), **said}))


def reports(result: moot.Result) -> list[str]:
    folder = moot.find_run(result.run).path
    return [(folder / f"report.{form}").read_text("utf-8") for form in ("md", "html")]


def test_an_announcement_of_another_winner_is_flagged(tmp_path: Path) -> None:
    result = duel(tmp_path, judge_announce="Bo wins, without any doubt.")
    assert result.document()["winner"] == "Ada"
    flag = "Announcement contradicts the record: it reads as if Bo had won, and on record is Ada."
    assert all(flag in text for text in reports(result))
    assert not any("Announcement contradicts" in text for text in reports(duel(tmp_path / "sound")))


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ("**Bo** wins the debate over Ada.", "Bo"),
        ("The winner is Bo; Ada did not answer.", "Bo"),
        ("It was close. Bo was better throughout.", "Bo"),
        ("Bo wins points for style, but the case was Ada's.", None),
        ("Bo argued well, and Ada better.", None),
        ("Ada wins, and Bo has not answered her.", "Ada"),
        ("Bo wins. Ada wins.", None),
    ],
)
def test_who_an_announcement_says_has_won(text: str, winner: str | None) -> None:
    assert announced_winner(text, ["Ada", "Bo"]) == winner


def test_where_there_is_no_score_none_is_told_of(tmp_path: Path) -> None:
    bad = ["?"] * 3
    result = duel(tmp_path, judge_score_1=bad, judge_score_2=bad, judge_extract=bad)
    assert result.document()["scores"] == {"Ada": None, "Bo": None}
    for text in reports(result):
        assert "No scores: the judge gave neither final nor running ones" in text
        assert "Scores taken from the running scores" not in text
    shown = told(result.document())
    assert "There are no scores: the judge gave neither final nor running ones." in shown
    assert "last running ones" not in shown


@dataclass
class Cut:
    """A model whose first statement stops at the token limit."""

    inner: ScriptedModel
    name: str = MODEL
    small: bool = False
    context_window: int | None = None

    async def ready(self) -> None:
        pass

    async def reply(self, request: moot.Request, on_text: Any = None) -> ModelReply:
        found = await self.inner.reply(request, on_text)
        return ModelReply(found.text, "length", found.usage) if request.key == "A/turn/1" else found


def test_a_statement_that_was_cut_off_is_marked_where_it_stands(tmp_path: Path) -> None:
    result = play(small_config(tmp_path), Cut(ScriptedModel(full_script(2))))
    for text in reports(result):
        assert text.count("opening, turn 1, cut off at the token limit") == 1
        assert "turn 2, cut off" not in text
