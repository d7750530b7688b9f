"""The embedded model, spared: it answers the first call of each of some kinds, and a filler all others."""

import json
from collections.abc import Callable, Collection

import moot
from moot.models.embedded import EmbeddedModel
from tests.kit.filler import brief_reply


class Sparing:
    def __init__(self, kinds: Collection[str]) -> None:
        self.kinds = kinds
        self.inner = EmbeddedModel("")
        self.name, self.small, self.context_window = self.inner.name, self.inner.small, self.inner.context_window
        self.answered: dict[str, str] = {}
        """The calls, by their kinds."""

    async def ready(self) -> None:
        await self.inner.ready()

    async def reply(self, request: moot.Request, on_text: Callable[[str], None] | None = None) -> moot.ModelReply:
        kind = request.key.split("/")[1]
        if kind in self.answered or kind not in self.kinds:
            said = brief_reply(request)
            return moot.ModelReply(said if isinstance(said, str) else json.dumps(said))
        self.answered[kind] = request.key
        return await self.inner.reply(request, on_text)
