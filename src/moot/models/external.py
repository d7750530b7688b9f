"""An outside agent instead of a model: its replies are the entries that it appends to the run's log.

Each question is stored where `moot log next` finds it, and the answer is an entry that names the question. The script
says how long to wait for it, and checks it like any reply.
"""

import asyncio
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
    """`inbox` belongs to the run; it is None outside a run."""

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
        self.inbox.put_up(request)
        try:
            while (entry := await asyncio.to_thread(self.inbox.answer_to, request)) is None:  # noqa: ASYNC110 (a file)
                await asyncio.sleep(PAUSE)
        finally:
            self.inbox.take_down(request)
        return ModelReply(entry.content, usage=Usage(0, 0, 0, 0.0))
