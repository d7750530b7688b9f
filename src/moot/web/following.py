"""A debate as server-sent events: entries, streamed text, and the end. Events that many followers receive are
serialised once."""

import json
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
LARGEST_PIECE = 32_768
"""The maximum size of events that are sent together, in bytes."""
_KINDS: dict[type[News], str] = {Speaking: "speaking", Silent: "silent", Awaiting: "awaiting", Ended: "ended"}


_forms: WeakKeyDictionary[NewsBatch, Sequence[bytes]] = WeakKeyDictionary()
"""Serialised batches. A batch lives until the next news."""


def entry_json(entry: moot.Entry) -> bytes:
    """An entry as JSON, on one line."""
    return entry.model_dump_json().encode()


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
