"""The two kinds of HTTP calls to a model.

`post_json` gets a document; `post_events` passes on server-sent events as they arrive. Both raise only ModelErrors.
Independent of wire formats, except for JSON and `data:` lines.
"""

import asyncio
import ipaddress
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp

from moot.errors import CutStream, ModelError, NotAReply
from moot.models.base import Message
from moot.models.calling import about_to_send
from moot.models.events import EventReader
from moot.models.failures import answer_failure, connection_failure, error_failure, not_a_reply
from moot.models.pacing import Pace
from moot.models.pool import Gate, Pool, pool
from moot.text.json import parse_json

LARGEST_BODY = 16 * 1024 * 1024
LARGEST_EVENT = 1024 * 1024
CONNECT_SECONDS = 30.0
MOMENT_AFTER_REPLY = 5.0
"""Seconds to wait for the rest of a stream after a complete reply: its usage, and the last event."""
DONE: dict[str, Any] = {}
"""Stands for the line `data: [DONE]`; compare by identity."""

Receive = Callable[[dict[str, Any]], bool]
_TRANSPORT_ERRORS = (aiohttp.ClientError, OSError, TimeoutError)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where models answer. `headers` and `secret` (the bare key) never show in a repr or an error.

    `timeout` limits a plain call, and the silence within a stream. `concurrency` limits the concurrent calls to this
    base URL, over all models in the event loop; the first endpoint that is used sets it. `rate` limits the calls that
    start there within a minute; the lowest one in use applies, and None means no limit. `key_variable` is the
    environment variable to name when the key is not accepted.
    """

    base_url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    secret: str = field(default="", repr=False)
    key_variable: str = ""
    timeout: float = 180.0
    concurrency: int = 64
    rate: int | None = None

    @property
    def host(self) -> str:
        return urlsplit(self.base_url).netloc


@dataclass(slots=True)
class _Lane:
    """State that is shared by all calls to one base URL."""

    session: aiohttp.ClientSession
    limit: asyncio.Semaphore | Gate
    proxy: str | None
    pace: Pace | Gate | None = None
    pause: Callable[[float], None] | None = None

    @property
    def has_room(self) -> bool:
        """Whether a call can start without waiting."""
        return self.pace is None and isinstance(self.limit, asyncio.Semaphore) and not self.limit.locked()

    def share_pause(self, failure: ModelError) -> ModelError:
        """Tell all other callers how long a pause the server asked for."""
        if self.pause is not None and failure.retry_after:
            self.pause(failure.retry_after)
        return failure


async def post_json(endpoint: Endpoint, path: str, document: Mapping[str, Any], model: str) -> dict[str, Any]:
    """POST a document and return the JSON object that comes back."""
    return await _document(endpoint, "POST", path, _encoded(document), model)


async def get_json(endpoint: Endpoint, path: str, model: str) -> dict[str, Any]:
    return await _document(endpoint, "GET", path, None, model)


async def post_events(
    endpoint: Endpoint,
    path: str,
    document: Mapping[str, Any],
    model: str,
    receive: Receive,
    complete: Callable[[], bool] = lambda: False,
) -> None:
    """POST a document and call `receive` with each event of the stream, until it returns True: the end.

    A stream that stops before that is a CutStream, unless the reply is `complete`: some servers leave out the last
    event. After a complete reply it waits a moment for the rest.
    """
    if (failure := await _stream(endpoint, path, _encoded(document), model, receive, complete)) is not None:
        raise failure


# Below, failures are values, and they are raised above, outside any except block: an error of the HTTP
# library must not hang on ours as its context, since it holds the request's headers, key and all.


async def _document(endpoint: Endpoint, method: str, path: str, body: bytes | None, model: str) -> dict[str, Any]:
    answer = await _exchange(endpoint, method, path, body, model)
    if isinstance(answer, ModelError):
        raise answer
    document = _parsed(answer)
    if document is None:
        raise not_a_reply(endpoint, answer)
    if document.get("error"):
        raise error_failure(endpoint, model, document)
    return document


@asynccontextmanager
async def _turn(endpoint: Endpoint) -> AsyncIterator[_Lane]:
    """The lane to the server, when it is this call's turn."""
    async with pool() as shared:
        lane = _lane(shared, endpoint)
        waited = not lane.has_room
        async with lane.limit:
            if lane.pace is not None:
                await lane.pace.turn(endpoint.rate)
            await about_to_send(waited=waited)
            yield lane


async def _exchange(endpoint: Endpoint, method: str, path: str, body: bytes | None, model: str) -> bytes | ModelError:
    async with _turn(endpoint) as lane:
        try:
            async with _send(lane, endpoint, method, path, body, _patience(endpoint.timeout, None)) as response:
                answer = await _whole(response)
        except _TRANSPORT_ERRORS as error:
            return connection_failure(endpoint, error)
    if answer is None:
        return NotAReply(f"{endpoint.host} sent more than {LARGEST_BODY >> 20} MiB: that is no model reply.")
    if response.status != 200:
        return lane.share_pause(answer_failure(endpoint, model, response.status, response.headers, answer))
    return answer


async def _stream(
    endpoint: Endpoint, path: str, body: bytes, model: str, receive: Receive, complete: Callable[[], bool]
) -> ModelError | None:
    # The silence between two pieces is bounded, and the whole more generously, since a server may keep a
    # dead stream open with comments for ever.
    timeout = _patience(4 * endpoint.timeout, endpoint.timeout)
    async with _turn(endpoint) as lane:
        try:
            response = await _send(lane, endpoint, "POST", path, body, timeout)
            answer = None if response.status == 200 else await _whole(response)
        except _TRANSPORT_ERRORS as error:
            return connection_failure(endpoint, error)
        async with response:
            if response.status != 200:
                return lane.share_pause(
                    answer_failure(endpoint, model, response.status, response.headers, answer or b"")
                )
            return await _follow(endpoint, model, response.content, receive, complete)


async def _follow(
    endpoint: Endpoint, model: str, content: aiohttp.StreamReader, receive: Receive, complete: Callable[[], bool]
) -> ModelError | None:
    """Pass on the events of one stream."""
    start, size, any_event = b"", 0, False
    events = EventReader(lambda data: DONE if data == b"[DONE]" else _parsed(data))
    while True:
        was_complete = complete()
        try:
            async with asyncio.timeout(MOMENT_AFTER_REPLY if was_complete else None):
                chunk = await content.readany()
        except _TRANSPORT_ERRORS as error:
            if was_complete:
                return None
            return connection_failure(endpoint, error) if isinstance(error, TimeoutError) else _cut(endpoint)
        size += len(chunk)
        start = start or chunk
        for event in events.more(chunk) if chunk else events.end():
            any_event = True
            outcome = _pass_on(endpoint, model, event, receive)
            if isinstance(outcome, ModelError):
                return outcome
            if outcome:
                await _drain(content)
                return None
        if size > LARGEST_BODY or events.held > LARGEST_EVENT:
            return NotAReply(f"{endpoint.host} sent a stream too large to be a model reply.")
        if not chunk:
            if complete():
                return None
            return _cut(endpoint) if any_event or not start.strip() else not_a_reply(endpoint, start)


async def _drain(content: aiohttp.StreamReader) -> None:
    """Read the few bytes after the last event, so that the connection can serve the next call."""
    with suppress(*_TRANSPORT_ERRORS):
        async with asyncio.timeout(0.05):
            while await content.readany():
                pass


def _pass_on(endpoint: Endpoint, model: str, event: dict[str, Any] | bytes, receive: Receive) -> ModelError | bool:
    if isinstance(event, bytes):
        return not_a_reply(endpoint, b"data: " + event)
    return error_failure(endpoint, model, event) if event.get("error") else receive(event)


def _encoded(document: Mapping[str, Any]) -> bytes:
    """The document as JSON; messages have their JSON already."""
    if "messages" not in document:
        return json.dumps(document).encode()
    messages = [one.json if type(one) is Message else json.dumps(one).encode() for one in document["messages"]]
    rest = json.dumps({name: value for name, value in document.items() if name != "messages"}).encode()
    return b'{"messages": [%b]%b%b' % (b", ".join(messages), b", " if len(rest) > 2 else b"", rest[1:])


def _parsed(body: bytes) -> dict[str, Any] | None:
    """The JSON object in `body`, or None if it is not one."""
    try:
        document = parse_json(body, halves=True)
    except ValueError:
        return None
    return document if isinstance(document, dict) else None


async def _whole(response: aiohttp.ClientResponse) -> bytes | None:
    """The body of an answer, or None when it is too large."""
    chunks, size = [], 0
    while not response.content.at_eof():
        chunks.append(await response.content.readany())
        size += len(chunks[-1])
        if size > LARGEST_BODY:
            return None
    return b"".join(chunks)


def _cut(endpoint: Endpoint) -> CutStream:
    return CutStream(f"{endpoint.host} broke off in the middle of its reply. Try again.")


def _lane(shared: Pool, endpoint: Endpoint) -> _Lane:
    lane: _Lane | None = shared.lanes.get(endpoint.base_url)
    if lane is None:
        if shared.session is None:
            shared.session = _new_session()
        session, proxy = shared.session, _proxy(endpoint.base_url)
        if shared.gate is None:
            lane = _Lane(session, asyncio.Semaphore(endpoint.concurrency), proxy)
        else:
            gate = shared.gate(endpoint.base_url, endpoint.concurrency)
            lane = _Lane(session, gate, proxy, gate, gate.pause)
        shared.lanes[endpoint.base_url] = lane
    if endpoint.rate is not None and lane.pace is None:
        lane.pace = Pace()
    return lane


@cache
def _patience(total: float, silence: float | None) -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(total=total, sock_connect=CONNECT_SECONDS, sock_read=silence)


def _send(
    lane: _Lane,
    endpoint: Endpoint,
    method: str,
    path: str,
    body: bytes | None,
    timeout: aiohttp.ClientTimeout,
) -> "aiohttp.client._RequestContextManager":
    return lane.session.request(
        method,
        endpoint.base_url + path,
        data=body,
        headers=endpoint.headers,
        timeout=timeout,
        proxy=lane.proxy,
        allow_redirects=False,  # the key must not follow to another host
    )


def _proxy(base_url: str) -> str | None:
    """The proxy the environment names for this address. aiohttp's own way to find it (trust_env) costs two changes of
    thread for every call, and would send the passwords in ~/.netrc."""
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    with suppress(ValueError):
        if host == "localhost" or ipaddress.ip_address(host).is_loopback:
            return None
    return None if proxy_bypass(host) else getproxies().get(parts.scheme)


def _new_session() -> aiohttp.ClientSession:
    # Endpoints have limits of their own, so the pool has none; cookies are no part of these protocols.
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),
        cookie_jar=aiohttp.DummyCookieJar(),
        headers={"Content-Type": "application/json", "User-Agent": "moot"},
    )
