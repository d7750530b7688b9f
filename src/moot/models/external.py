"""An outside agent in the place of a model: its replies are the entries that it appends to the run's log.

It is waited for as long as the script says. What it appends is a request like any other's reply: the script checks it,
and says it again in its own place in the log.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from moot.errors import ConfigError
from moot.models.base import ModelReply, OnText, Request, Usage
from moot.record.entry import Entry
from moot.record.journal import read_journal
from moot.record.log import read_log

PAUSE = 0.2
"""Seconds between two looks at the log."""


@dataclass(frozen=True, slots=True)
class ExternalModel:
    """`folder` is the run's, None where nothing is run. One model may hold several roles; each takes its own entries,
    one for each reply, in the order of the log."""

    rest: str
    folder: Path | None
    small: bool = False
    context_window: int | None = None

    @property
    def name(self) -> str:
        return f"external/{self.rest}" if self.rest else "external"

    async def ready(self) -> None:
        if self.folder is None:
            raise ConfigError(f"{self.name} can only hold a role in a run that is kept in a folder")

    async def reply(self, request: Request, on_text: OnText | None = None) -> ModelReply:  # noqa: ARG002 (not streamed)
        await self.ready()
        assert self.folder is not None  # noqa: S101 (just checked)
        role = request.agent.partition("@")[0]
        while True:
            taken = await asyncio.to_thread(_taken, self.folder, role)
            entries = await asyncio.to_thread(_appended, self.folder, role)
            if len(entries) > taken:
                return ModelReply(_as_reply(entries[taken], request), usage=Usage(0, 0, 0, 0.0))
            await asyncio.sleep(PAUSE)


def _taken(folder: Path, role: str) -> int:
    """How many entries of that role were taken as replies already."""
    records = read_journal(folder / "calls.jsonl")
    return sum(
        one.kind == "reply" and (one.agent or "").partition("@")[0] == role and (one.model or "").startswith("external")
        for one in records
    )


def _appended(folder: Path, role: str) -> Sequence[Entry]:
    return [one for one in read_log(folder / "log.jsonl") if one.outside and one.speaker == role and one.type != "note"]


def _as_reply(entry: Entry, request: Request) -> str:
    """The entry in the shape that is asked for. A debater's entry has the fields of a turn; the sources are cited for
    all that it says. Otherwise the text of the entry is the reply, in JSON where the script asks for JSON."""
    fields = (request.schema or {}).get("properties", {})
    if "rebuttal_to_seq" in fields:
        claim = entry.content[:1000]
        turn = {
            "type": entry.type,
            "content": entry.content,
            "sources": [
                {"url": one.url, "title": one.title.strip() or one.url, "claim": claim} for one in entry.sources
            ],
            "rebuttal_to_seq": entry.rebuttal_to_seq,
            "target_seq": entry.target_seq,
            "claim": claim,
        }
        return json.dumps(turn, ensure_ascii=False)
    if list(fields) == ["conclusion"]:
        return json.dumps({"conclusion": entry.content}, ensure_ascii=False)
    return entry.content
