"""The pulse: current stories from feeds, as topics for a debate.

Off by default. Titles are untrusted: they are cleaned, cut and, in a debate, fenced like other material.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from moot.errors import ConfigError
from moot.evidence.ranking import words
from moot.feeds.feeds import Item, Unread, read_feeds
from moot.text.language import in_english_letters, is_question

HALF_LIFE = timedelta(hours=24)
MOST_AHEAD = timedelta(days=1)
"""Clocks and time zones are often wrong by hours."""
SAME_STORY = 0.5
"""Titles belong to the same story if they share at least this part of their words, but for the most common."""


@dataclass(frozen=True, slots=True)
class Story:
    """A story from one or more feeds. `score` is freshness times feeds; None without a plausible date."""

    title: str
    question: str
    sources: list[str]
    link: str
    date: datetime | None
    score: float | None

    def document(self) -> dict[str, Any]:
        return {
            "question": self.question,
            "title": self.title,
            "sources": self.sources,
            "link": self.link or None,
            "date": self.date.isoformat() if self.date else None,
            "score": self.score,
        }


@dataclass(frozen=True, slots=True)
class Pulse:
    """Stories, best first, and the feeds that could not be read."""

    stories: list[Story]
    unread: list[Unread]


async def take_pulse(feeds: Sequence[str], limit: int = 10, now: datetime | None = None) -> Pulse:
    """The current stories of feeds, which are addresses or files. ConfigError if no feed can be read."""
    read, unread = await read_feeds(feeds)
    if not read:
        reasons = "; ".join(f"{one.feed}: {one.reason}" for one in unread)
        raise ConfigError(f"no feed can be read: {reasons}" if unread else "give at least one feed")
    return Pulse(stories_in(read, now or datetime.now(UTC))[:limit], unread)


def stories_in(feeds: Sequence[Sequence[Item]], now: datetime) -> list[Story]:
    """The items of all feeds grouped into stories, by score; undated ones come last.

    The score is freshness, which is 1 now and halves every day, times the number of feeds with the story.
    """
    items = [(number, _drop_bad_date(item, now)) for number, feed in enumerate(feeds) for item in feed]
    items.sort(key=lambda pair: (-_stamp(pair[1]), pair[1].title, pair[0]))
    groups: list[tuple[frozenset[str], list[tuple[int, Item]]]] = []
    having: dict[str, list[int]] = {}
    for number, item in items:
        own = _words(item.title)
        sharing = sorted({place for word in own for place in having.get(word, ())})
        group = next((groups[place][1] for place in sharing if _alike(groups[place][0], own)), None)
        if group is None:
            for word in own:
                having.setdefault(word, []).append(len(groups))
            groups.append((own, group := []))
        group.append((number, item))
    stories = [_story(members, now) for _, members in groups]
    # Very old stories have a score of 0, but still an age.
    return sorted(
        stories, key=lambda one: (one.score is None, -(one.score or 0), -len(one.sources), -_stamp(one), one.title)
    )


def as_question(title: str) -> str:
    """A title as a question: unchanged if it is one, or has letters that English lacks; otherwise asking for its
    consequences."""
    own = is_question(title) or not in_english_letters(title)
    return title if own else f"What should follow from this: “{title}”?"


def as_documents(stories: Sequence[Story]) -> list[dict[str, Any]]:
    """The stories as a document for a debate."""
    lines = ["What these feeds talked about when the debate began. Headlines are claims, not facts."]
    lines += [f"- {one.title} ({', '.join(one.sources)}; {_date_words(one)})" for one in stories]
    return [{"title": "trending topics", "text": "\n".join(lines), "source": "feeds"}] if stories else []


def _date_words(story: Story) -> str:
    return f"{story.date:%Y-%m-%d %H:%M} UTC" if story.date else "undated"


def _story(members: Sequence[tuple[int, Item]], now: datetime) -> Story:
    """A story with the title of its newest item, which comes first."""
    _, newest = members[0]
    feeds = len({number for number, _ in members})
    age = max(timedelta(), now - newest.date) if newest.date else None
    return Story(
        title=newest.title,
        question=as_question(newest.title),
        sources=list(dict.fromkeys(item.source for _, item in members)),
        link=newest.link,
        date=newest.date,
        score=None if age is None else feeds * 0.5 ** (age / HALF_LIFE),
    )


def _drop_bad_date(item: Item, now: datetime) -> Item:
    """The item without an implausible date: a date in the future would keep a story at the top forever."""
    return replace(item, date=None) if item.date and item.date > now + MOST_AHEAD else item


def _stamp(one: Item | Story) -> float:
    return one.date.timestamp() if one.date else -math.inf


def _words(title: str) -> frozenset[str]:
    """The words by which a title is compared; the title itself if it has only common ones."""
    return frozenset(words(title) or [title.casefold()])


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= SAME_STORY * len(one | other)
