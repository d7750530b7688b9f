"""Room: everything that a protocol can do.

It asks agents, emits entries, runs work concurrently and draws lots. It keeps the log in the order of the script, never
pays for a reply twice, stays within the limits, and keeps private entries from other agents. It knows no protocol.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from typing import Any, TypeVar, Unpack

from pydantic import ValidationError

from moot.engine.define.protocol import Protocol
from moot.engine.play.agent import Agent
from moot.engine.play.branches import Branch, Task, Work, depth, here, published
from moot.engine.play.calls import Caller
from moot.engine.play.carried import Carried
from moot.engine.play.casting import Casting, Models
from moot.engine.play.endings import marked
from moot.engine.play.exchanges import Deadline, Exchanges, Reply, Stopped, deadline_of
from moot.engine.play.facts import Facts
from moot.engine.play.language import Language
from moot.engine.play.prompt import Prompt
from moot.engine.play.prose import DECLINED, Prose, Reading, ReplyFault, again
from moot.engine.play.reader import read
from moot.engine.play.structured import AGAIN, AGAIN_IN_PERSON, Failure, Fault, Shape, json_schema
from moot.engine.sources.context import ContextDocument, Handout
from moot.engine.sources.lookups import Lookups
from moot.engine.sources.remarks import listed_in, remarks
from moot.errors import RunDamaged
from moot.present import Flag
from moot.present.data import read_as
from moot.record.entry import Audience, Draft, Links
from moot.record.journal import Journal
from moot.record.payloads import Frame, Gap, Header, Irregular, Payload, check_declared

__all__ = ["Deadline", "Reply", "Room", "Task"]

T = TypeVar("T")
TRIES = 2  # attempts at a structured reply before it is a Failure


@dataclass(frozen=True, slots=True, eq=False)
class Setup:
    """What the config of a debate brings to its room. `protocol` is None outside of debates, `language` for texts in
    any language. All agents are given the `documents`. With `carried`, files that the config names are not opened. A
    `full` debate holds every round. In a rehearsal, replies are invented, and only their shape is checked."""

    seed: int
    protocol: Protocol | None = None
    language: Language | None = None
    documents: Sequence[ContextDocument] = ()
    lookups: Lookups | None = None
    carried: Carried | None = None
    full: bool = False
    rehearsal: bool = False


class Room:
    def __init__(
        self, setup: Setup, *, write: Callable[[Draft], None], journal: Journal, caller: Caller, casting: Casting
    ) -> None:
        self.documents, self.carried = setup.documents, setup.carried
        self.full, self.rehearsal, self.has_early_end = setup.full, setup.rehearsal, False
        self.frame: tuple[Frame, str | None] | None = None
        self.longest_chain = 0
        self._setup, self._lookups = setup, setup.lookups
        self._write, self._caller, self._casting = write, caller, casting
        self._facts = Facts(journal, caller.find_out)
        self._handout = Handout.of(setup.documents, self._facts, journal)
        self._exchanges = Exchanges(journal, caller, self._facts, self.emit, self._handout)
        self._root, self._ahead = Branch(), Branch(open=False)
        self._keys: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._unplaced: list[Branch] = []
        self._stopped: Exception | None = None

    # For protocols

    def agent(
        self,
        id: str,  # noqa: A002
        name: str,
        system: Prompt,
        model: Models | None = None,
        otherwise: Models | None = None,
    ) -> Agent:
        """An agent to ask. `id` is its part in the script, `model` its model in the config; `otherwise` replaces the
        shipped model."""
        cast = self._casting.cast(id, name, model, otherwise)
        agent = Agent(id, name, system, *cast, language=self._setup.language)
        if self._handout:
            self._handout.give(agent)
        if self._lookups:
            self._lookups.seat(agent)
        return agent

    async def ask(self, agent: Agent, prompt: Prompt, at: str, prose: Prose | None = None) -> Reply:
        """Ask one agent for text. `at` is the place in the agent's part of the script, such as `think/3`. If it is not
        the right kind of `prose`, it is asked for once more, then kept and flagged."""
        key = self._claim(agent, at)
        asked = await self._lookups.before(self, agent, prompt, at) if self._lookups else prompt
        reply = self._counted(await self._exchanges.exchange(agent, asked, key))
        return await self._corrected(agent, prompt, at, reply, prose)

    async def ask_or_note_gap(self, agent: Agent, prompt: Prompt, at: str, prose: Prose | None = None) -> Reply | None:
        """Ask for text that the script can do without: None, and a note in the log, if all models of the agent say
        nothing or decline."""
        key = self._claim(agent, at)
        asked = await self._lookups.before(self, agent, prompt, at) if self._lookups else prompt
        reply = await self._exchanges.in_time(agent, asked, key, 1, None, deadline_of(agent))
        if isinstance(reply, Failure):
            text = f"No reply of {agent.name} at {key}: {reply.reason}"
            gap = Gap(agent=agent.name, call=key, failure=reply.reason)
            self.emit("gap", "moot", text, phase="context", to=[], data=gap)
            return None
        return await self._corrected(agent, prompt, at, self._counted(reply), prose)

    async def ask_for(
        self,
        shape: type[Shape],
        agent: Agent,
        prompt: Prompt,
        at: str,
        *,
        patience: float | Deadline | None = None,
        accept: Callable[[Shape], str | None] | None = None,
        prose: Prose | None = None,
        words: Callable[[Shape], str] = str,
    ) -> Shape | Failure:
        """Ask for an object of that shape. A reply that cannot be read as one is sent back with all its faults, up to
        two tries. So is one in which a text stops in the middle; if it still does at the end, it is marked (`[…]`).

        `accept` says what is wrong with an object that has the right shape, or None. With `patience`, an agent whose
        models fail, or that has not answered properly after that many seconds, gives a Failure and does not end the
        debate. Agents that share a `deadline` are awaited until the same moment. `prose` describes its `words`: if they
        do not conform, they are asked for once more if that can help, then kept and flagged.
        """
        key = self._claim(agent, at)
        prompt = await self._lookups.before(self, agent, prompt, at) if self._lookups else prompt
        schema, reason = json_schema(shape), ""
        odd: tuple[Shape, list[ReplyFault]] | None = None
        deadline = deadline_of(agent, patience)
        for attempt in range(1, TRIES + 1):
            if reason:
                prompt = replace((AGAIN_IN_PERSON if agent.is_person else AGAIN)(reason=reason), fault=reason)
            reply = await self._exchanges.in_time(agent, prompt, key, attempt, schema, deadline)
            if isinstance(reply, Failure):
                return reply if odd is None else self._note_faults(agent, key, *odd)
            self._counted(reply)
            found = read(shape, reply.text, cut=reply.cut, last=attempt == TRIES)
            if isinstance(found, Fault):
                reason = found.reason
                continue
            whole, cut = marked(found.value, small=reply.small)
            short = cut if attempt < TRIES and not (self.rehearsal or reply.small) else []
            wrong = [f"`{one}` stops in the middle of a sentence: say it more briefly, and to its end" for one in short]
            if accept is not None and not self.rehearsal and (why := accept(found.value)) is not None:
                wrong.append(why)
            faults = self._form_faults(prose, words(found.value), reply) if prose else []
            if not wrong and (odd or all(one.noted for one in faults)):
                self._facts.note_reading(key, found.notes)
                return self._note_faults(agent, key, whole, faults) if faults else whole
            odd = odd if wrong else (whole, faults)
            reason = "; ".join([*wrong, *(one.reason for one in faults if not one.noted)])
        failure = f"no usable reply in {TRIES} tries; the last: {reason}"
        return self._note_faults(agent, key, *odd) if odd else Failure(key, failure)

    async def _corrected(self, agent: Agent, prompt: Prompt, at: str, reply: Reply, prose: Prose | None) -> Reply:
        """The reply, or a second one if code detects a fault. If that has a fault, too, it is kept, and noted in the
        log."""
        asked = prompt.full
        wrong = await self._faults(agent, prose, reply, f"{at}/declined", asked)
        if any(one.code == "declined" for one in wrong):
            self._exchanges.skip_model(agent, reply.key, 2, wrong[-1].reason)
        if not all(one.noted for one in wrong):
            second = await self._exchanges.answered(agent, again(wrong), reply.key, 2)
            if not isinstance(second, Failure):
                reply = self._counted(second)
                wrong = await self._faults(agent, prose, reply, f"{at}/declined-again", asked)
        kept = replace(reply, codes=tuple(one.code for one in wrong))
        return self._note_faults(agent, reply.key, kept, wrong) if wrong else reply

    async def _faults(self, agent: Agent, prose: Prose | None, reply: Reply, at: str, asked: str) -> list[ReplyFault]:
        found = self._form_faults(prose, reply.text, reply, asked)
        if prose is None or found or self.rehearsal or reply.by_person or reply.small:
            return found
        read = await self.ask_for(Reading, agent, DECLINED(), at) if prose.may_decline(reply.text) else None
        # A model that cannot even answer this has not argued.
        declined = isinstance(read, Failure) or (read is not None and not read.argues)
        return [ReplyFault("declined", "it declines to make a statement, and one was asked for")] if declined else []

    def _form_faults(self, prose: Prose | None, text: str, reply: Reply, asked: str = "") -> list[ReplyFault]:
        return [] if prose is None or self.rehearsal or reply.by_person else prose.faults(text, asked)

    def _note_faults(self, agent: Agent, key: str, value: T, wrong: list[ReplyFault]) -> T:
        """The value, with its faults noted in the log."""
        noted = Irregular(agent=agent.name, call=key, codes=list(dict.fromkeys(one.code for one in wrong)))
        text = f"A reply of {agent.name} is kept with a fault: {'; '.join(one.reason for one in wrong)}"
        self.emit("irregular", "moot", text, phase="context", to=[], data=noted)
        return value

    def emit(
        self,
        type: str,  # noqa: A002 (the name of the field)
        speaker: Agent | str,
        said: Reply | str,
        *,
        phase: str,
        to: Audience = "all",
        data: Payload | None = None,
        **links: Unpack[Links],
    ) -> Draft:
        """Append an entry at this place of the script. It is written after everything before it."""
        content = said.text if isinstance(said, Reply) else said
        links["call"] = said.key if isinstance(said, Reply) else links.get("call")
        name = speaker.name if isinstance(speaker, Agent) else speaker
        check_declared(self._setup.protocol.payloads if self._setup.protocol else None, type, data)
        if isinstance(data, Header) and self.frame is not None:
            frame, links["call"] = self.frame
            data = data.with_frame(frame)
        draft = Draft(phase, name, type, content, to, data, **links)
        here.get().items.append(draft)
        if isinstance(data, Header):
            here.get().items.append(self._ahead)
        if self._handout or self._lookups:
            draft.data = listed_in(self._handout, self._lookups, data)
            here.get().items += remarks(self._handout, self._lookups, draft, speaker)
        self._root.release(self._write)
        return draft

    def start(self, work: Coroutine[Any, Any, T]) -> Task[T]:
        """Start work concurrent to the script. Its entries appear in the log at the point where it started."""
        return Task(self._start(work, here.get().fork()))

    def start_before_header(self, work: Coroutine[Any, Any, T]) -> Task[T]:
        """Start work that must be awaited before the header. Its entries follow the header, the first of the log."""
        return Task(self._start(work, self._ahead))

    def start_background(self, work: Coroutine[Any, Any, T]) -> Task[T]:
        """Start concurrent work that delays nothing: it must be awaited, and its entries appear where it first is."""
        branch = Branch()
        self._unplaced.append(branch)

        def place() -> None:
            self._unplaced.remove(branch)
            here.get().items.append(branch)
            self._root.release(self._write)

        return Task(self._start(work, branch), place)

    async def together(self, *work: Coroutine[Any, Any, T], at_most: int | None = None) -> list[T]:
        """Run work concurrently, `at_most` this many at a time, and wait for all of it; results and entries keep the
        given order."""
        places = asyncio.Semaphore(at_most) if at_most else None
        started: list[Task[T]] = []
        try:
            for one in work:
                started.append(Task(self._start(one, here.get().fork(), places)))
                await asyncio.sleep(0)  # send this request before the next one is rendered
            return [await task for task in started]
        finally:
            for one in work[len(started) :]:
                one.close()

    def draw(self, at: str, options: Sequence[T]) -> T:
        """A random option; the draw is journalled."""
        return options[self._facts.drawn(at, self._setup.seed, len(options))]

    def shuffled(self, at: str, options: Sequence[T]) -> list[T]:
        """The options in random order; the order is journalled."""
        return [options[place] for place in self._facts.order(at, self._setup.seed, len(options))]

    def may_end_early(self) -> bool:
        """Whether a settled debate may end before its last round: not with `--full`, nor in a rehearsal for a plan."""
        self.has_early_end = True
        return not (self.full or self.rehearsal)

    def fact(self, at: str, make: Callable[[], list[str]], count: int | None = None) -> list[str]:
        """Texts that do not follow from the script, `count` of them if it is given; made once and journalled."""
        return self._facts.texts(f"fact/{at}", make, count)

    def flags(self, make: Callable[[], list[Flag]]) -> list[Flag]:
        """Flags about the cast, made once and journalled: models can change when a run is resumed."""
        stored = self.fact("flags", lambda: [flag.model_dump_json() for flag in make()])
        try:
            return [read_as(Flag, one) for one in stored]
        except ValidationError as error:
            raise RunDamaged(f"the journal's flags cannot be: {error.errors()[0]['msg']}") from error

    async def learn(self, shape: type[Shape], at: str, find: Callable[[], Awaitable[Shape]]) -> Shape:
        """A fact about the outside world, such as a page: found once, journalled, and fixed from then on."""
        return await self._facts.learn(shape, f"world/{at}", lambda: self._caller.learn(shape, f"world/{at}", find))

    def minutes(self, at: str) -> float:
        """The duration of the debate without interruptions, in minutes; the reading is journalled."""
        return self._facts.minutes(f"clock/{at}")

    async def ready(self, *agents: Agent) -> None:
        """Check that all of them can answer, before anything is spent."""
        self._casting.check(self._lookups.roles if self._lookups else ())
        await self._caller.ready(agents)

    # For the engine

    async def play(self, script: Coroutine[Any, Any, None]) -> None:
        """Run a script to its end. If something fails, no new call is made, calls in progress are completed and
        recorded, and the first failure is raised. If it is cancelled, it waits a moment for calls in progress; a second
        time, it does not."""
        here.set(self._root)
        depth.set(0)
        main = asyncio.create_task(script)  # so that a call in progress outlives the cancellation
        self._tasks.add(main)
        try:
            await asyncio.wait([main])
            main.result()
            await self._settled()
            for task in self._tasks:
                task.result()
            self._check_awaited()
        except asyncio.CancelledError:
            self._stop(Stopped("the debate was interrupted"))
            with suppress(asyncio.CancelledError):
                await self._caller.finish_calls()
            for task in self._tasks:
                task.cancel()
            await self._settled()
            raise
        except Exception as error:  # raised again below, once no task is left
            first = self._stop(error)
            await self._settled()
            if first is error:
                raise
            raise first from error
        finally:
            # They refer to each other. Without this a debate would stay in memory until the next garbage collection.
            del self._exchanges, main
            self._tasks.clear()

    def _check_awaited(self) -> None:
        if self._unplaced:
            raise RuntimeError("the script ended without awaiting all of its background work")

    async def _settled(self) -> None:
        """Wait until nothing is in progress, successful or not; work can start more work."""
        while pending := [task for task in self._tasks if not task.done()]:
            await asyncio.wait(pending)
        for task in self._tasks:
            if not task.cancelled():
                task.exception()  # otherwise, asyncio would say that nobody has seen it

    def _start(
        self, work: Coroutine[Any, Any, T], branch: Branch, places: asyncio.Semaphore | None = None
    ) -> "asyncio.Task[Work[T]]":
        task = asyncio.create_task(self._beside(work, branch, places))
        # Work that is cancelled before its first step would otherwise warn that it was never awaited.
        task.add_done_callback(lambda _: work.close())
        self._tasks.add(task)
        return task

    async def _beside(self, work: Coroutine[Any, Any, T], branch: Branch, places: asyncio.Semaphore | None) -> Work[T]:
        here.set(branch)
        try:
            async with places or nullcontext():
                result = await work
        except Exception as error:  # raised again, once the others know
            self._stop(error)
            raise
        branch.open = False
        self._root.release(self._write)
        return result, depth.get(), published.get()

    def _stop(self, error: Exception) -> Exception:
        """Make no further calls, and return the first error that asked for this."""
        if self._stopped is None:
            self._stopped = error
            self._exchanges.stopped = True
            self._caller.stop()
        return self._stopped

    def _counted(self, reply: Reply) -> Reply:
        """Count the call in the chain of dependent calls."""
        depth.set(reached := depth.get() + 1)
        self.longest_chain = max(self.longest_chain, reached)
        return reply

    def _claim(self, agent: Agent, at: str) -> str:
        key = agent.key(at)
        if key in self._keys:
            raise RuntimeError(f"the script asks at {key} twice")
        self._keys.add(key)
        return key
