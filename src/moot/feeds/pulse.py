"""The pulse: current titles from feeds, as topics for a debate.

Off by default. Titles are untrusted: they are cleaned, cut and, in a debate, fenced like other material.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from moot.errors import ConfigError
from moot.feeds.feeds import Headline, Unread, read_feeds

MOST_AHEAD = timedelta(days=1)
"""Clocks and time zones are often wrong by hours."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """Items, newest first, and the feeds that could not be read."""

    items: list[Headline]
    unread: list[Unread]


async def take_pulse(feeds: Sequence[str], limit: int = 10, now: datetime | None = None) -> Pulse:
    """The newest items of feeds, which are addresses or files. ConfigError if no feed can be read."""
    read, unread = await read_feeds(feeds)
    if not read:
        reasons = "; ".join(f"{one.feed}: {one.reason}" for one in unread)
        raise ConfigError(f"no feed can be read: {reasons}" if unread else "give at least one feed")
    return Pulse(newest_first([item for feed in read for item in feed], now or datetime.now(UTC))[:limit], unread)


def newest_first(items: Sequence[Headline], now: datetime) -> list[Headline]:
    """The items, each title once; undated ones come last. A date in the future would keep an item at the top forever,
    and counts as none."""
    dated = [replace(item, date=None) if item.date and item.date > now + MOST_AHEAD else item for item in items]
    dated.sort(key=lambda one: one.date.timestamp() if one.date else 0.0, reverse=True)
    return list({one.title.casefold(): one for one in reversed(dated)}.values())[::-1]


def as_documents(items: Sequence[Headline]) -> list[dict[str, Any]]:
    """The items as a document for a debate."""
    lines = ["What these feeds talked about when the debate began. Headlines are claims, not facts."]
    lines += [f"- {item.title} ({item.source}; {item.when})" for item in items]
    return [{"title": "trending topics", "text": "\n".join(lines), "source": "feeds"}] if items else []
