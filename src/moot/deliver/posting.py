"""Posting a document to an address given by the user.

The name is resolved once and checked, and only checked addresses are called. Redirects, cookies and proxy settings are
ignored, and time is limited. A name must resolve to public addresses. To reach this machine or a private network, the
user gives an IP address or `localhost`.
"""

import asyncio
from collections.abc import Mapping
from urllib.parse import quote

from moot.deliver.outbox import Sent
from moot.errors import ConfigError
from moot.evidence.addresses import Refusal, Target, parse_url, refusal
from moot.evidence.fetch import system_addresses

SECONDS = 30.0
WEB = ("http://", "https://")
FROM_A_GATEWAY = {502, 504}
"""Answers from a gateway, which does not know whether the receiver behind it got the document."""
THIS_MACHINE = ("127.0.0.1", "::1")


def is_web(address: str) -> bool:
    return address.lower().startswith(WEB)


def target_of(url: str) -> Target:
    """The parts of an address; ConfigError if it is not usable. The message does not quote it, since it can contain a
    secret."""
    target = parse_url(url)
    if isinstance(target, Refusal):
        raise ConfigError(f"the address of a webhook will not do: {target.words}")
    return target


def shown(target: Target) -> str:
    """The part of an address without secrets."""
    return f"{target.scheme}://{target.host}"


async def post(target: Target, body: bytes, headers: Mapping[str, str]) -> Sent:
    """Post a JSON document. An answer of 2xx means that it arrived; any other answer, or a failed connection, that it
    did not. If the connection broke before an answer, or a gateway answered, the result is unknown."""
    try:
        async with asyncio.timeout(SECONDS):
            addresses = await _addresses(target)
    except (OSError, TimeoutError):
        return Sent("missed", "its host cannot be found")
    if isinstance(addresses, Refusal):
        return Sent("missed", f"its name leads elsewhere: {addresses.words}")
    sent = Sent("missed", "its host has no address")
    for address in addresses:
        sent = await _post_to(address, target, body, headers)
        if sent.state != "missed" or sent.answered:
            break
    return sent


async def _addresses(target: Target) -> list[str] | Refusal:
    if target.is_address:
        return [target.host]
    if target.host == "localhost":
        return list(THIS_MACHINE)
    addresses = await system_addresses(target.host, target.port)
    # The port is the user's choice, so only the address is checked.
    refused = next((why for address in addresses if (why := refusal(address, 443))), None)
    return refused or addresses


async def _post_to(address: str, target: Target, body: bytes, headers: Mapping[str, str]) -> Sent:
    import aiohttp
    from yarl import URL

    host = f"[{address}]" if ":" in address else address
    # Exactly as given: a receiver may have signed this spelling.
    path = quote(target.path, safe="%/:?&=+~!$'()*,;@[]")
    url = URL(f"{target.scheme}://{host}:{target.port}{path}", encoded=True)
    name = target.url.removeprefix(f"{target.scheme}://").removesuffix(target.path)
    sent_headers = {
        "Content-Type": "application/json",
        "User-Agent": "moot",
        "Host": name,
        **headers,
    }
    certified = target.host if target.scheme == "https" and not target.is_address else None
    limits = aiohttp.ClientTimeout(total=SECONDS, sock_connect=SECONDS / 2)
    try:
        async with (
            aiohttp.ClientSession(timeout=limits, cookie_jar=aiohttp.DummyCookieJar(), trust_env=False) as session,
            session.post(
                url, data=body, headers=sent_headers, allow_redirects=False, server_hostname=certified
            ) as response,
        ):
            status = response.status
    except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
        return Sent("missed", f"no connection ({type(error).__name__})")
    except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
        return Sent("unknown", f"the connection broke before an answer ({type(error).__name__})")
    if 200 <= status < 300:
        return Sent("done")
    return Sent("unknown" if status in FROM_A_GATEWAY else "missed", f"it answered {status}", answered=True)
