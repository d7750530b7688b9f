"""Readable text of a reply in progress: the texts inside JSON as they grow, anything else unchanged.

The reply is incomplete while it is read, so a cut-off reply is not an error.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial

from pydantic_core import from_json

from moot.engine.play.structured import THOUGHT
from moot.service.news import News, NewsBatch, Silent, Speaking

FENCE = "```json"


MOST_READING = 64
"""The maximum number of times that each character is parsed again while the reply grows."""
FREE_READING = 1 << 20
"""Replies up to this length are parsed again at every piece."""


@dataclass(slots=True)
class PartialReply:
    """One reply. It takes pieces and returns the readable text in each."""

    heard: str = ""
    waiting: list[str] = field(default_factory=list)
    sent: str = ""
    is_plain: bool = False
    reading: int = 0

    def more(self, piece: str) -> str:
        if self.is_plain:
            return piece
        self.waiting.append(piece)
        # JSON is read from its beginning at each piece. Of a long one in small pieces several are read at once, so that
        # a reply costs time in proportion to its length.
        if self.reading > MOST_READING * len(self.heard) + FREE_READING:
            self.reading -= MOST_READING * len(piece)
            return ""
        self.heard += "".join(self.waiting)
        self.waiting.clear()
        self.reading += len(self.heard)
        readable = self._readable()
        fresh, self.sent = readable[len(self.sent) :], readable
        return fresh

    def _readable(self) -> str:
        """The readable text so far. If it turns out not to be JSON, the text up to there, since the reply will be
        rejected."""
        bare = self.heard.lstrip()
        unfenced = bare.removeprefix(FENCE).lstrip()
        if not unfenced or FENCE.startswith(bare):
            return ""  # it may become either
        if unfenced[0] not in "{[":
            self.is_plain = True
            return self.heard
        try:
            readable = "\n\n".join(_texts_in(from_json(unfenced, allow_partial="trailing-strings")))
        except (ValueError, TypeError):  # half a character is no text to it
            return self.sent
        return readable if readable.startswith(self.sent) else self.sent


def _texts_in(value: object) -> list[str]:
    """The non-empty texts of a JSON value, in order; not what its author thinks."""
    texts, left = [], [value]
    while left:
        one = left.pop()
        if isinstance(one, str):
            if one:
                texts.append(one)
        elif isinstance(one, dict | list):
            parts = [part for key, part in one.items() if key != THOUGHT] if isinstance(one, dict) else one
            left.extend(reversed(parts))
    return texts


async def with_readable_speech(following: AsyncGenerator[NewsBatch, None]) -> AsyncGenerator[NewsBatch, None]:
    """The same news, with speech made readable by `PartialReply`."""
    replies: dict[str, tuple[PartialReply, int]] = {}
    async with aclosing(following):
        async for batch in following:
            if news := tuple(one for one in map(partial(_readable_news, replies), batch.news) if one is not None):
                yield NewsBatch(news)


def _readable_news(replies: dict[str, tuple[PartialReply, int]], news: News) -> News | None:
    """The news as it can be read; None if there is nothing to read yet."""
    if isinstance(news, Speaking):
        reply, start = (PartialReply(), 0) if news.start == 0 else replies[news.key]
        text = reply.more(news.text)
        replies[news.key] = reply, start + len(text)
        return replace(news, start=start, text=text) if text or news.start == 0 else None
    if isinstance(news, Silent):
        replies.pop(news.key, None)
    return news
