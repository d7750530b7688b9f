"""The guard in front of every route checks the token, the origin, the host name and the limits. See
docs/security.md."""

import asyncio
import hashlib
import hmac
import ipaddress
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from fastapi import Request
from fastapi.responses import RedirectResponse
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from moot.service.host import ACTOR
from moot.text import clip, one_line
from moot.web.errors import problem

LARGEST_BODY = 1_000_000
WITH_IMAGES = 6_000_000
"""A debate with as large images as it may have: their Base64, encoded once more for a form, and the texts."""
LARGER_BODIES = {
    "/api/documents": 10_000_000,
    **dict.fromkeys(("/api/plan", "/api/runs", "/start", "/start/plan"), WITH_IMAGES),
}
"""The route that accepts files, which are not stored, and the routes that accept the documents of a debate."""
SECONDS_FOR_BODY = 30
LONGEST_ADDRESS = 60
MOST_FOLLOWERS = 500
READING = ("GET", "HEAD", "OPTIONS")
STAYING = ("/follow", "/mcp")
"""Routes whose GET responses last as long as the client stays."""
OPEN_TO_ALL = ("/static/", "/report.css", "/replay.js", "/healthz", "/readyz")
"""Scripts and stylesheets are the same everywhere and need no token, so that the page that asks for one has its style;
nor does whoever watches over the server."""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # `no-referrer` would have browsers send the Origin of our own forms as null.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::[0-9]{1,5})?")
"""A host name or address with an optional port, and nothing else."""


class Places:
    """A limited number of places."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.taken = 0

    @contextmanager
    def one(self) -> Iterator[bool]:
        """A place until the end of the block; False if there is none."""
        free = self.taken < self.most
        self.taken += free
        try:
            yield free
        finally:
            self.taken -= free


class Guard:
    """Refuses requests that are not allowed, and adds security headers to all responses."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        token: str | None,
        hosts: tuple[str, ...],
        followers: Places,
        read_only: bool = False,
        public_url: str = "",
    ) -> None:
        self.app = app
        self.public = urlsplit(public_url)
        self.read_only = read_only
        self.token = token
        self.hosts = {"localhost", self.public.hostname or "localhost", *(host.casefold() for host in hosts)}
        self.followers = followers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(Request(scope), receive, _with_headers(send))

    async def _answer(self, request: Request, receive: Receive, send: Send) -> None:
        scope = request.scope
        ACTOR.set(self._who(request))
        if refusal := self._refusal(request):
            await problem(request, *refusal)(scope, receive, send)
        elif login := self._login(request):
            await login(scope, receive, send)
        elif not self._knows(request):
            headers = {"WWW-Authenticate": "Bearer"}
            await problem(request, 401, UNKNOWN, headers)(scope, receive, send)
        elif request.method not in READING:
            body = await _body(request.headers, receive, LARGER_BODIES.get(scope["path"], LARGEST_BODY))
            if isinstance(body, bytes):
                await self.app(scope, _replayed(body, receive), send)
            else:
                await problem(request, *body)(scope, receive, send)
        elif scope["path"].endswith(STAYING):
            with self.followers.one() as free:
                full = problem(request, 503, "as many followers are here as may be; come back later")
                await (self.app if free else full)(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _refusal(self, request: Request) -> tuple[int, str] | None:
        """The reason why a request is refused, independent of its sender."""
        headers = request.headers
        if not self._is_ours(headers.get("host", "")):
            return 421, "this server does not go by that name; `moot serve --allow-host NAME` makes it known"
        site = headers.get("sec-fetch-site", "none")
        if request.method in READING:
            if site in ("cross-site", "same-site") and headers.get("sec-fetch-mode") != "navigate":
                return 403, "another site's page may not ask this"
            if self.read_only and request.scope["path"].rstrip("/") == "/start":
                return 403, READ_ONLY
            return None
        if self.read_only:
            return 403, READ_ONLY
        origin = headers.get("origin")
        if site not in ("none", "same-origin") or (origin is not None and not self._is_own(origin, headers["host"])):
            return 403, "another site's page may not do this"
        return None

    def _is_own(self, origin: str, host: str) -> bool:
        """Whether a request comes from one of our own pages."""
        return _same(origin, host) or bool(self.public.netloc and _same(origin, self.public.netloc))

    def _who(self, request: Request) -> str:
        """The address of the client: behind a proxy what that says, and nobody else can say."""
        told = request.headers.get("x-forwarded-for", "").rpartition(",")[2] if self.public.netloc else ""
        return clip(one_line(told), LONGEST_ADDRESS) or (request.client.host if request.client else "unknown")

    def _is_ours(self, host: str) -> bool:
        """Whether the Host header names this server. Bare addresses are allowed: DNS rebinding needs a name."""
        found = _HOST.fullmatch(host.casefold())
        name = (found[1] or found[2]) if found else ""
        return name in self.hosts or _is_address(name)

    def _knows(self, request: Request) -> bool:
        # Of the path as it is routed: that of `request.url` is made with the Host header, which anybody may invent.
        if self.token is None or request.scope["path"].startswith(OPEN_TO_ALL):
            return True
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        if scheme.casefold() == "bearer" and _equal(given.strip(), self.token):
            return True
        name, wanted = cookie_of(self.token)
        return _equal(_cookie(request.headers, name), wanted)

    def _login(self, request: Request) -> RedirectResponse | None:
        """For an address with the right token: redirect to the same address without it, and set a cookie, so that the
        token does not stay in the address bar, the history or a Referer."""
        token = request.query_params.get("token")
        if self.token is None or token is None or request.method != "GET" or not _equal(token, self.token):
            return None
        rest = urlencode([pair for pair in parse_qsl(request.url.query, keep_blank_values=True) if pair[0] != "token"])
        # Two slashes, or a backslash, at its start would make the path another site's address.
        path = quote("/" + request.url.path.lstrip("/"))
        answer = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        secure = "https" in (request.url.scheme, self.public.scheme)
        name, value = cookie_of(self.token)
        answer.set_cookie(name, value, httponly=True, samesite="strict", secure=secure)
        return answer


READ_ONLY = "this server is for reading: nothing can be started or changed here"
UNKNOWN = (
    "Access token missing or wrong: open the address that `moot serve` printed, or send it as `Authorization: Bearer …`"
)


def cookie_of(token: str) -> tuple[str, str]:
    """The name and value of the cookie that replaces the token. Cookies ignore ports, so the name depends on the token:
    two servers on one machine do not overwrite each other's."""
    digest = hashlib.sha256(f"moot cookie {token}".encode()).hexdigest()
    return f"moot-{digest[:8]}", digest[8:]


def is_loopback(host: str) -> bool:
    """Whether this address is a loopback address."""
    return host.casefold() == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _equal(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), wanted.encode())


def _same(origin: str, host: str) -> bool:
    """Whether the request comes from one of our own pages."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.casefold() == host.casefold()


def _cookie(headers: Headers, name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found else ""


async def _body(headers: Headers, receive: Receive, most: int) -> bytes | tuple[int, str]:
    """The complete body, or the reason for refusing it."""
    too_large = 413, f"a request may have {most:,} bytes"
    length = headers.get("content-length", "0")
    if length.isdecimal() and int(length) > most:
        return too_large
    body = b""
    try:
        async with asyncio.timeout(SECONDS_FOR_BODY):
            more = True
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return 400, "the request broke off"
                body += message.get("body", b"")
                more = message.get("more_body", False)
                if len(body) > most:
                    return too_large
    except TimeoutError:
        return 408, f"the request took more than {SECONDS_FOR_BODY} seconds to arrive"
    return body


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A receive function with this body as one message, followed by the original messages."""
    was_sent = False

    async def next_message() -> Message:
        nonlocal was_sent
        if was_sent:
            return await receive()
        was_sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return next_message


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "private, no-cache")
        await send(message)

    return sent
