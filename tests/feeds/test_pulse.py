"""The pulse: feeds of every kind, hostile ones too, as titles by their age."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import moot
from moot.evidence.fetch import LOOPBACK_VARIABLE
from moot.feeds.feeds import MOST_BYTES, MOST_ITEMS, Headline, NoFeed, parse_feed
from moot.feeds.pulse import Pulse, as_documents, newest_first, take_pulse
from tests.kit.feeds import ATOM, RDF, RSS

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


def item(title: str, hours: float | None, source: str = "s") -> Headline:
    return Headline(title, source, "", None if hours is None else NOW - timedelta(hours=hours))


def test_every_kind_of_feed() -> None:
    wire = parse_feed(RSS, "x")
    assert [one.title for one in wire] == ["Council bans cars from the city centre", "Bees & flowers"]
    assert (wire[0].source, wire[0].link, wire[0].date) == ("The Wire", "https://wire.example/1", NOW)
    assert wire[1].date is None
    (old,) = parse_feed(RDF, "x")
    assert (old.source, old.date) == ("Old News", NOW - timedelta(days=1))
    (fusion,) = parse_feed(ATOM, "x")
    assert (fusion.link, fusion.date) == ("https://a.example/1", NOW - timedelta(hours=2))


def test_the_newest_come_first_and_the_future_is_not_believed() -> None:
    items = [item("Rents fall", 24), item("Buy this now", -48), item("Alpha fell", 9000), item("RENTS fall", 2, "t")]
    found = newest_first(items, NOW)
    assert [(one.title, one.date is None) for one in found] == [
        ("RENTS fall", False),
        ("Alpha fell", False),
        ("Buy this now", True),
    ]


def test_a_file_is_read_as_it_says_it_is_encoded(tmp_path: Path) -> None:
    text = RSS.replace("Council", "Совет")
    for name in ("windows-1251", "koi8-r", "utf-8", "utf-16"):
        (tmp_path / name).write_bytes(text.replace('"1.0"', f'"1.0" encoding="{name}"', 1).encode(name))
        assert pulse(str(tmp_path / name)).items[0].title.startswith("Совет"), name


def test_nothing_is_expanded_or_fetched(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("s3cret", "utf-8")
    outside = (
        f'<!DOCTYPE rss [<!ENTITY x SYSTEM "file://{secret}">]>' + RSS.replace("Council", "&x;").partition("?>")[2]
    )
    assert "s3cret" not in parse_feed(outside, "x")[0].title
    inside = '<!DOCTYPE rss [<!ENTITY x "boo">]>' + RSS.replace("Council", "&x;").partition("?>")[2]
    assert "boo" not in parse_feed(inside, "x")[0].title
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<!DOCTYPE rss [<!ENTITY l0 "ha">{laughs}]>' + RSS.replace("Council", "&l9;").partition("?>")[2]
    try:
        assert len(parse_feed(bomb, "x")[0].title) < 100
    except NoFeed as refused:
        assert len(str(refused)) < 300
    deep = "<rss>" + "<a>" * 100_000 + "</a>" * 100_000 + "</rss>"
    with pytest.raises(NoFeed):
        parse_feed(deep, "x")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "^it is no RSS or Atom feed$"),
        ("# Facts\n\nNothing here is a feed.", "^it is no RSS or Atom feed$"),
        ("<html><body>no</body></html>", "neither RSS nor Atom"),
        ("<html><meta><body>no</body></html>", "^it is no RSS or Atom feed; its XML is broken: [^<>()]+$"),
        ("<rss><channel>", "its XML is broken"),
        ("{" * 100_000, "^it is no RSS or Atom feed$"),
    ],
)
def test_what_is_no_feed(text: str, words: str) -> None:
    with pytest.raises(NoFeed, match=words):
        parse_feed(text, "x")


def test_titles_are_cleaned_and_feeds_are_cut() -> None:
    many = "".join(f"<item><title>T{n} \x85\u202eevil</title></item>" for n in range(MOST_ITEMS + 50))
    found = parse_feed(f"<rss><channel>{many}</channel></rss>", "name")
    assert len(found) == MOST_ITEMS
    assert found[0].source == "name"
    assert "\u202e" not in found[0].title
    (long,) = parse_feed(f"<rss><item><title>{'x' * 5000}</title><link>javascript:1</link></item></rss>", "x")
    assert (len(long.title), long.link) == (300, "")
    (dated,) = parse_feed("<rss><item><title>x</title><pubDate>yesterday</pubDate></item></rss>", "x")
    assert dated.date is None


@contextmanager
def web(pages: dict[str, str]) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = pages.get(self.path, "").encode()
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "application/xml")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nobody wants to read it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def pulse(*feeds: str) -> Pulse:
    return asyncio.run(take_pulse(feeds, now=NOW))


def test_the_web_is_guarded_and_what_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("atom.xml").write_text(ATOM, "utf-8")
    Path("huge.xml").write_bytes(b" " * (MOST_BYTES + 1))
    with web({"/rss": RSS}) as url:
        monkeypatch.delenv(LOOPBACK_VARIABLE, raising=False)
        guarded = pulse("atom.xml", f"{url}/rss", "missing.xml", "huge.xml")
        assert [(one.feed, one.reason) for one in guarded.unread] == [
            (f"{url}/rss", "127.0.0.1 is a loopback address"),
            ("missing.xml", "No such file or directory"),
            ("huge.xml", f"more than {MOST_BYTES:,} bytes"),
        ]
        assert [one.title for one in guarded.items] == ["Is fusion near?"]
        monkeypatch.setenv(LOOPBACK_VARIABLE, "1")
        opened = pulse(f"{url.upper()}/rss", f"{url}/none?token=s3cret")
        assert [one.feed for one in opened.unread] == [f"{url}/none?…"]
        assert opened.items[0].title == "Council bans cars from the city centre"
        assert [one.reason for one in opened.unread] == ["the server answered 404"]
    with pytest.raises(moot.ConfigError, match="user name") as refused:
        pulse("https://me:s3cret@feeds.example/x")
    assert "s3cret" not in str(refused.value)
    with pytest.raises(moot.ConfigError, match=r"no feed can be read: missing\.xml"):
        pulse("missing.xml")


def test_the_context_says_what_headlines_are() -> None:
    (text,) = as_documents(newest_first([item("Bees vanish", None), item("Rents fall", 24)], NOW))
    assert (text["title"], text["source"]) == ("trending topics", "feeds")
    assert text["text"].splitlines() == [
        "What these feeds talked about when the debate began. Headlines are claims, not facts.",
        "- Rents fall (s; 2026-03-01 12:00 UTC)",
        "- Bees vanish (s; undated)",
    ]
    assert as_documents([]) == []
