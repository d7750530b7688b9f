"""A model for tests in a browser, which stops where it is told to."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import moot
from moot.engine.play.structured import instance_of
from moot.testing import Scripted
from tests.kit.waiting import turns, until

PLAYER = "staged/one"


def plain(request: moot.Request) -> Scripted:
    """A sound reply to every call."""
    return f"Said at {request.key}." if request.schema is None else instance_of(request.schema)


@dataclass(slots=True)
class Player:
    """Says what `say` makes of a call. Where it is held it has said the first words, or most of what is JSON, and goes
    on when let go; held `midway`, it has said half of that."""

    say: Callable[[moot.Request], Scripted] = plain
    name: str = PLAYER
    small: bool = False
    context_window: int | None = None
    _held: dict[tuple[str, bool], threading.Event] = field(default_factory=dict)

    def hold(self, key: str, *, midway: bool = False) -> None:
        self._held[key, midway] = threading.Event()

    def let_go(self, key: str, *, midway: bool = False) -> None:
        self._held[key, midway].set()

    async def _passed(self, key: str, *, midway: bool) -> None:
        """A turn of the loop, or as many as it takes until it is let go."""
        await turns()
        if held := self._held.get((key, midway)):
            await until(held.is_set)

    async def ready(self) -> None:
        pass

    async def reply(self, request: moot.Request, on_text: Callable[[str], None] | None = None) -> moot.ModelReply:
        said = self.say(request)
        assert isinstance(said, str | dict)
        text = said if isinstance(said, str) else json.dumps(said)
        begun = 12 if request.schema is None else 2 * len(text) // 3
        if on_text:
            on_text(text[: begun // 2])
            await self._passed(request.key, midway=True)
            on_text(text[begun // 2 : begun])
        await self._passed(request.key, midway=False)
        if on_text:
            on_text(text[begun:])
        return moot.ModelReply(text, usage=moot.Usage(input=10, cached=0, output=5, cost=0.001))
