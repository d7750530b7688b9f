"""A debate as server-sent events: entries, streamed text, and the end. Events that many followers receive are
serialised once."""

import json
import threading
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import asdict
from weakref import WeakKeyDictionary

import moot
from moot.service.news import Awaiting, Ended, News, NewsBatch, Quiet, Silent, Speaking, Written

BEAT_EVERY = 15.0
"""Seconds of silence before a comment is sent, so that proxies keep the connection open."""
OPENING = b"retry: 1000\n\n"
BEAT = b":\n\n"
MOST_KEPT = 16_000_000
"""The maximum size of cached entries, in bytes."""
LARGEST_PIECE = 32_768
"""The maximum size of events that are sent together, in bytes."""
_KINDS: dict[type[News], str] = {Speaking: "speaking", Silent: "silent", Awaiting: "awaiting", Ended: "ended"}


class _Kept:
    """A cache of serialised entries, by identity of the entry."""

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
_forms: WeakKeyDictionary[NewsBatch, Sequence[bytes]] = WeakKeyDictionary()
"""Serialised batches. A batch lives until the next news."""


def entry_json(entry: moot.Entry) -> bytes:
    """An entry as JSON, on one line."""
    return _entries.form(entry)


def event_of(news: News) -> bytes:
    """One event. The id of an entry is its seq. An entry that has changed is `struck` and has no id, so that no client
    resumes from there."""
    if isinstance(news, Written):
        head = b"event: struck\n" if news.again else b"id: %d\nevent: entry\n" % news.entry.seq
        return b"%bdata: %b\n\n" % (head, entry_json(news.entry))
    if isinstance(news, Quiet):
        return BEAT
    return _plain(news)


def _plain(news: Speaking | Silent | Awaiting | Ended) -> bytes:
    return f"event: {_KINDS[type(news)]}\ndata: {json.dumps(asdict(news))}\n\n".encode()


def pieces_of(batch: NewsBatch) -> Sequence[bytes]:
    """The events of a batch, together if they are short. What is long goes in pieces, so that no more than one of them
    waits for a client that does not read."""
    known = _forms.get(batch)
    if known is not None:
        return known
    pieces = list(map(event_of, batch.news))
    if sum(map(len, pieces)) > LARGEST_PIECE:
        return pieces
    _forms[batch] = whole = (b"".join(pieces),)
    return whole


async def events(
    following: AsyncGenerator[NewsBatch, None], message_for: Callable[[Exception], str] = str
) -> AsyncIterator[bytes]:
    """The events of a followed debate. Quiet becomes a comment; an error ends the stream, with its message."""
    yield OPENING
    try:
        async with aclosing(following):
            async for batch in following:
                for piece in pieces_of(batch):
                    yield piece
    except moot.MootError as error:
        yield event_of(Ended("failed", message_for(error)))
