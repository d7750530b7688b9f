"""The results of the tools. All of it is data: text from a debate is never an instruction."""

from typing import Any, Literal

from pydantic import BaseModel, Field

import moot
from moot.engine.outcome.stored import StoredResult
from moot.engine.sources.context import MOST_CHARACTERS
from moot.engine.staging.plan import Plan
from moot.present import Brief, Flag
from moot.service.detail import Detail
from moot.service.news import Ended
from moot.service.shelf import Card

LONGEST_TEXT = 4000
"""Characters of one entry; the complete text is in the run's log."""


class Offered(BaseModel):
    """A protocol. `options` is the JSON Schema of the usual `settings`."""

    protocol: str
    about: str
    gives: str
    topic: str = Field(description="What start_debate takes as the topic of such a debate")
    origin: str | None = Field(description="Where it comes from; null for those that come with moot")
    options: dict[str, Any]


class Offers(BaseModel):
    protocols: list[Offered]


class GivenText(BaseModel):
    """A document for everybody in a debate."""

    title: str = Field(min_length=1, max_length=300)
    text: str = Field(min_length=1, max_length=MOST_CHARACTERS)


class Links(BaseModel):
    """Where people and programs find the whole debate."""

    report: str | None = Field(
        default=None, description="The resource with the report; null until the debate has ended"
    )
    page: str | None = Field(default=None, description="The debate's page in a browser, where this server has pages")


class Started(Links):
    run: str | None = Field(description="The run's name, for the other tools; null when it was only planned")
    plan: Plan


class EntrySeen(BaseModel):
    """One entry of the log. `private` entries are plans and thoughts that no other agent saw. Entries from `outside`
    were added by another program under a name of its choice: no agent of the debate said them, and no result depends on
    them."""

    seq: int
    speaker: str
    phase: str
    type: str
    text: str
    private: bool
    outside: bool = Field(description="Whether another program added it: nobody in the debate said it")
    cut: bool = Field(description="Whether the text was longer than what stands here")


class Followed(Links):
    """The entries after the given one, without private ones unless they were asked for. Ask again with `last` as
    `after` while `status` is `running`. `last` is -1 before the first entry."""

    run: str
    status: Literal["running", "done", "limit", "failed", "interrupted"]
    reason: str | None
    entries: list[EntrySeen]
    unshown: int = Field(description="How many entries are private: plans and thoughts that no other agent saw")
    last: int
    headline: str | None = Field(description="The answer in a line, once the debate has ended")
    brief: Brief = Field(description="The answer, its reasons, the best objection and what would change it")
    flags: list[Flag] = Field(description="What to know before relying on that")


class Outcome(Detail, Links):
    """A debate and what it came to. `result` is the run's result.json."""


class Gated(Links):
    """The decision about an idea. `passed` is null before a decision."""

    run: str
    status: str
    headline: str | None
    passed: bool | None
    decision: str | None
    agreement: float | None = Field(description="The share of the votes behind the decision")
    threshold: float | None = Field(description="The share of the votes that a decision needs")
    passing_decision: str | None = Field(description="The decision that lets an idea pass here")
    conditions: list[str] = Field(description="What must be changed, or what those who dissent hold against it")
    flags: list[Flag] = Field(description="What to know before relying on it, such as that a tiny model decided")


class Listing(BaseModel):
    """Debates. Those that another version of moot wrote are `unreadable`, and their headline says why."""

    runs: list[Card] = Field(description="Those under way first, then the newest first")
    more: int = Field(description="How many others there are")


def seen(entry: moot.Entry) -> EntrySeen:
    return EntrySeen(
        seq=entry.seq,
        speaker=entry.speaker,
        phase=entry.phase,
        type=entry.type,
        text=entry.content[:LONGEST_TEXT],
        private=not entry.public,
        outside=entry.outside,
        cut=len(entry.content) > LONGEST_TEXT,
    )


def followed(
    run: str,
    after: int,
    entries: list[moot.Entry],
    ended: Ended | None,
    stored: StoredResult | None,
    links: Links,
    *,
    private: bool = False,
) -> Followed:
    shown = [entry for entry in map(seen, entries) if private or not entry.private]
    return Followed(
        run=run,
        status=ended.status if ended else "running",
        reason=ended.reason if ended else None,
        entries=shown,
        unshown=len(entries) - len(shown),
        last=max([after, *(entry.seq for entry in entries)]),
        headline=stored.summary.headline if stored else None,
        brief=stored.summary.brief if stored else Brief(),
        flags=stored.flags if stored else [],
        **links.model_dump(),
    )
