"""Which URLs and addresses are refused, in whatever spelling."""

import ipaddress
import socket

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from moot.evidence.addresses import Refusal, Target, follow, normal, parse_url, refusal

CLOSED = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.0.192",
    "192.0.2.7",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.9",
    "203.0.113.5",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",  # IPv4-compatible
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",  # mapped: whoever means 8.8.8.8 can say so
    "::ffff:0:127.0.0.1",  # IPv4-translated
    "64:ff9b::7f00:1",  # NAT64
    "64:ff9b:1::a00:1",
    "100::1",
    "2001::1",  # Teredo
    "2001:0:7f00:1::",
    "2001:2::1",  # benchmarks
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:7f00:1::1",  # 6to4 of 127.0.0.1
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "4000::1",
]
OPEN = ["1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1"]
OPEN += ["192.0.1.1", "198.17.0.1", "198.20.0.1", "223.255.255.255", "2606:4700:4700::1111", "2a00:1450:4001::200e"]


@pytest.mark.parametrize("address", CLOSED)
def test_closed_addresses_are_refused(address: str) -> None:
    assert refusal(address, 443)
    assert refusal(ipaddress.ip_address(address).exploded, 443)


@pytest.mark.parametrize("address", OPEN)
def test_open_addresses_are_not(address: str) -> None:
    assert refusal(address, 80) is None
    assert refusal(address, 443) is None
    assert refusal(address, 22) == Refusal("port 22 is not one of the web")


def test_loopback_is_let_through_only_on_demand_and_alone() -> None:
    passing = [address for address in CLOSED if refusal(address, 8080, allow_loopback=True) is None]
    assert passing == ["127.0.0.1", "127.255.255.254", "::1"]


@settings(deadline=None)
@given(st.ip_addresses(v=4) | st.ip_addresses(v=6))
def test_nothing_that_python_knows_as_special_passes(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    special = not address.is_global or address.is_multicast or address.is_reserved
    if special:
        assert refusal(str(address), 443)


def spellings(number: int) -> list[str]:
    """Ways to write an IPv4 address that one resolver or another takes."""
    parts = [number >> 24, number >> 16 & 255, number >> 8 & 255, number & 255]
    return [
        str(number),
        hex(number),
        f"0{number:o}",
        ".".join(hex(part) for part in parts),
        ".".join(f"0{part:o}" for part in parts),
        ".".join(f"{part:04d}" for part in parts),
        f"{parts[0]}.{number & 0xFFFFFF}",
        f"{parts[0]}.{parts[1]}.{number & 0xFFFF}",
        f"{parts[0]}.{parts[1]}.{parts[2]}.0x{parts[3]:x}",
    ]


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1))
@example(0x7F000001)
@example(0xA9FEA9FE)
def test_odd_spellings_of_addresses_are_refused_or_read_as_they_stand(number: int) -> None:
    for spelling in spellings(number):
        for host in (spelling, f"{spelling}.", spelling.upper()):
            found = parse_url(f"http://{host}/")
            if isinstance(found, Target):
                assert found.host == str(ipaddress.ip_address(found.host))
                assert found.host == socket.inet_ntoa(socket.inet_aton(host.removesuffix(".").lower()))


NO_PLAIN_ADDRESSES = ["2130706433", "0x7f000001", "017700000001", "127.1", "0x7f.1", "0177.0.0.1", "127.0.0.01"]
NO_PLAIN_ADDRESSES += ["1.2.3.4.5", "256.1.1.1", "example.123", "example.0x7f"]


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://１２７.0.0.1/", "127.0.0.1"),  # full-width digits
        ("http://①②⑦.⓪.⓪.①/", "127.0.0.1"),
        ("http://127。0。0。1/", "127.0.0.1"),
        ("http://[::FFFF:7F00:1]/", "::ffff:127.0.0.1"),
        ("http://[0:0:0:0:0:0:0:1]/", "::1"),
        ("http://Example.ORG./", "example.org"),
        ("https://bücher.example/", "xn--bcher-kva.example"),
        ("https://faß.example/", "xn--fa-hia.example"),
    ],
)
def test_hosts_are_seen_through(url: str, host: str) -> None:
    found = parse_url(url)
    assert isinstance(found, Target)
    assert found.host == host


@pytest.mark.parametrize(
    "url",
    [
        *(f"http://{host}/" for host in NO_PLAIN_ADDRESSES),
        "ftp://example.org/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/plain,x",
        "gopher://example.org/",
        "//example.org/",
        "example.org",
        "",
        "http://",
        "http:///path",
        "http://user@example.org/",
        "http://user:secret@example.org/",
        "http://example.org@127.0.0.1/",
        "http://@example.org/",
        "http://example.org\\@127.0.0.1/",
        "http:\\\\example.org/",
        "http://example.org /",
        "http://exa\tmple.org/",
        "http://example.org/\r\nHost: other",
        "http://example.org:99999/",
        "http://example.org:-1/",
        "http://example.org:8o/",
        "http://127.0.0.%31/",
        "http://%6cocalhost/",
        "http://[fe80::1%25eth0]/",
        "http://[::1",
        "http://[v1.x]/",
        "http://ex..ample.org/",
        "http://-example.org/",
        "http://exa*mple.org/",
        "http://" + "a" * 64 + ".org/",
        "http://" + "a." * 127 + "org/",
        "http://example.org/" + "a" * 5000,
        "http://ex\u00ad\u200bample.org:80:80/",
        "http://\u202eexample.org/",
    ],
)
def test_urls_that_are_not_fetched(url: str) -> None:
    found = parse_url(url)
    assert isinstance(found, Refusal)
    assert found.words


def test_a_target_keeps_path_query_and_port_and_drops_the_fragment() -> None:
    found = parse_url("HTTPS://Example.org:8443/a%20b?c=d&e#f")
    assert found == Target("https", "example.org", 8443, "/a%20b?c=d&e")
    assert found.url == "https://example.org:8443/a%20b?c=d&e"
    bare = parse_url("http://[2606:4700::1]:80")
    assert isinstance(bare, Target)
    assert bare.url == "http://[2606:4700::1]/"


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_a_target_or_refused(text: str) -> None:
    for url in (text, f"http://{text}/", f"https://example.org/{text}"):
        found = parse_url(url)
        if isinstance(found, Target):
            assert parse_url(found.url) == found
            assert found.host.isascii()


def test_redirects_are_followed_as_browsers_do() -> None:
    assert follow("https://a.example/b/c?d", "e f") == "https://a.example/b/e%20f"
    assert follow("https://a.example/b", "//other.example/") == "https://other.example/"
    assert isinstance(parse_url(follow("https://a.example/", "http://[::1")), Refusal)


@pytest.mark.parametrize(
    "other",
    [
        "https://Cars.Example/Doc/",
        "HTTPS://cars.example:443/Doc",
        "https://cars.example./Doc#part",
        " https://cars.example/Doc ",
    ],
)
def test_spellings_of_one_page_are_equal(other: str) -> None:
    assert normal(other) == "https://cars.example/Doc"


def test_different_pages_are_not_equal() -> None:
    urls = ["https://a.example/x", "https://a.example/X", "http://a.example/x", "https://a.example:8443/x"]
    urls += ["https://a.example/x?q", "pack:one/x.md", "pack:one/X.md", "http://[::1/", "https://u@a.example/x"]
    assert len({normal(url) for url in urls}) == len(urls)
    assert normal("pack:one/x.md#top") == "pack:one/x.md"
