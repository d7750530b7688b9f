"""Fetches cited pages from a web that may be hostile.

The work is layered: `fetch` (each URL once), two tries (pages that seem missing are tried again), redirects (each
checked like a new URL), one hop (resolve, check, pin, call), one request at a time per host. Only public addresses are
called. The result is a `Page` or an `Unfetched` with its reason, never an exception.
"""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from types import TracebackType
from typing import TYPE_CHECKING, Self

from moot.evidence.addresses import Refusal, Target, follow, parse_url, refusal
from moot.evidence.pages import Kind, Page, Problem, Unfetched, sha256
from moot.evidence.reader import Readers

if TYPE_CHECKING:
    from moot.evidence.request import Answer

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Resolves a name to addresses for a port; raises OSError (socket.gaierror), like the system, if there are none."""

AT_ONCE = 8
READ_AT_ONCE = 4
LOOPBACK_VARIABLE = "MOOT_ALLOW_LOOPBACK_FETCH"
KNOWN_NAME = "example.com"
"""A name that certainly exists: if it is not found either, the problem is on our side."""
_NO_SUCH_NAME = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}
_REDIRECTS = {301, 302, 303, 307, 308}


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Limits for one page and its host. `seconds` covers all hops of one try, without waiting for a turn; `gap` is the
    shortest time between two requests to a host, `pause` the time before the second try."""

    redirects: int = 5
    bytes: int = 10 * 1024 * 1024
    seconds: float = 20.0
    reading_seconds: float = 30.0
    gap: float = 1.0
    pause: float = 3.0


@dataclass(slots=True)
class _Host:
    """`free_at` is the time of the event loop's clock at which the next request may be sent."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    free_at: float = 0.0


async def system_addresses(host: str, port: int) -> list[str]:
    """Resolve exactly this name with the system's resolver; the final dot disables search domains."""
    name = f"{host}." if "." in host else host
    found = await asyncio.get_running_loop().getaddrinfo(name, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(where[0]) for *_, where in found))


def loopback_allowed() -> bool:
    """Whether the environment of this process allows fetching from its own machine. A debate's config cannot."""
    return os.environ.get(LOOPBACK_VARIABLE) == "1"


class Fetcher:
    """Fetches each URL once, even if it is requested several times. Use it as a context manager:

    async with Fetcher() as fetcher:
        found = await fetcher.fetch("https://example.com/")

    `allow_loopback` allows calls to this machine at any port, for tests. `resolve` replaces the system's DNS; its
    results are checked as well.
    """

    def __init__(
        self,
        limits: FetchLimits | None = None,
        *,
        allow_loopback: bool = False,
        resolve: Resolve = system_addresses,
    ) -> None:
        self._limits = limits or FetchLimits()
        self._allow_loopback = allow_loopback
        self._resolve = resolve
        self._agent = f"moot/{version('moot')} (+source checker)"
        self._found: dict[str, asyncio.Task[Page | Problem]] = {}
        self._hosts: dict[str, _Host] = {}
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._threads = ThreadPoolExecutor(READ_AT_ONCE, "moot-reader")  # each thread waits for a reader process
        self._readers = Readers()
        self._names_are_found = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._found.values():
            task.cancel()
        await asyncio.gather(*self._found.values(), return_exceptions=True)
        self._readers.close()
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)

    async def fetch(self, url: str) -> Page | Unfetched:
        """The page at a URL, or the reason why there is none. A caller that is cancelled does not stop the others."""
        target = parse_url(url)
        if isinstance(target, Refusal):
            return Unfetched(url=url, kind="refused", words=target.words)
        task = self._found.get(target.url)
        if task is None:
            task = self._found[target.url] = asyncio.create_task(self._twice(target.url))
        found = await asyncio.shield(task)
        if isinstance(found, Problem):
            return Unfetched(url=url, kind=found.kind, words=found.words)
        return found.model_copy(update={"url": url})

    async def _twice(self, url: str) -> Page | Problem:
        """Try a page that seems missing again after a pause, because a finding of fabrication depends on it."""
        first = await self._try(url)
        if isinstance(first, Page) or first.kind not in {"no-host", "gone"}:
            return first
        await asyncio.sleep(self._limits.pause)
        second = await self._try(url)
        if isinstance(second, Problem) and second.kind in {"no-host", "gone"} and second.kind != first.kind:
            return Problem("failing", f"{first.words}; then {second.words}")
        return second

    async def _try(self, url: str) -> Page | Problem:
        """Follow redirects to a page, each checked like a first URL."""
        loop = asyncio.get_running_loop()
        seconds = self._limits.seconds
        where = url
        for _ in range(self._limits.redirects + 1):
            target = parse_url(where)
            if isinstance(target, Refusal):
                return Problem("refused", f"a redirect leads to {target.words}")
            async with self._turn(target.host):
                started = loop.time()
                try:
                    async with asyncio.timeout(max(seconds, 0.0)):
                        answer = await self._hop(target)
                except TimeoutError:
                    answer = Problem("slow", f"no answer within {self._limits.seconds:g} seconds")
                seconds -= loop.time() - started
            if isinstance(answer, Problem):
                return answer
            if answer.status not in _REDIRECTS or not answer.location:
                return await self._read(target, answer)
            where = follow(target.url, answer.location)
        return Problem("redirects", f"more than {self._limits.redirects} redirects")

    @asynccontextmanager
    async def _turn(self, host: str) -> AsyncIterator[None]:
        """Allow one request at a time to a host, with a gap after each."""
        loop = asyncio.get_running_loop()
        state = self._hosts.setdefault(host, _Host())
        async with state.lock:
            await asyncio.sleep(state.free_at - loop.time())
            async with self._at_once:
                try:
                    yield
                finally:
                    state.free_at = loop.time() + self._limits.gap

    async def _hop(self, target: Target) -> "Answer | Problem":
        """Resolve once, check every address, and call only these."""
        from moot.evidence.request import get

        addresses = [target.host] if target.is_address else await self._addresses(target)
        if isinstance(addresses, Problem):
            return addresses
        for address in addresses:
            refused = refusal(address, target.port, allow_loopback=self._allow_loopback)
            if refused:
                return Problem("refused", refused.words)
        return await get(
            target,
            addresses,
            agent=self._agent,
            most_bytes=self._limits.bytes,
            allow_loopback=self._allow_loopback,
        )

    async def _addresses(self, target: Target) -> list[str] | Problem:
        try:
            addresses = await self._resolve(target.host, target.port)
        except OSError as error:
            if error.errno not in _NO_SUCH_NAME:
                return Problem("failing", f"{target.host} could not be looked up")
            if not await self._can_find_names():
                return Problem("offline", "no host at all can be found from here")
            return Problem("no-host", f"there is no host named {target.host}")
        self._names_are_found = True
        return addresses or Problem("no-host", f"{target.host} has no address")

    async def _can_find_names(self) -> bool:
        """Whether DNS works here. Without a network, every name seems not to exist."""
        if not self._names_are_found:
            try:
                self._names_are_found = bool(await self._resolve(KNOWN_NAME, 443))
            except OSError:
                return False
        return self._names_are_found

    async def _read(self, target: Target, answer: "Answer") -> Page | Problem:
        if answer.status != 200:  # only 404 and 410 mean that the page does not exist
            kind: Kind = (
                "gone" if answer.status in {404, 410} else "blocked" if 400 <= answer.status < 500 else "failing"
            )
            return Problem(kind, f"the server answered {answer.status}")
        given = answer.body, answer.content_type, answer.charset, self._limits.reading_seconds
        found = await asyncio.get_running_loop().run_in_executor(self._threads, self._readers.read, *given)
        if isinstance(found, Problem):
            return found
        return Page(
            url=target.url,
            final_url=target.url,
            status=answer.status,
            title=found.title,
            text=found.text,
            sha256=sha256(found.text),
            fetched_at=datetime.now(UTC).isoformat(timespec="seconds"),
        )
