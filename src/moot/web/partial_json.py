"""What is being said, for people: of a reply that is JSON the texts in it, as they grow; any other as it is.

A reply is read as it comes, so nothing is known of what follows, and nothing is wrong with one that is cut off.
"""

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass, replace

from pydantic_core import from_json

from moot.service.host import News, Silent, Speaking

FENCE = "```json"


@dataclass(slots=True)
class Legible:
    """One reply. It takes the pieces as they come, and gives what there is to read in each."""

    heard: str = ""
    told: str = ""

    def more(self, piece: str) -> str:
        self.heard += piece
        readable = self._readable()
        fresh, self.told = readable[len(self.told) :], readable
        return fresh

    def _readable(self) -> str:
        """All that can be told so far; what is no JSON after all is told up to there, as it will not be accepted."""
        bare = self.heard.lstrip()
        unfenced = bare.removeprefix(FENCE).lstrip()
        if not unfenced or FENCE.startswith(bare):
            return ""  # it may become either
        if unfenced[0] not in "{[":
            return self.heard
        try:
            readable = "\n\n".join(_texts_in(from_json(unfenced, allow_partial="trailing-strings")))
        except ValueError:
            return self.told
        return readable if readable.startswith(self.told) else self.told


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str) and value:
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts_in(inner)


async def legible(following: AsyncGenerator[News, None]) -> AsyncGenerator[News, None]:
    """The same news, with what is being said as `Legible` has it."""
    replies: dict[str, tuple[Legible, int]] = {}
    async with aclosing(following):
        async for news in following:
            if isinstance(news, Speaking):
                reply, told = (Legible(), 0) if news.start == 0 else replies[news.key]
                text = reply.more(news.text)
                replies[news.key] = reply, told + len(text)
                if text or news.start == 0:
                    yield replace(news, start=told, text=text)
                continue
            if isinstance(news, Silent):
                replies.pop(news.key, None)
            yield news
