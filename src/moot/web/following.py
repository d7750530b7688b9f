"""A debate as server-sent events: entries as they are written, text as it is generated, until it ends.

What is the same for many followers is serialised once.
"""

import json
import threading
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import asdict
from functools import lru_cache
from typing import Any

import moot
from moot.service.host import Awaiting, Ended, News, Quiet, Silent, Speaking, Written

BEAT_EVERY = 15.0
"""Seconds of silence before a comment is sent, so that nobody in between takes the connection for dead."""
OPENING = b"retry: 1000\n\n"
BEAT = b":\n\n"
MOST_KEPT = 16_000_000
"""Bytes of entries that are kept serialised."""
EVENT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "event": {"type": "string"},
        "id": {"type": "string"},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
    "required": ["data"],
}
"""The JSON Schema of an event, each of which carries a JSON document."""
_KINDS: dict[type[News], str] = {Speaking: "speaking", Silent: "silent", Awaiting: "awaiting", Ended: "ended"}


class _Kept:
    """The serialised form of the latest entries. An entry is known by its identity, so it is kept with its form."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._lock = threading.Lock()
        self._forms: OrderedDict[int, tuple[moot.Entry, bytes]] = OrderedDict()

    def form(self, entry: moot.Entry) -> bytes:
        with self._lock:
            known = self._forms.get(id(entry))
            if known is not None:
                return known[1]
            form = entry.model_dump_json().encode()
            self._forms[id(entry)] = entry, form
            self._size += len(form)
            while self._size > self._most:
                _, (_, oldest) = self._forms.popitem(last=False)
                self._size -= len(oldest)
            return form


_entries = _Kept(MOST_KEPT)


def entry_json(entry: moot.Entry) -> bytes:
    """An entry as JSON, on one line."""
    return _entries.form(entry)


def event_of(news: News) -> bytes:
    """One event. The id of an entry is its seq; an entry that reads differently now is `struck` and has none, so that
    nobody resumes from there."""
    if isinstance(news, Written):
        head = b"event: struck\n" if news.again else b"id: %d\nevent: entry\n" % news.entry.seq
        return b"%bdata: %b\n\n" % (head, entry_json(news.entry))
    if isinstance(news, Quiet):
        return BEAT
    return _spoken(news) if isinstance(news, Speaking) else _plain(news)


def _plain(news: Speaking | Silent | Awaiting | Ended) -> bytes:
    return f"event: {_KINDS[type(news)]}\ndata: {json.dumps(asdict(news))}\n\n".encode()


@lru_cache(256)
def _spoken(news: Speaking) -> bytes:
    return _plain(news)


async def events(following: AsyncGenerator[News, None], told: Callable[[Exception], str] = str) -> AsyncIterator[bytes]:
    """The events of a debate that is followed. Where it is Quiet, a comment; an error is an end, `told` in words."""
    yield OPENING
    try:
        async with aclosing(following):
            async for news in following:
                yield event_of(news)
    except moot.MootError as error:
        yield event_of(Ended("failed", told(error)))
