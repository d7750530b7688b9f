"""Debates under way in this process, for faces that serve many people at once: started, followed, answered, stopped.

A follower has a place in the log and is told what comes after it. Nothing is queued for anybody, so one that is slow,
or went away and comes back, costs nothing and misses nothing.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from moot.config import RunConfig
from moot.debate import resume, run
from moot.entry import Entry
from moot.errors import ConfigError, MootError
from moot.events import Answered, Asked, Event, Retried, Started, Streamed, Wrote
from moot.models.base import Model, Request
from moot.models.human import question_of
from moot.outside import append_outside
from moot.requesting import refused_model
from moot.result import Result, Status, cast_names, part_of
from moot.runs import Run, is_run

MOST_AT_ONCE = 8
TEXT_EVERY = 0.05
"""Seconds between two looks at text that is being generated: a reader sees no difference, a server with hundreds of
followers does."""
LOOK_EVERY = 0.5
"""Seconds between two looks at a run that another process is working on."""
LONGEST_ANSWER = 20_000
_RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,120}")


class NoSuchRun(MootError):
    """There is no run of that name here."""


class TooManyDebates(MootError):
    """As many debates are under way as may be at once."""


class NotAsked(MootError):
    """Nobody waits for an answer there."""


@dataclass(frozen=True, slots=True)
class Question:
    """Somebody is waited for. `text` is what they are asked, `schema` the shape of the answer where it has one."""

    key: str
    person: str
    agent: str
    text: str
    schema: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Written:
    """An entry as readers get it; `again` when it was told before and reads differently now, since part of it was
    struck."""

    entry: Entry
    again: bool = False


@dataclass(frozen=True, slots=True)
class Speaking:
    """Somebody was asked, and so much more of the reply has come, which may be nothing yet. It stands at `start` of
    what was told of this reply so far: at 0 what came before is void."""

    key: str
    agent: str
    start: int
    text: str


@dataclass(frozen=True, slots=True)
class Silent:
    """The reply at this key has come, or is given up."""

    key: str


@dataclass(frozen=True, slots=True)
class Awaiting:
    """Who is waited for now."""

    questions: list[Question]


@dataclass(frozen=True, slots=True)
class Ended:
    """Nothing more will come, unless the run is taken up again."""

    status: Status
    reason: str | None


News = Written | Speaking | Silent | Awaiting | Ended


@dataclass(slots=True)
class _Speech:
    """A reply under way. Each attempt starts anew."""

    agent: str
    text: str = ""
    attempt: int = 1


@dataclass(slots=True)
class _Place:
    """How much one follower was told."""

    seq: int
    heard: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By key: which attempt, and how many characters of it."""
    asked: list[Question] = field(default_factory=list)


class Live:
    """One debate under way: its entries, what is being said, and who is waited for."""

    def __init__(self, entries: Sequence[Entry] = ()) -> None:
        self.run: Run | None = None
        self.entries = list(entries)
        self.questions: dict[str, Question] = {}
        self.ended: Ended | None = None
        self.begun = asyncio.Event()
        self._speeches: dict[str, _Speech] = {}
        self._answers: dict[str, asyncio.Future[str]] = {}
        self._changed = asyncio.Event()
        self._soon: asyncio.TimerHandle | None = None

    # What the debate tells

    def hear(self, event: Event) -> None:
        """Take note of what happens. This is the debate's follower."""
        match event:
            case Started():
                self.run = Run(Path(event.run))
            case Wrote():
                self._take(event.entry)
                self.begun.set()
                self._change()
            case Asked():
                self._speeches[event.key] = _Speech(event.agent)
                self._change_soon()
            case Streamed():
                speech = self._speeches.setdefault(event.key, _Speech(event.agent))
                speech.text += event.text
                self._change_soon()
            case Retried():
                speech = self._speeches.setdefault(event.key, _Speech(event.agent))
                self._speeches[event.key] = _Speech(event.agent, attempt=speech.attempt + 1)
                self._change_soon()
            case Answered():
                self._speeches.pop(event.key, None)
                self._change_soon()

    def refuses(self, model: str) -> str | None:
        """Why the model may not speak here. This and the next make it the debate's desk."""
        return refused_model(model)

    async def answered(self, person: str, request: Request) -> str:
        """Wait for what a person answers."""
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        name = cast_names(self.entries).get(part_of(request.agent), request.agent)
        asked = Question(request.key, person, name, question_of(request), request.schema)
        self.questions[request.key], self._answers[request.key] = asked, answer
        self._change()
        try:
            return await answer
        finally:
            del self.questions[request.key], self._answers[request.key]
            self._change()

    def end(self, status: Status, reason: str | None) -> None:
        self._speeches.clear()
        self.ended = Ended(status, reason)
        self.begun.set()
        self._change()

    # What others do

    def answer(self, key: str, text: str) -> None:
        """Answer a question that is open; NotAsked when none is, or no longer."""
        waiting = self._answers.get(key)
        if waiting is None or waiting.done():
            raise NotAsked(f"nobody waits for an answer at {key}; it was given, or the debate went on")
        if not text.strip():
            raise ConfigError("the answer is empty")
        if len(text) > LONGEST_ANSWER:
            raise ConfigError(f"an answer may have {LONGEST_ANSWER:,} characters, not {len(text):,}")
        waiting.set_result(text)

    def catch_up(self) -> None:
        """Take up what was appended to the log from outside."""
        assert self.run is not None  # noqa: S101 (it has begun)
        self.entries += self.run.entries()[len(self.entries) :]
        self._change()

    async def follow(self, after: int = 0, seat: str | None = None) -> AsyncGenerator[News, None]:
        """All that comes after that entry, until the debate ends. From a `seat`, only what the agent of that name may
        know, and what it is asked itself."""
        place = _Place(after)
        while True:
            changed = self._changed
            for news in self._since(place, seat):
                yield news
            if self.ended is not None:
                yield self.ended
                return
            await changed.wait()

    def _since(self, place: _Place, seat: str | None) -> Iterator[News]:
        assert self.run is not None  # noqa: S101 (it has begun)
        if len(self.entries) > place.seq:
            yield from readable_since(self.run, self.entries, place.seq, seat)
            place.seq = len(self.entries)
        for key in [key for key in place.heard if key not in self._speeches]:
            del place.heard[key]
            yield Silent(key)
        for key, speech in self._speeches.items():
            attempt, told = place.heard.get(key, (0, 0))
            if seat is not None and speech.agent != seat:
                continue
            if attempt != speech.attempt or told < len(speech.text):
                start = told if attempt == speech.attempt else 0
                place.heard[key] = speech.attempt, len(speech.text)
                yield Speaking(key, speech.agent, start, speech.text[start:])
        asked = [one for one in self.questions.values() if seat is None or seat in (one.agent, one.person)]
        if asked != place.asked:
            place.asked = asked
            yield Awaiting(asked)

    def _take(self, entry: Entry) -> None:
        """Add an entry of the script. What was appended from outside before it is told by nobody: it is looked up."""
        if entry.seq > len(self.entries) + 1 and self.run is not None:
            self.entries += self.run.entries()[len(self.entries) : entry.seq - 1]
        if entry.seq == len(self.entries) + 1:
            self.entries.append(entry)

    def _change(self) -> None:
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
        self._changed.set()
        self._changed = asyncio.Event()

    def _change_soon(self) -> None:
        if self._soon is None:
            self._soon = asyncio.get_running_loop().call_later(TEXT_EVERY, self._change)


def readable_since(run: Run, entries: Sequence[Entry], after: int, seat: str | None = None) -> Iterator[Written]:
    """The entries after that one as readers get them, and before them those that read differently since."""
    readable = run.config.protocol.readable
    now = readable(entries)
    if readable is not list and after > 0:
        before = {entry.seq: entry for entry in readable(entries[:after])}
        changed = [one for one in now if one.seq <= after and before.get(one.seq) != one]
        yield from (Written(one, again=True) for one in changed if _may_see(one, seat))
    yield from (Written(one) for one in now if one.seq > after and _may_see(one, seat))


def _may_see(entry: Entry, seat: str | None) -> bool:
    return seat is None or entry.to == "all" or seat in entry.to or entry.speaker == seat


class Host:
    """The debates of one folder, and those of them that this process runs. `models` are models of your own, by the
    names that configs call them."""

    def __init__(
        self, folder: Path | str, at_most: int = MOST_AT_ONCE, models: Mapping[str, Model] | None = None
    ) -> None:
        self.folder = Path(folder)
        self.at_most = at_most
        self.models = models
        self._live: dict[str, Live] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._starting = 0

    def find(self, name: str) -> Run:
        """The run of exactly that name."""
        path = self.folder / name
        if not _RUN_NAME.fullmatch(name) or not is_run(path):
            raise NoSuchRun(f"there is no run {name[:200]!r}")
        return Run(path)

    def live(self, name: str) -> Live | None:
        """The debate of that name, while this process runs it."""
        return self._live.get(name)

    @property
    def under_way(self) -> list[str]:
        return list(self._live)

    async def start(self, config: RunConfig) -> str:
        """Stage a new debate and return its name once it has begun. What speaks against it is raised here."""
        config = replace(config, options=config.options.model_copy(update={"out": str(self.folder)}))
        live = Live()
        return await self._begin(live, lambda: run(config, follow=live.hear, models=self.models, desk=live))

    async def resume(self, name: str, **changes: Any) -> str:
        """Take up a run that stopped."""
        found = self.find(name)
        if name in self._live:
            raise ConfigError(f"{name} is under way already")
        live = Live(await asyncio.to_thread(found.entries))
        return await self._begin(
            live, lambda: resume(found, follow=live.hear, models=self.models, desk=live, **changes)
        )

    async def cancel(self, name: str) -> None:
        """Stop a debate that this process runs; it can be taken up again."""
        task = self._tasks.get(name)
        if task is None:
            self.find(name)
            raise ConfigError(f"{name} is not under way here")
        task.cancel()
        await asyncio.wait([task])

    async def close(self) -> None:
        """Stop all debates; they can be taken up again."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def append(self, name: str, **fields: Any) -> int:
        """Append an entry from outside, as `append_outside` does, and let followers know at once."""
        seq = await asyncio.to_thread(lambda: append_outside(self.find(name), **fields))
        if live := self._live.get(name):
            live.catch_up()
        return seq

    async def follow(self, name: str, after: int = 0, seat: str | None = None) -> AsyncGenerator[News, None]:
        """All that comes after that entry, whoever runs the debate, until it ends."""
        live = self._live.get(name)
        if live is not None:
            async for news in live.follow(after, seat):
                yield news
            return
        found = self.find(name)
        while True:
            busy = await asyncio.to_thread(lambda: found.busy)
            entries = await asyncio.to_thread(found.entries)
            for written in readable_since(found, entries, after, seat) if len(entries) > after else ():
                yield written
            after = max(after, len(entries))
            if not busy:
                yield await asyncio.to_thread(how_it_ended, found)
                return
            await asyncio.sleep(LOOK_EVERY)

    async def _begin(self, live: Live, stage: Callable[[], Coroutine[Any, Any, Result]]) -> str:
        if len(self._live) + self._starting >= self.at_most:
            raise TooManyDebates(f"{self.at_most} debates are under way, and no more may be; wait for one to end")
        self._starting += 1
        task = asyncio.create_task(self._played(live, stage))
        try:
            await live.begun.wait()
        except asyncio.CancelledError:
            task.cancel()
            raise
        finally:
            self._starting -= 1
        if live.run is None or (live.ended is not None and not live.entries):
            await task  # raises what spoke against it
            raise ConfigError(f"the debate did not begin: {live.ended.reason if live.ended else 'nothing was said'}")
        name = live.run.name
        if live.ended is None:
            self._live[name], self._tasks[name] = live, task
        return name

    async def _played(self, live: Live, stage: Callable[[], Coroutine[Any, Any, Result]]) -> None:
        """Run one debate to its end. Whatever goes wrong is told to its followers; before it has begun, to whoever
        started it."""
        status: Status = "failed"
        reason: str | None = None
        try:
            result = await stage()
            status, reason = result.status, result.reason
        except asyncio.CancelledError:
            status, reason = "interrupted", "stopped from outside"
        except Exception as error:
            reason = str(error) if isinstance(error, MootError | OSError) else f"{type(error).__name__}: {error}"
            if not live.begun.is_set():
                raise
        finally:
            if live.run is not None:
                self._live.pop(live.run.name, None)
                self._tasks.pop(live.run.name, None)
            live.end(status, reason)


def how_it_ended(found: Run) -> Ended:
    """How a run stands that nobody is working on."""
    document = found.result()
    if document is None:
        return Ended("interrupted", "it stopped before it came to a result")
    with suppress(KeyError):
        return Ended(document["status"], document["reason"])
    return Ended("failed", "its result cannot be read")
