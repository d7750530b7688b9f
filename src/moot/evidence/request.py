"""One guarded HTTP request: fixed addresses, one answer, limited in size. Imports aiohttp, so import it where it is
used.

The host was resolved and checked before. The connection is pinned to the checked addresses, while TLS still checks the
certificate against the name.
"""

import socket
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from moot.evidence.addresses import Target, refusal
from moot.evidence.pages import Problem

ACCEPT = "text/html, application/xhtml+xml, text/plain;q=0.9, application/pdf;q=0.9, application/json;q=0.8, */*;q=0.5"
_CHUNK = 65_536


@dataclass(frozen=True, slots=True)
class Answer:
    """The response of a server. It has a body only with status 200."""

    status: int
    location: str
    content_type: str
    charset: str | None
    body: bytes


@dataclass(frozen=True, slots=True)
class _Pinned:
    """Replaces DNS in aiohttp, for the one host of a request."""

    addresses: Sequence[str]

    async def resolve(self, host: str, port: int = 0, _family: int = 0, **_: Any) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for address in self.addresses
        ]

    async def close(self) -> None:
        """Nothing to close."""


async def get(
    target: Target, addresses: Sequence[str], *, agent: str, most_bytes: int, allow_loopback: bool = False
) -> Answer | Problem:
    """GET a URL from the given addresses. Follows no redirects, sends and stores no cookies, reads no proxy settings.

    Limits the size of the decompressed body; the caller must limit the time.
    """

    def dial(info: tuple[Any, ...]) -> socket.socket:
        """The last check of every address, from any source."""
        family, kind, protocol, _, where = info
        if where[0] not in addresses or refusal(where[0], where[1], allow_loopback=allow_loopback):
            raise OSError("not an address that was judged fit")
        return socket.socket(family, kind, protocol)

    connector = aiohttp.TCPConnector(
        resolver=cast(AbstractResolver, _Pinned(addresses)),
        use_dns_cache=False,
        force_close=True,
        socket_factory=dial,
    )
    try:
        async with (
            aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None),
                headers={"User-Agent": agent, "Accept": ACCEPT, "Accept-Encoding": "gzip, deflate"},
                trust_env=False,
            ) as session,
            session.get(target.url, allow_redirects=False) as response,
        ):
            return await _answer(response, most_bytes)
    except (ssl.SSLError, aiohttp.ClientSSLError):
        return Problem("failing", "no secure connection: its certificate or TLS will not do")
    except aiohttp.ClientPayloadError:
        return Problem("failing", "the body broke off, or its compression is broken")
    except (aiohttp.ClientError, OSError, ValueError) as error:  # ValueError: a URL that aiohttp rejects
        return Problem("failing", f"the connection failed ({type(error).__name__})")


async def _answer(response: aiohttp.ClientResponse, most_bytes: int) -> Answer | Problem:
    body = bytearray()
    if response.status == 200:
        if (response.content_length or 0) > most_bytes:
            return _too_large(most_bytes)
        async for chunk in response.content.iter_chunked(_CHUNK):
            body += chunk
            if len(body) > most_bytes:
                return _too_large(most_bytes)
    return Answer(
        status=response.status,
        location=response.headers.get("Location", ""),
        content_type=response.headers.get("Content-Type", ""),
        charset=response.charset,
        body=bytes(body),
    )


def _too_large(most_bytes: int) -> Problem:
    return Problem("huge", f"more than {most_bytes:,} bytes")
