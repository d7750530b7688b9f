"""An outside agent instead of a model: its replies are the entries that it appends to the run's log.

The script says how long to wait for it. For a turn in the debate there are entry types; any other question is stored
where `moot log next` finds it, and the answer is an entry that names the question. The script checks both like any
reply, and repeats them at the right place in the log.
"""

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from moot.errors import ConfigError
from moot.models.base import ModelReply, OnText, Request, Usage

if TYPE_CHECKING:
    from moot.record.entry import Entry

PAUSE = 0.2
"""Seconds between two checks of the log."""


class Inbox(Protocol):
    """Where the entries of outside agents arrive."""

    def next_entry(self, role: str) -> "Entry | None":
        """The first entry of that role that has not been used as a reply."""
        ...

    def put_up(self, request: Request) -> None:
        """Show a question to the agent."""
        ...

    def take_down(self, request: Request) -> None:
        """Remove the question."""
        ...

    def answer_to(self, request: Request) -> "Entry | None":
        """The entry that answers this question."""
        ...


@dataclass(frozen=True, slots=True)
class ExternalModel:
    """`inbox` belongs to the run; it is None outside a run. One model may have several roles; each uses its own
    entries, one for each reply, in the order of the log."""

    rest: str
    inbox: Inbox | None
    small: bool = False
    context_window: int | None = None

    @property
    def name(self) -> str:
        return f"external/{self.rest}" if self.rest else "external"

    async def ready(self) -> None:
        if self.inbox is None:
            raise ConfigError(f"{self.name} can only hold a role in a run that is kept in a folder")

    async def reply(self, request: Request, on_text: OnText | None = None) -> ModelReply:  # noqa: ARG002 (not streamed)
        await self.ready()
        assert self.inbox is not None  # noqa: S101 (just checked)
        if not _is_turn(request):
            return ModelReply(await self._answer(self.inbox, request), usage=Usage(0, 0, 0, 0.0))
        role = request.agent.partition("@")[0]
        while (entry := await asyncio.to_thread(self.inbox.next_entry, role)) is None:  # noqa: ASYNC110 (a file)
            await asyncio.sleep(PAUSE)
        return ModelReply(_as_reply(entry, request), usage=Usage(0, 0, 0, 0.0))

    async def _answer(self, inbox: Inbox, request: Request) -> str:
        inbox.put_up(request)
        try:
            while (entry := await asyncio.to_thread(inbox.answer_to, request)) is None:  # noqa: ASYNC110 (a file)
                await asyncio.sleep(PAUSE)
        finally:
            inbox.take_down(request)
        return entry.content


_TURN = {"type", "content", "sources"}
"""The fields of every turn of a debater."""


def _is_turn(request: Request) -> bool:
    """Whether the log has entry types for this question: a debater's turn, an audience's questions and conclusion."""
    fields = (request.schema or {}).get("properties", {})
    return fields.keys() >= _TURN or list(fields) in (["questions"], ["conclusion"])


def _as_reply(entry: "Entry", request: Request) -> str:
    """The entry in the requested shape. A debater's entry has the fields of a turn, and the text of a challenge is the
    sentence that it challenges. Otherwise the text of the entry is the reply, in JSON if that was requested."""
    fields = (request.schema or {}).get("properties", {})
    if fields.keys() >= _TURN:
        turn = {
            "type": entry.type,
            "content": entry.content,
            "sources": [{"url": one.url} for one in entry.sources],
            "rebuttal_to_seq": entry.rebuttal_to_seq,
            "target_seq": entry.target_seq,
            "claim": entry.content[:1000] if entry.type == "source_challenge" else None,
        }
        return json.dumps(turn, ensure_ascii=False)
    if list(fields) == ["conclusion"]:
        return json.dumps({"conclusion": entry.content}, ensure_ascii=False)
    return entry.content
