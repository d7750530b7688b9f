"""What the report of a duel says against its own verdict, and of replies that are not whole."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import moot
from moot.models.base import ModelReply
from moot.testing import ScriptedModel
from tests.kit.duels import MODEL, full_script, play, small_config


def reports(result: moot.Result) -> list[str]:
    folder = moot.find_run(result.run).path
    return [(folder / f"report.{form}").read_text("utf-8") for form in ("md", "html")]


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
