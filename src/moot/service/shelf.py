"""An index of all debates of a server, newest first, for lists. Logs are read only for a search for words.

The data of a debate comes from its result, which is read again only when it has changed.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import Literal

import moot
from moot.engine.outcome.stored import Status, stored_result
from moot.engine.staging.activity import calls_of, place, planned_calls
from moot.engine.staging.runs import began
from moot.present import Flag
from moot.runs.bin import BIN, binned
from moot.runs.search import Excerpt, excerpt, has_words, missing, words_of
from moot.runs.tags import tags_of
from moot.service.store import ListedRun, Store, open_store
from moot.text import clip, one_line

CardStatus = Status | Literal["running", "unreadable"]
RUNNING: CardStatus = "running"
UNREADABLE: CardStatus = "unreadable"
"""Of a run that another version of moot wrote."""
NO_RESULT = "Its result cannot be read"
LONGEST_LINE = 280
"""The maximum length of a topic or headline on a card."""
LONGEST_LAST = 200


@dataclass(frozen=True, slots=True)
class Card:
    """One debate. `status` is that of its result, `running` while somebody works on it, `unreadable` where another
    version of moot wrote it, else `interrupted`; `headline` says in one line what it came to or why it cannot be read,
    `flags` what to know before relying on that. `cost` is None where a model did not say. A debate without a result has
    0 `entries`, since no log is read here: then the other figures say nothing either. Of a debate that runs, `at` says
    where it stands and `last` what was said last: see `with_progress`."""

    name: str
    topic: str
    protocol: str
    status: CardStatus
    began: datetime
    headline: str = ""
    flags: tuple[Flag, ...] = ()
    cost: float | None = None
    calls: int = 0
    seconds: float = 0.0
    entries: int = 0
    at: str = ""
    last: str = ""
    tags: tuple[str, ...] = ()

    @property
    def live(self) -> bool:
        return self.status == RUNNING

    @property
    def warning(self) -> str:
        """The first warning about the outcome."""
        return next((_line(flag.text) for flag in self.flags if flag.severity == "warning"), "")


@dataclass(slots=True)
class _Known:
    """A card, and the version of the run that it was made from."""

    version: object
    card: Card
    run: moot.Run


class Shelf:
    """The cards of a store. Thread-safe: at worst a result is read twice."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, _Known] = {}

    def cards(self) -> list[Card]:
        """All debates, running ones first, then the newest first."""
        found = [self._card(listed) for listed in reversed(self._store.listed_runs())]
        for gone in self._known.keys() - {card.name for card in found}:
            self._known.pop(gone, None)
        return sorted(found, key=lambda card: not card.live)

    def search(
        self,
        query: str = "",
        protocol: str = "",
        status: str = "",
        tag: str = "",
        among: Sequence[Card] | None = None,
    ) -> list[Card]:
        """The cards, all or `among` these, of that protocol and that status, with that tag, and with every word of the
        query in topic, name, headline or in what was said."""
        words = words_of(query)
        return [
            card
            for card in (self.cards() if among is None else among)
            if protocol in ("", card.protocol)
            and status in ("", card.status)
            and (not tag or tag in card.tags)
            and self._has(card, words)
        ]

    def excerpt(self, card: Card, query: str) -> Excerpt | None:
        """Where the words of a query are that are not on the card itself."""
        known = self._known.get(card.name)
        left = missing(words_of(query), [card.topic, card.name, card.headline])
        return excerpt(known.run, left) if known is not None and left else None

    def _has(self, card: Card, words: Sequence[str]) -> bool:
        texts, known = [card.topic, card.name, card.headline], self._known.get(card.name)
        return has_words(known.run, words, texts) if known is not None else not missing(words, texts)

    def _card(self, listed: ListedRun) -> Card:
        run = listed.run
        known = self._known.get(run.name)
        if known is None or known.version != listed.version:
            known = _Known(listed.version, replace(_card_of(listed), tags=tags_of(run)), run)
            self._known[run.name] = known
        # A finished debate does not run again, so only the others can be running.
        if known.card.status not in ("done", UNREADABLE) and listed.running():
            return replace(known.card, status=RUNNING, headline="", flags=())
        return known.card

    def with_progress(self, card: Card) -> Card:
        """A card; that of a running debate with its place and its last public line. Blocks."""
        known = self._known.get(card.name)
        if not card.live or known is None:
            return card
        with suppress(moot.MootError, OSError):
            run = known.run
            entries = run.readable()
            said = [
                entry for entry in entries if entry.to == "all" and entry.content and not entry.outside and entry.seq
            ]
            last = f"{said[-1].speaker}: {said[-1].content}" if said else ""
            calls = sum(record.kind == "reply" for record in run.records())
            return replace(card, at=where(run, entries, calls), last=clip(one_line(last), LONGEST_LAST))
        return card


def binned_cards(out: str) -> list[Card]:
    """The cards of the runs in the bin of a folder."""
    return Shelf(open_store(f"{out}/{BIN}")).cards() if binned(out) else []


def where(run: moot.Run, entries: Sequence[moot.Entry], calls: int) -> str:
    """Where a debate stands: as its protocol says it, or by its calls. Blocks."""
    return place(run.config.protocol.live, entries) or calls_of(calls, _planned(_Planned(run.address, run)))


@dataclass(frozen=True, slots=True)
class _Planned:
    address: str
    run: moot.Run = field(compare=False)


@lru_cache(maxsize=256)
def _planned(of: _Planned) -> int | None:
    return asyncio.run(planned_calls(of.run))


def _card_of(listed: ListedRun) -> Card:
    run = listed.run
    if run.unreadable is not None:
        return Card(run.name, run.name, "unknown", UNREADABLE, _began(listed), run.unreadable)
    try:
        stored = stored_result(run)
    except (moot.RunDamaged, OSError):
        # A file can be edited: an invalid one must not prevent the others from being listed.
        return Card(run.name, *_from_config(run), "failed", _began(listed), NO_RESULT)
    if stored is None:
        return Card(run.name, *_from_config(run), "interrupted", _began(listed))
    return Card(
        name=run.name,
        topic=_from_config(run)[0] if stored.topic is None else _line(stored.topic),
        protocol=stored.protocol,
        status=stored.status,
        began=_began(listed),
        headline=_line(stored.summary.headline),
        flags=tuple(stored.flags),
        cost=stored.spent.cost,
        calls=stored.spent.calls,
        seconds=stored.seconds,
        entries=stored.receipt.entries,
    )


def _from_config(run: moot.Run) -> tuple[str, str]:
    """Topic and protocol of a run whose result does not contain them."""
    with suppress(moot.MootError, OSError):
        return _line(run.config.topic), run.config.protocol.name
    return run.name, "unknown"


def _began(listed: ListedRun) -> datetime:
    """The start time in its name, or else the creation time."""
    return began(listed.run.place.name) or listed.made


def _line(text: object) -> str:
    return clip(one_line(text), LONGEST_LINE)
