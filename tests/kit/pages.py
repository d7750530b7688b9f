"""A small web on this machine, with every kind of page a verifier meets. It counts what it is asked for."""

import asyncio
import gzip
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from aiohttp import web

from moot.evidence.reader import Readers
from tests.kit import clock
from tests.kit.waiting import PATIENCE

SENTENCE = "Buses in the old town run on time since the streets were closed to private cars."
ARTICLE = f"""<!DOCTYPE html><html><head><title>Buses &amp; streets</title><style>p {{ color: red }}</style></head>
<body>
<nav><a href="/">Home</a></nav><article><h1>Buses and streets</h1><p>{SENTENCE} That is what the operator’s own
figures show for the years before and after the change, on all nine lines that cross the bridge.</p>
<p>Delivery vans are let in before ten in the morning, which shopkeepers had asked for, and residents keep their
permits. The council means to look at the rules again when the new tramway opens.</p></article>
<script>let hidden = "never shown";</script></body></html>"""


def pdf(text: str) -> bytes:
    """A PDF of one page with a line of text, made by hand."""
    return pdf_of(f"BT /F1 12 Tf 20 100 Td ({text}) Tj ET".encode())


def pdf_of(stream: bytes, about: bytes = b"") -> bytes:
    """A PDF of one page with this content, packed as it says."""
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 200] /Contents 4 0 R /Resources << /Font << /F1 %s >> >> >>"
        % b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Length %d %s>>\nstream\n%s\nendstream" % (len(stream), about, stream),
    ]
    body = b"%PDF-1.4\n"
    offsets = []
    for number, part in enumerate(parts, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    start = len(body)
    body += b"xref\n0 %d\n0000000000 65535 f \n" % (len(parts) + 1)
    body += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return body + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(parts) + 1, start)


@dataclass
class Web:
    """`asked` counts requests by path; `headers` has those of the last one; `most_at_once` is per the whole server."""

    port: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    headers: dict[str, str] = field(default_factory=dict)
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    at_once: int = 0
    most_at_once: int = 0
    location: str = "/good"
    body: bytes = b""
    content_type: str = "text/plain"

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked[request.path] += 1
        self.headers = dict(request.headers)
        self.reached.set()
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            pages: dict[str, Callable[[web.Request], Awaitable[web.StreamResponse]]] = {
                "slow": self._slow,
                "silent": self._silent,
                "endless": self._endless,
            }
            special = pages.get(request.path.strip("/"))
            return await special(request) if special else self._plain(request)
        finally:
            self.at_once -= 1

    def _plain(self, request: web.Request) -> web.Response:
        name, _, rest = request.path.strip("/").partition("/")
        if name == "good":
            return web.Response(text=ARTICLE, content_type="text/html", headers={"Set-Cookie": "track=1; Path=/"})
        if name == "status":
            return web.Response(status=int(rest), text="no")
        if name == "first":  # gone at the first look only, or in two ways
            before, after = rest.split("-")
            status = int(before) if self.asked[request.path] == 1 else int(after)
            return web.Response(status=status, text=SENTENCE)
        if name == "to":
            return web.Response(status=302, headers={"Location": self.location})
        if name == "hop":
            left = int(rest)
            return web.Response(status=301, headers={"Location": f"/hop/{left - 1}" if left else "/good"})
        if name == "loop":
            return web.Response(status=307, headers={"Location": "/loop"})
        if name == "body":
            return web.Response(body=self.body, headers={"Content-Type": self.content_type})
        return web.Response(status=404, text="not here")

    async def _slow(self, request: web.Request) -> web.StreamResponse:
        clock.put_forward(2 * PATIENCE)
        return await self._silent(request)

    async def _silent(self, request: web.Request) -> web.StreamResponse:
        await asyncio.Event().wait()
        raise AssertionError

    async def _endless(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/plain"})
        await response.prepare(request)
        for _ in range(1_000):
            await response.write(b"x" * 65_536)
        return response


def patient_readers() -> Any:
    """Within this, the processes that read pages may take any time to start."""
    return patch("moot.evidence.reader.START_SECONDS", PATIENCE)


class _Kept(Readers):
    def close(self) -> None:
        """They are closed later."""


def kept_readers() -> Iterator[None]:
    """For a fixture: all fetchers of a module share the processes that read for them, since starting one takes long."""
    readers = _Kept()
    with patient_readers(), patch("moot.evidence.fetch.Readers", lambda: readers):
        yield
    Readers.close(readers)


@asynccontextmanager
async def running() -> AsyncIterator[Web]:
    state = Web()
    app = web.Application()
    app.router.add_get("/{path:.*}", state.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    state.port = runner.addresses[0][1]
    try:
        yield state
    finally:
        await runner.cleanup()


def packed(text: str) -> bytes:
    return gzip.compress(text.encode())
