"""Which URLs and addresses may be fetched, and why others may not. No I/O.

URLs are parsed here, once and strictly: anything that two parsers could read differently is rejected, so the host that
was checked is the host that is called.
"""

import re
from dataclasses import dataclass
from functools import cache
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from socket import AF_INET6, inet_ntop
from urllib.parse import urljoin, urlsplit

PORTS = {"http": 80, "https": 443}
LONGEST_URL = 4096
LONGEST_NAME = 253

_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_OPEN_IPV6 = "2000::/3"
"""All addresses assigned for public use. Others are unspecified, loopback, IPv4-mapped, NAT64, link-local,
unique-local, multicast or reserved."""
_CLOSED = {
    "0.0.0.0/8": "an address of this network",
    "10.0.0.0/8": "a private address",
    "100.64.0.0/10": "an address behind a carrier's translator",
    "127.0.0.0/8": "a loopback address",
    "168.63.129.16/32": "a cloud's own service",  # a public address used for an internal service
    "169.254.0.0/16": "a link-local address",
    "172.16.0.0/12": "a private address",
    "192.0.0.0/24": "an address reserved for protocols",
    "192.0.2.0/24": "an address for documentation",
    "192.88.99.0/24": "a 6to4 relay",
    "192.168.0.0/16": "a private address",
    "198.18.0.0/15": "an address for benchmarks",
    "198.51.100.0/24": "an address for documentation",
    "203.0.113.0/24": "an address for documentation",
    "224.0.0.0/4": "a multicast address",
    "240.0.0.0/4": "a reserved address",
    "2001::/23": "an address reserved for protocols, Teredo among them",
    "2001:db8::/32": "an address for documentation",
    "2002::/16": "a 6to4 address, which has an IPv4 address inside",
    "3fff::/20": "an address for documentation",
}


@dataclass(frozen=True, slots=True)
class Target:
    """A URL that may be called, as far as the URL itself shows. `host` is an ASCII name or a bare address."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def is_address(self) -> bool:
        return _address(self.host) is not None

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.path}"


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why a URL or an address must not be called."""

    words: str


def parse_url(url: str) -> Target | Refusal:
    """Parse a URL; a fragment is dropped. The addresses of the host are not checked here."""
    if len(url) > LONGEST_URL:
        return Refusal(f"a URL of more than {LONGEST_URL} characters")
    if not url.isprintable() or any(sign.isspace() for sign in url) or "\\" in url:
        return Refusal("a URL with white space, control characters or backslashes in it")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return Refusal("not a URL")
    if parts.scheme not in PORTS:
        return Refusal("only http and https are fetched")
    if "@" in parts.netloc:
        return Refusal("a URL with a user name in it")
    host = _host(parts.hostname or "", bracketed=parts.netloc.startswith("["))
    if isinstance(host, Refusal):
        return host
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, host, PORTS[parts.scheme] if port is None else port, path)


def refusal(address: str, port: int, *, allow_loopback: bool = False) -> Refusal | None:
    """The reason why this address must not be called at this port; None if it may be called."""
    found = _address(address)
    if found is None:
        return Refusal(f"{address} is no address")
    if allow_loopback and (found in IPv4Network("127.0.0.0/8") or found == IPv6Address("::1")):
        return None
    for network, words in _closed_networks():
        if found.version == network.version and found in network:
            return Refusal(f"{address} is {words}")
    if isinstance(found, IPv6Address) and found not in IPv6Network(_OPEN_IPV6):
        return Refusal(f"{address} is not an address for public use")
    if port not in PORTS.values():
        return Refusal(f"port {port} is not one of the web")
    return None


def follow(url: str, location: str) -> str:
    """The target of a redirect. Like browsers, accept bare spaces, which some servers send."""
    try:
        return urljoin(url, location.strip().replace(" ", "%20"))
    except ValueError:
        return location


def normal(url: str) -> str:
    """A normalised URL for comparison: the case of scheme and host, the default port, the fragment and a final slash
    are ignored. The result need not be fetchable."""
    url = url.strip()
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return url
    if parts.scheme not in PORTS:
        return url.partition("#")[0]
    user, at, _ = parts.netloc.rpartition("@")
    host = (parts.hostname or "").removesuffix(".")
    where = f"{user}{at}[{host}]" if ":" in host else f"{user}{at}{host}"
    if port not in (None, PORTS[parts.scheme]):
        where += f":{port}"
    return f"{parts.scheme}://{where}{parts.path.rstrip('/')}" + (f"?{parts.query}" if parts.query else "")


def _host(host: str, *, bracketed: bool) -> str | Refusal:
    if bracketed:
        try:
            address = IPv6Address(host)
        except AddressValueError:
            return Refusal(f"[{host}] is no IPv6 address")
        if address.scope_id is not None:
            return Refusal("an address with a zone in it")
        # Not str(): Python versions write IPv4-mapped addresses differently.
        return inet_ntop(AF_INET6, address.packed)
    name = _ascii(host)
    if isinstance(name, Refusal):
        return name
    labels = name.split(".")
    if _NUMBER.fullmatch(labels[-1]):  # some systems read 2130706433, 0x7f.1 and 0177.0.0.1 as 127.0.0.1
        try:
            return str(IPv4Address(name))
        except AddressValueError:
            return Refusal(f"{host} is not the usual spelling of an IPv4 address")
    if len(name) > LONGEST_NAME or not all(_LABEL.fullmatch(label) for label in labels):
        return Refusal("not the name of a host")
    return name


def _ascii(host: str) -> str | Refusal:
    """The name as used in DNS. Non-ASCII names may be converted to anything, even to an address, so the result is
    checked."""
    if len(host) > LONGEST_NAME + 1:
        return Refusal("not the name of a host")
    if not host.isascii():
        import idna

        try:
            host = idna.encode(host, uts46=True).decode("ascii")
        except UnicodeError:
            return Refusal("not the name of a host")
    return host.lower().removesuffix(".")


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None


@cache
def _closed_networks() -> list[tuple[IPv4Network | IPv6Network, str]]:
    return [(IPv6Network(text) if ":" in text else IPv4Network(text), words) for text, words in _CLOSED.items()]
