"""Feeds: RSS 2.0, RSS 1.0 and Atom, from a file or the web, as dated titles.

Feeds are untrusted. lxml, which is needed for web pages anyway, reads the XML with entities, DTDs, network access and
huge trees disabled, so there is nothing to expand or to fetch.
"""

import asyncio
import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from moot.evidence.fetch import Fetcher, FetchLimits, loopback_allowed
from moot.evidence.pages import Page, decode
from moot.plugins.extras import require
from moot.text import printable, valid_text

MOST_BYTES = 10 * 1024 * 1024
MOST_ITEMS = 200
"""The limit for one feed. The first items are used, which are the newest."""
MOST_TRIED = 10 * MOST_ITEMS
"""The limit for items without a title among them."""
LONGEST_TITLE = 300
LONGEST_READ = 5000
"""The characters of a title or a date that are read: markup in it is taken out before it is cut."""
_ENCODING = re.compile(rb"""\s*<\?xml[^>]{0,100}?\sencoding=["']([A-Za-z0-9._-]{1,40})["']""")
_DATES = ("pubDate", "published", "date", "updated", "modified", "issued")


@dataclass(frozen=True, slots=True)
class Headline:
    """An item of a feed. `source` is the name of the feed, or its host or file."""

    title: str
    source: str
    link: str
    date: datetime | None

    def document(self) -> dict[str, Any]:
        date = self.date.isoformat() if self.date else None
        return {"title": self.title, "source": self.source, "link": self.link or None, "date": date}

    @property
    def when(self) -> str:
        return f"{self.date:%Y-%m-%d %H:%M} UTC" if self.date else "undated"


@dataclass(frozen=True, slots=True)
class Unread:
    """A feed that cannot be read, and why. The address is shown without query and user, which can contain a token."""

    feed: str
    reason: str


class NoFeed(ValueError):
    """The document is not a feed; the message says why."""


async def read_feeds(feeds: Sequence[str]) -> tuple[list[list[Headline]], list[Unread]]:
    """The items of each readable feed, and the unreadable feeds."""
    # A missing feed does not matter enough for a second attempt.
    async with Fetcher(FetchLimits(bytes=MOST_BYTES, pause=0.0), allow_loopback=loopback_allowed()) as fetcher:
        results = await asyncio.gather(*(_read(fetcher, feed) for feed in dict.fromkeys(feeds)))
    return [result for result in results if isinstance(result, list)], [
        result for result in results if isinstance(result, Unread)
    ]


async def _read(fetcher: Fetcher, feed: str) -> list[Headline] | Unread:
    address = feed
    if feed.lower().startswith(("http://", "https://")):
        address = _without_secrets(feed)
        page = await fetcher.fetch(feed)
        if not isinstance(page, Page):
            return Unread(address, page.words)
        text, name = page.text, urlsplit(page.final_url).hostname or "a feed"
    else:
        try:
            text, name = await asyncio.to_thread(_file, Path(feed)), Path(feed).name
        except (OSError, NoFeed) as error:
            return Unread(feed, getattr(error, "strerror", None) or str(error))
    try:
        return await asyncio.to_thread(parse_feed, text, name)
    except NoFeed as error:
        return Unread(address, str(error))


def _without_secrets(url: str) -> str:
    address, mark, _ = url.partition("?")
    scheme, _, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}{mark and '?…'}"


def _file(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise NoFeed(f"more than {MOST_BYTES:,} bytes")
    stated = _ENCODING.match(data)
    return decode(data, stated.group(1).decode() if stated else None)


def parse_feed(text: str, name: str) -> list[Headline]:
    """The items of a feed that have a title; NoFeed if the text is not a feed. `name` is used for a feed without a
    name."""
    return [item for item in islice(_items(text.strip(), name), MOST_TRIED) if item.title][:MOST_ITEMS]


def _items(text: str, name: str) -> Iterator[Headline]:
    require("evidence")
    from lxml import etree  # type: ignore[import-untyped]

    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(valid_text(text).encode(), parser)
    except etree.XMLSyntaxError as error:
        why = f"; its XML is broken: {printable(str(error.msg))[:200]}" if text.startswith("<") else ""
        raise NoFeed(f"it is no RSS or Atom feed{why}") from error
    if root is None or _name(root) not in ("rss", "RDF", "feed"):
        raise NoFeed("it is XML, but neither RSS nor Atom")
    # RSS 1.0 has its items next to the channel, the others inside it.
    channel = next((child for child in root if _name(child) == "channel"), root)
    source = _line(_text(channel, "title")) or name
    for node in root.iter():
        if _name(node) in ("item", "entry"):
            date = next((found for field in _DATES if (found := _date(_text(node, field)))), None)
            yield Headline(_line(_text(node, "title")), source, _link(_address(node)), date)


def _name(node: Any) -> str:
    """The name of an element without its namespace; empty for an entity reference, which stays unresolved."""
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def _text(node: Any, name: str) -> str:
    child = next((child for child in node if _name(child) == name), None)
    if child is None:
        return ""
    # Items can lie in titles of items, and then the same text would be read for each of them.
    pieces, length = list[str](), 0
    for piece in child.itertext():
        pieces.append(piece[:LONGEST_READ])
        length += len(pieces[-1])
        if length > LONGEST_READ:
            break
    return "".join(pieces)


def _address(node: Any) -> str:
    """The link of an item: its text in RSS, an attribute in Atom."""
    links = [child for child in node if _name(child) == "link"]
    plain = [child for child in links if child.get("rel", "alternate") == "alternate"]
    return next(((child.get("href") or child.text or "") for child in plain), "")


def _line(value: str) -> str:
    """A title as one line of plain text. Feeds put markup in titles, often escaped twice."""
    text = re.sub(r"<[^<>]{0,1000}>", " ", html.unescape(html.unescape(valid_text(value[:LONGEST_READ]))))
    return " ".join(printable(text).split())[:LONGEST_TITLE]


def _link(value: str) -> str:
    text = value.strip()
    return text if text.startswith(("http://", "https://")) and text.isprintable() and len(text) <= 2000 else ""


def _date(value: str) -> datetime | None:
    """A date in the format of RSS or ISO 8601, otherwise None; UTC if it has no time zone."""
    text = value[:LONGEST_READ].strip()
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            date = read(text)
            return date.astimezone(UTC) if date.tzinfo else date.replace(tzinfo=UTC)
        except (ValueError, OverflowError):
            continue
    return None
