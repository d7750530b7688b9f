"""A model for tests in a browser, which stops where it is told to."""

import asyncio
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import moot
from moot.engine.structured import instance_of
from moot.testing import Scripted

PLAYER = "staged/one"


def plain(request: moot.Request) -> Scripted:
    """A sound reply to every call."""
    return f"Said at {request.key}." if request.schema is None else instance_of(request.schema)


@dataclass(slots=True)
class Player:
    """Says what `say` makes of a call. Where it is held it has said the first words, or most of what is
    JSON, and goes on when let go."""

    say: Callable[[moot.Request], Scripted] = plain
    name: str = PLAYER
    small: bool = False
    context_window: int | None = None
    pause: float = 0.0
    """Seconds in the middle of the first words, so that they come in two pieces."""
    _held: dict[str, threading.Event] = field(default_factory=dict)

    def hold(self, key: str) -> None:
        self._held[key] = threading.Event()

    def let_go(self, key: str) -> None:
        self._held[key].set()

    async def ready(self) -> None:
        pass

    async def reply(self, request: moot.Request, on_text: Callable[[str], None] | None = None) -> moot.ModelReply:
        said = self.say(request)
        assert isinstance(said, str | dict)
        text = said if isinstance(said, str) else json.dumps(said)
        begun = 12 if request.schema is None else 2 * len(text) // 3
        if on_text:
            on_text(text[: begun // 2])
            await asyncio.sleep(self.pause)
            on_text(text[begun // 2 : begun])
        while request.key in self._held and not self._held[request.key].is_set():  # noqa: ASYNC110 (another thread's)
            await asyncio.sleep(0.01)
        await asyncio.sleep(0)
        if on_text:
            on_text(text[begun:])
        return moot.ModelReply(text, usage=moot.Usage(input=10, cached=0, output=5, cost=0.001))
