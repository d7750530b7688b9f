"""A running debate for its followers: the entries, the speech in progress, and the people it waits for.

A follower has a position in the log and receives what comes after it. Nothing is queued per follower, so a slow one, or
one that reconnects, costs nothing and misses nothing.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from moot.engine.define.capabilities import Redactions
from moot.engine.outcome.result import cast_names
from moot.engine.outcome.stored import Status, stored_result
from moot.engine.play.agent import part_of
from moot.engine.staging.activity import doing
from moot.engine.staging.runs import Run
from moot.errors import ConfigError, MootError, RunDamaged
from moot.models.base import Request
from moot.record.entry import Entry
from moot.record.events import Answered, Asked, Event, Retried, Started, Streamed, Wrote
from moot.service.guests import refused_model
from moot.service.news import (
    QUIET,
    Awaiting,
    Ended,
    News,
    NewsBatch,
    Question,
    Silent,
    Speaking,
    Written,
)

TEXT_EVERY = 0.05
"""Seconds between two updates of streamed text: readers see no difference, a server with hundreds of followers does."""
MOST_OVER = 64
"""How many replies that are over are kept for followers that have not heard their last words."""
MOST_SHARED = 8
"""How many places, and batches of news, are kept for followers that know the same."""
LONGEST_ANSWER = 20_000
SECONDS_TO_FIND = 10.0
"""How long to look for outside entries that come before an entry of the script."""


class NotAsked(MootError):
    """No answer is expected there."""


@dataclass(slots=True)
class _Speech:
    """A reply in progress. Each attempt starts over."""

    agent: str
    text: str = ""
    attempt: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """The position of a follower. All who have caught up are at the same one."""

    seq: int
    heard: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """By key: which attempt, and how many characters of it."""
    asked: tuple[Question, ...] = ()


class Live:
    """A running debate: its entries, the speech in progress, and the people it waits for. `find` returns the run at an
    address. `settle` blocks until other processes can read what was written; followers are notified after that, since
    they may ask another process for it."""

    def __init__(
        self, find: Callable[[str], Run], entries: Sequence[Entry] = (), settle: Callable[[], None] | None = None
    ) -> None:
        self.run: Run | None = None
        self.since = datetime.now(UTC)
        self._find = find
        self._settle = settle
        self._kept = len(entries)
        self._keeping: asyncio.Task[None] | None = None
        self.entries = list(entries)
        self.questions: dict[str, Question] = {}
        self.ended: Ended | None = None
        self.begun = asyncio.Event()
        self._speeches: dict[str, _Speech] = {}
        self._attempts: dict[str, int] = {}
        self._over: dict[str, _Speech] = {}
        self._told_as: dict[str, str] = {}
        self._answers: dict[str, asyncio.Future[str]] = {}
        self._asked: tuple[Question, ...] = ()
        self._changes = 0
        self._waiting: dict[asyncio.Future[bool], None] = {}
        self._places: dict[str | None, _Place] = {}
        self._batches: dict[tuple[_Place, _Place], NewsBatch] = {}
        self._soon: asyncio.TimerHandle | None = None
        self._ahead: list[Entry] = []
        self._filling: asyncio.Task[None] | None = None
        self._left = False

    # Called by the debate

    def hear(self, event: Event) -> None:
        """Process an event of the debate."""
        match event:
            case Started():
                self.run = self._find(event.run)
            case Wrote():
                self._take(event.entry)
                self.begun.set()
                self._keep()
            case Asked():
                self._check_that_it_is_kept()
                self._begin(event.key, event.agent)
            case Streamed():
                speech = self._speeches.setdefault(event.key, _Speech(event.agent))
                speech.text += event.text
                self._change_soon()
            case Retried():
                self._begin(event.key, event.agent)
            case Answered():
                if event.key in self._speeches:
                    self._over[event.key] = self._speeches.pop(event.key)
                if len(self._over) > MOST_OVER:
                    del self._over[next(iter(self._over))]
                self._change_soon()

    def refuses(self, model: str) -> str | None:
        """Why this model cannot be used here. This and `answered` make it the debate's prompter."""
        return refused_model(model)

    async def answered(self, person: str, request: Request) -> str:
        """Wait for a person's answer."""
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        name = cast_names(self.entries).get(part_of(request.agent), request.agent)
        asked = Question(request.key, person, name, request.messages[-1].content, request.schema)
        self.questions[request.key], self._answers[request.key] = asked, answer
        self._change()
        try:
            return await answer
        finally:
            del self.questions[request.key], self._answers[request.key]
            self._change()

    def release(self) -> None:
        """Drop all followers while the debate continues."""
        self._left = True
        self._change()

    async def whole(self) -> None:
        """Wait until no entry is missing before the last one that was announced."""
        for task in (self._filling, self._keeping):
            if task is not None:
                await asyncio.wait([task], timeout=SECONDS_TO_FIND)
                task.cancel()

    def end(self, status: Status, reason: str | None) -> None:
        self._kept = len(self.entries)
        self._speeches.clear()
        self.ended = Ended(status, reason)
        self.begun.set()
        self._change()

    # Called by others

    def answer(self, key: str, text: str) -> None:
        """Answer an open question; NotAsked if there is none."""
        waiting = self._answers.get(key)
        if waiting is None or waiting.done():
            raise NotAsked(f"nobody waits for an answer at {key}; it was given, or the debate went on")
        if not text.strip():
            raise ConfigError("the answer is empty")
        if len(text) > LONGEST_ANSWER:
            raise ConfigError(f"an answer may have {LONGEST_ANSWER:,} characters, not {len(text):,}")
        waiting.set_result(text)

    def catch_up(self, entries: Sequence[Entry]) -> None:
        """Add outside entries that were appended to the log, given all of its entries."""
        self.entries += entries[len(self.entries) :]
        waiting, self._ahead = self._ahead, []
        for entry in waiting:
            self._take(entry)
        self._kept = max(self._kept, min(len(entries), len(self.entries)))
        self._keep()

    async def batches(
        self, after: int = -1, seat: str | None = None, beat: float | None = None
    ) -> AsyncGenerator[NewsBatch, None]:
        """Everything after that entry (-1: everything) until the debate ends. From a `seat`, only what that agent may
        know and its own questions. With a `beat`, yields Quiet after that many seconds without news."""
        place = _Place(after)
        while True:
            changes, ended = self._changes, self.ended
            # Collect everything at once: the debate continues while a slow follower handles it.
            batch, place = self._since(place, seat)
            if batch.news:
                yield batch
            if ended is not None:
                yield NewsBatch((ended,))
                return
            if self._left:
                return
            if changes == self._changes and not await self._change_comes(beat):
                yield QUIET

    async def _change_comes(self, beat: float | None) -> bool:
        """Wait for the next change; False if none came in time."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[bool] = loop.create_future()
        self._waiting[waiting] = None
        timer = None if beat is None else loop.call_later(beat, _give_up, waiting)
        try:
            return await waiting
        finally:
            self._waiting.pop(waiting, None)
            if timer is not None:
                timer.cancel()

    def _since(self, old: _Place, seat: str | None) -> tuple[NewsBatch, _Place]:
        """The news for a follower at that place, and its new place."""
        now = self._places.get(seat) or self._place_now(seat)
        if old.seq > now.seq:
            now = replace(now, seq=old.seq)
        batch = self._batches.get((old, now))
        if batch is None:
            if len(self._batches) >= MOST_SHARED:
                self._batches.clear()
            batch = self._batches[old, now] = NewsBatch(tuple(self._news(old, now, seat)))
        return batch, now

    def _place_now(self, seat: str | None) -> _Place:
        """The place of followers that have everything. It is valid until the next change."""
        # A question comes after the entries that it is about.
        asked = tuple(self.questions.values())
        self._asked = (
            asked
            if self._kept == len(self.entries)
            else tuple(question for question in self._asked if question in asked)
        )
        heard = {
            key: (speech.attempt, len(speech.text))
            for key, speech in self._speeches.items()
            if seat is None or speech.agent == seat
        }
        mine = tuple(question for question in self._asked if seat is None or seat in (question.agent, question.person))
        if len(self._places) >= MOST_SHARED:
            self._places.clear()
        now = self._places[seat] = _Place(self._kept - 1, heard, mine)
        return now

    def _news(self, old: _Place, now: _Place, seat: str | None) -> Iterator[News]:
        assert self.run is not None  # noqa: S101 (it has begun)
        if now.seq > old.seq:
            entries = self.entries if self._kept == len(self.entries) else self.entries[: self._kept]
            yield from readable_since(self.run, entries, old.seq, seat)
        for key, (attempt, heard) in old.heard.items():
            if key in self._speeches:
                continue
            # Followers are woken now and then, and have not heard the last words of a reply that is over.
            over = self._over.get(key)
            if over is not None and over.attempt == attempt and heard < len(over.text):
                yield Speaking(key, over.agent, self._doing(self.run, key), heard, over.text[heard:])
            yield Silent(key)
        for key, (attempt, length) in now.heard.items():
            earlier, heard = old.heard.get(key, (0, 0))
            if attempt != earlier or heard < length:
                start, speech = heard if attempt == earlier else 0, self._speeches[key]
                yield Speaking(key, speech.agent, self._doing(self.run, key), start, speech.text[start:])
        if now.asked != old.asked:
            yield Awaiting(list(now.asked))

    def _doing(self, run: Run, key: str) -> str:
        """What an agent does in a call. Found once: all followers ask for it with every word."""
        if key not in self._told_as:
            self._told_as[key] = doing(run.config.protocol.live, key)
        return self._told_as[key]

    def _begin(self, key: str, agent: str) -> None:
        """Begin a reply. One that is asked for again has another number, so that followers take it for a new one."""
        self._attempts[key] = attempt = self._attempts.get(key, 0) + 1
        self._speeches[key] = _Speech(agent, attempt=attempt)
        self._change_soon()

    def _check_that_it_is_kept(self) -> None:
        """Called before each paid call: there is no point in paying for a reply that cannot be stored."""
        folder = self.run.folder if self.run is not None else None
        if folder is not None and not folder.is_dir():
            raise RunDamaged(f"{folder.name} is gone: its folder was deleted while it was under way")

    def _take(self, entry: Entry) -> None:
        """Add an entry of the script. Outside entries before it are not announced, so they are looked up."""
        if entry.seq > len(self.entries):
            self._ahead.append(entry)
            if self._filling is None or self._filling.done():
                self._filling = asyncio.create_task(self._fill())
            return
        if entry.seq < len(self.entries) and self.entries[entry.seq] != entry:
            # It was removed when the run was resumed: see moot.engine.staging.replay.
            del self.entries[entry.seq :]
            self._kept = min(self._kept, entry.seq)
        if entry.seq == len(self.entries):
            self.entries.append(entry)

    def _keep(self) -> None:
        """Notify followers of all entries once other processes can read them."""
        if self._settle is None:
            self._kept = len(self.entries)
        elif self._kept < len(self.entries) and (self._keeping is None or self._keeping.done()):
            self._keeping = asyncio.create_task(self._settled(self._settle))
        self._change()

    async def _settled(self, settle: Callable[[], None]) -> None:
        while self._kept < (count := len(self.entries)):
            await asyncio.to_thread(settle)
            self._kept = count
            self._change()

    async def _fill(self) -> None:
        """Look up missing entries before those that are known. They can take a moment to appear."""
        while self._ahead and self.run is not None:
            with suppress(OSError, MootError):
                self.catch_up(await asyncio.to_thread(self.run.entries))
            await asyncio.sleep(TEXT_EVERY)

    def _change(self) -> None:
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
        self._forget_places()
        self._changes += 1
        waiting, self._waiting = self._waiting, {}
        for one in waiting:
            if not one.done():
                one.set_result(True)

    def _change_soon(self) -> None:
        self._forget_places()
        if self._soon is None:
            self._soon = asyncio.get_running_loop().call_later(TEXT_EVERY, self._change)

    def _forget_places(self) -> None:
        self._places.clear()
        self._batches.clear()


def _give_up(waiting: "asyncio.Future[bool]") -> None:
    if not waiting.done():
        waiting.set_result(False)


def how_it_ended(found: Run) -> Ended:
    """The state of a run that is not running."""
    try:
        stored = stored_result(found)
    except RunDamaged:
        return Ended("failed", "its result cannot be read")
    if stored is None:
        return Ended("interrupted", "it stopped before it came to a result")
    return Ended(stored.status, stored.reason)


def readable_since(run: Run, entries: Sequence[Entry], after: int, seat: str | None = None) -> Iterator[Written]:
    """The entries after that one (-1: all) as readers see them, preceded by earlier entries that have changed."""
    redactions, hidden = run.config.protocol.get(Redactions), run.config.protocol.live.hidden
    now = redactions.entries(entries) if redactions else entries
    if redactions and after >= 0:
        before = {entry.seq: entry for entry in redactions.entries(entries[: after + 1])}
        changed = [one for one in now if one.seq <= after and before.get(one.seq) != one]
        yield from (Written(one, again=True) for one in changed if _may_see(one, seat, hidden))
    yield from (Written(one) for one in now if one.seq > after and _may_see(one, seat, hidden))


def _may_see(entry: Entry, seat: str | None, unseen: Collection[str]) -> bool:
    if seat is None or entry.speaker == seat:
        return True
    return entry.type not in unseen if entry.to == "all" else seat in entry.to
