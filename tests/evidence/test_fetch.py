"""The fetcher against a web on this machine: every outcome, and nothing called that must not be."""

import asyncio
import codecs
import json
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from moot.evidence import Fetcher, FetchLimits, Page, Unfetched, find_quote
from moot.evidence.fetch import KNOWN_NAME
from moot.evidence.pages import sha256
from tests.kit import clock
from tests.kit.pages import SENTENCE, Web, kept_readers, pdf, running
from tests.kit.waiting import PATIENCE, turns

QUICK = FetchLimits(bytes=1_000_000, seconds=PATIENCE, reading_seconds=PATIENCE, gap=0, pause=0)
T = TypeVar("T")
readers = pytest.fixture(scope="module", autouse=True)(kept_readers)


def on_the_web(use: Callable[[Web, Fetcher], Awaitable[T]], limits: FetchLimits = QUICK, **options: Any) -> T:
    async def run() -> T:
        async with running() as web, Fetcher(limits, **{"allow_loopback": True, **options}) as fetcher:
            return await use(web, fetcher)

    return clock.run(run())


def fetched(
    path: str, *, host: str = "127.0.0.1", options: dict[str, Any] | None = None, **page: Any
) -> tuple[Page | Unfetched, Web]:
    """What comes of a path on the web of this machine, or of a whole URL."""

    async def use(web: Web, fetcher: Fetcher) -> tuple[Page | Unfetched, Web]:
        for name, value in page.items():
            setattr(web, name, value.format(port=web.port) if isinstance(value, str) else value)
        return await fetcher.fetch(web.url(path, host) if path.startswith("/") else path), web

    return on_the_web(use, **(options or {}))


def unfetched(path: str, **how: Any) -> tuple[Unfetched, Web]:
    found, web = fetched(path, **how)
    assert isinstance(found, Unfetched)
    assert found.words
    return found, web


def test_a_good_page() -> None:
    found, web = fetched("/good#part")
    assert isinstance(found, Page)
    assert found.url == web.url("/good#part")
    assert (found.final_url, found.status, found.title) == (web.url("/good"), 200, "Buses & streets")
    assert find_quote(SENTENCE, found.text)
    assert "never shown" not in found.text
    assert found.sha256 == sha256(found.text)
    assert found.fetched_at.endswith("+00:00")


def test_a_request_says_who_it_is_and_carries_nothing_else() -> None:
    async def use(web: Web, fetcher: Fetcher) -> Web:
        await fetcher.fetch(web.url("/good"))  # sets a cookie
        await fetcher.fetch(web.url("/good?again"))
        return web

    web = on_the_web(use)
    assert web.asked["/good"] == 2
    assert web.headers["User-Agent"].startswith("moot/")
    assert set(web.headers) == {"Host", "User-Agent", "Accept", "Accept-Encoding", "Connection"}


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    assert isinstance(fetched("/good")[0], Page)


def test_a_url_is_fetched_once_also_at_once() -> None:
    async def use(web: Web, fetcher: Fetcher) -> None:
        urls = [web.url("/good"), web.url("/good#a"), web.url("/good", host="127.0.0.1.")] * 4
        found = await asyncio.gather(*(fetcher.fetch(url) for url in urls))
        assert [one.url for one in found] == urls
        await fetcher.fetch(web.url("/good"))
        assert web.asked["/good"] == 1

    on_the_web(use)


def test_one_who_stops_waiting_does_not_stop_the_others() -> None:
    async def use(web: Web, fetcher: Fetcher) -> None:
        first = asyncio.create_task(fetcher.fetch(web.url("/good")))
        second = asyncio.create_task(fetcher.fetch(web.url("/good")))
        await turns()
        first.cancel()
        assert isinstance(await second, Page)
        assert web.asked["/good"] == 1

    on_the_web(use)


def test_one_request_at_a_time_to_a_host() -> None:
    async def use(web: Web, fetcher: Fetcher) -> None:
        await asyncio.gather(*(fetcher.fetch(web.url(f"/good?{number}")) for number in range(10)))
        assert web.asked["/good"] == 10
        assert web.most_at_once == 1

    on_the_web(use)


def test_a_gap_is_kept_between_requests_to_a_host() -> None:
    async def use(web: Web, fetcher: Fetcher) -> None:
        loop = asyncio.get_running_loop()
        started = loop.time()
        await asyncio.gather(*(fetcher.fetch(web.url(f"/good?{number}")) for number in range(3)))
        assert loop.time() - started > 0.09  # two gaps, by a coarse clock; how much longer is no matter

    on_the_web(use, FetchLimits(seconds=PATIENCE, reading_seconds=PATIENCE, gap=0.05))


@pytest.mark.parametrize(
    ("paths", "kind", "times"),
    [
        (["/status/404", "/status/410", "/first/404-410"], "gone", 2),
        (["/first/404-403"], "blocked", 2),
        (["/first/410-500"], "failing", 2),
        ([f"/status/{status}" for status in (400, 401, 403, 429, 451)], "blocked", 1),
        ([f"/status/{status}" for status in (500, 503, 204, 206, 304, 302)], "failing", 1),
        (["/slow"], "slow", 1),
    ],
)
def test_only_what_seems_missing_is_looked_at_twice_and_the_second_look_counts(
    paths: list[str], kind: str, times: int
) -> None:
    for path in paths:
        found, web = unfetched(path)
        assert (found.kind, web.asked.total()) == (kind, times), path


def test_a_page_that_is_there_at_the_second_look() -> None:
    found, _ = fetched("/first/404-200")
    assert isinstance(found, Page)
    assert SENTENCE in found.text


def test_huge_by_its_own_account_or_by_what_comes() -> None:
    assert unfetched("/body", body=b"x" * 1_000_001)[0].kind == "huge"
    assert unfetched("/endless")[0].kind == "huge"
    assert isinstance(fetched("/body", body=b"word " * 200_000)[0], Page)


def test_redirects_are_followed_so_far() -> None:
    found, web = fetched("/hop/4")
    assert isinstance(found, Page)
    assert found.url == web.url("/hop/4")
    assert found.final_url == web.url("/good")
    found, web = fetched("/hop/5")
    assert isinstance(found, Unfetched)
    assert found.kind == "redirects"
    assert "/good" not in web.asked
    found, web = unfetched("/loop")
    assert found.kind == "redirects"
    assert web.asked["/loop"] == QUICK.redirects + 1


@pytest.mark.parametrize(
    "location",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://0.0.0.0:{port}/secret",
        "http://0x7f.1:{port}/secret",
        "http://user:word@127.0.0.1:{port}/secret",
        "//10.0.0.1/",
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
    ],
)
def test_a_redirect_is_judged_like_a_first_url(location: str) -> None:
    found, web = unfetched("/to", location=location)
    assert (found.kind, web.asked) == ("refused", {"/to": 1})


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "[::1]", "localhost", "0.0.0.0", "2130706433", "127.1", "[::ffff:7f00:1]"]
)
def test_this_machine_is_not_called_unless_it_may_be(host: str) -> None:
    names = Names(localhost=[["127.0.0.1"]])
    found, web = unfetched("/good", host=host, options={"allow_loopback": False, "resolve": names})
    assert (found.kind, web.asked.total()) == ("refused", 0)
    assert {*names.asked} <= {"localhost"}


class Names:
    """DNS as a test wants it; the last answer for a name stays."""

    def __init__(self, **answers: list[list[str] | OSError]) -> None:
        self.answers = {name.replace("_", "."): list(answer) for name, answer in answers.items()}
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        known = self.answers.get(host, [NO_SUCH_NAME])
        answer = known.pop(0) if len(known) > 1 else known[0]
        if isinstance(answer, OSError):
            raise answer
        return answer


NO_SUCH_NAME = socket.gaierror(socket.EAI_NONAME, "not known")


def test_a_name_is_resolved_once_and_the_connection_pinned() -> None:
    names = Names(site_example=[["127.0.0.1"], ["10.0.0.1"]])  # changes its mind after the first look

    async def use(web: Web, fetcher: Fetcher) -> None:
        found = await fetcher.fetch(web.url("/good", "site.example"))
        assert isinstance(found, Page)
        assert web.headers["Host"] == f"site.example:{web.port}"
        again = await fetcher.fetch(web.url("/good?2", "site.example"))
        assert isinstance(again, Unfetched)
        assert again.kind == "refused"
        assert web.asked["/good"] == 1

    on_the_web(use, resolve=names)
    assert names.asked == ["site.example", "site.example"]


def test_one_bad_address_among_good_ones_is_enough() -> None:
    names = Names(site_example=[["127.0.0.1", "10.0.0.1"]])
    found, web = unfetched("/good", host="site.example", options={"resolve": names})
    assert (found.kind, web.asked.total()) == ("refused", 0)


@pytest.mark.parametrize(
    ("answers", "kind"),
    [
        ({"example_com": [["127.0.0.1"]]}, "no-host"),
        ({}, "offline"),  # not even the known name is found
        ({"no_example": [socket.gaierror(socket.EAI_AGAIN, "later")]}, "failing"),
        ({"no_example": [[]]}, "no-host"),
        ({"no_example": [NO_SUCH_NAME, socket.gaierror(socket.EAI_AGAIN, "later")]}, "offline"),
    ],
)
def test_names_that_are_not_found(answers: dict[str, Any], kind: str) -> None:
    names = Names(**answers)
    assert unfetched("https://no.example/page", options={"resolve": names})[0].kind == kind
    assert KNOWN_NAME == "example.com"
    assert names.asked.count("no.example") == (2 if kind == "no-host" else 1)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "pack:x/y.md", "not a url", "", "http://a b/"])
def test_what_is_no_web_address_is_refused(url: str) -> None:
    found, _ = unfetched(url)
    assert (found.kind, found.url) == ("refused", url)


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        ("naïve café".encode(), "text/plain; charset=utf-8", "naïve café"),
        ("naïve café".encode("latin-1"), "text/plain; charset=iso-8859-1", "naïve café"),
        ("“naïve”".encode("cp1252"), "text/plain; charset=iso-8859-1", "“naïve”"),  # as browsers have it
        ("naïve café".encode("cp1252"), "text/plain", "naïve café"),
        ("日本語の文章".encode("shift_jis"), "text/plain; charset=Shift_JIS", "日本語の文章"),
        ("дорога".encode("koi8-r"), "text/plain; charset=koi8-r", "дорога"),
        (codecs.BOM_UTF16_LE + "дорога".encode("utf-16-le"), "text/plain", "дорога"),
        (codecs.BOM_UTF8 + b"plain", "text/plain; charset=latin-1", "plain"),
        ("naïve".encode(), "text/plain; charset=idna", "naïve"),  # nothing that pages are written in
        ("naïve".encode(), "text/plain; charset=no-such", "naïve"),
        (b"a\xffb", "text/plain; charset=utf-8", "a\ufffdb"),
        (json.dumps({"claim": "naïve"}, ensure_ascii=False).encode(), "application/json", '{"claim": "naïve"}'),
        (b'{"a": 1}', "application/ld+json", '{"a": 1}'),
        (b"# A heading\n\nwords", "text/markdown", "# A heading\n\nwords"),
        (b"one\r\ntwo\x0cthree\x1b[31m", "text/plain", "one\ntwo\nthree\ufffd[31m"),
        (pdf("Bicycles take little room."), "application/pdf", "Bicycles take little room."),
        (pdf("Bicycles take little room."), "application/octet-stream", "Bicycles take little room."),
        (b"just words", "", "just words"),
    ],
)
def test_kinds_and_encodings(body: bytes, content_type: str, text: str) -> None:
    found, _ = fetched("/body", body=body, content_type=content_type)
    assert isinstance(found, Page), found
    assert found.text == text


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"),
        (b"PK\x03\x04" + bytes(40), "application/zip"),
        (b"\x00\x01\x02binary", "text/plain"),
        (b"%PDF-1.4 and nothing more", "application/pdf"),
        (b"", "text/html"),
        (b"   \n ", "text/plain"),
        (b"<html><body><script>1</script></body></html>", "text/html"),
        (bytes(64), ""),
    ],
)
def test_unreadable(body: bytes, content_type: str) -> None:
    found, _ = unfetched("/body", body=body, content_type=content_type)
    assert found.kind == "unreadable"


def test_tls_is_checked_against_the_name(tmp_path: Path) -> None:
    """In a process of its own, since which authorities to trust is read once."""
    make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout key.pem -out cert.pem"
    names = ["-subj", "/CN=site.example", "-addext", "subjectAltName=DNS:site.example"]
    subprocess.run([*make.split(), *names], cwd=tmp_path, check=True, capture_output=True)
    script = """
import asyncio, ssl
from aiohttp import web
from moot.evidence import Fetcher, FetchLimits

async def resolve(host, port):
    return ["127.0.0.1"]

async def main():
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain("cert.pem", "key.pem")
    async def answer(request):
        return web.Response(text="secure words")
    app = web.Application()
    app.router.add_get("/", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
    port = runner.addresses[0][1]
    limits = FetchLimits(seconds=900, reading_seconds=900, gap=0)
    async with Fetcher(limits, allow_loopback=True, resolve=resolve) as fetcher:
        for host in ("site.example", "other.example"):
            found = await fetcher.fetch(f"https://{host}:{port}/")
            print(getattr(found, "text", "") or found.kind)
    await runner.cleanup()

asyncio.run(main())
"""
    for trusted, expected in (("cert.pem", ["secure words", "failing"]), ("none.pem", ["failing", "failing"])):
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=tmp_path,
            env={"SSL_CERT_FILE": trusted, "SSL_CERT_DIR": "none"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.split("\n")[:-1] == expected
