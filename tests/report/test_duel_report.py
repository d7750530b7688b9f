"""What the report of a duel says against its own verdict, and of replies that are not whole."""

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

import moot
from moot.cli.summary import print_summary
from moot.models.base import ModelReply
from moot.testing import ScriptedModel
from tests.kit.duels import MODEL, answer_for, full_script, play, small_config


def duel(folder: Path, **replies: Any) -> moot.Result:
    said = {key.replace("_", "/"): reply for key, reply in replies.items()}
    return play(small_config(folder), ScriptedModel({**full_script(2), **said}))


def reports(result: moot.Result) -> list[str]:
    folder = moot.find_run(result.run).path
    return [(folder / f"report.{form}").read_text("utf-8") for form in ("md", "html")]


def faces(result: moot.Result) -> list[str]:
    """What is told in the reports and in the terminal."""
    out = io.StringIO()
    print_summary(result, Console(file=out, width=1000))
    return [*reports(result), out.getvalue()]


def test_an_answer_against_the_verdict_is_flagged(tmp_path: Path) -> None:
    result = duel(tmp_path, judge_announce=[answer_for("Bo", "No.")] * 2)
    assert result.document()["winner"] == "Ada"
    flag = "The judge’s answer contradicts the verdict and is left out: it follows the case of Bo, and Ada won."
    assert all(flag in " ".join(text.split()) for text in faces(result))
    assert not any("answer contradicts" in text for text in faces(duel(tmp_path / "sound")))


def test_where_there_is_no_score_none_is_told_of(tmp_path: Path) -> None:
    bad = ["?"] * 3
    result = duel(tmp_path, judge_score_1=bad, judge_score_2=bad, **{"judge@verdict_extract": bad})
    assert result.document()["scores"] == {"Ada": None, "Bo": None}
    assert "no_scores" in [flag.code for flag in result.flags]
    for text in faces(result):
        assert "No scores: the judge gave neither final nor running ones" in text
        assert "last running ones" not in text


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
        assert text.count("turn 1 of 2 · opening, cut off at the token limit") == 1
        assert "turn 2 of 2 · closing, cut off" not in text
