"""Room: all that a protocol may do.

It asks agents, emits entries, runs work side by side and draws lots. It keeps the log in the script's order,
pays for no reply twice, lets nothing be spent beyond the limits, and shows no agent what is not its own.
It knows nothing of any particular protocol.
"""

import asyncio
import json
import random
from collections.abc import Callable, Coroutine, Generator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Generic, NoReturn, TypeVar

from moot.agent import Agent, Exchange
from moot.branches import Branch
from moot.calls import Caller, Question
from moot.casting import Casting, Models
from moot.entry import Audience, Draft, Source, now
from moot.errors import CallFailed, ContextOverflow, MootError, RunDamaged
from moot.journal import Journal, Record, divergence
from moot.models.base import Message
from moot.payloads import Payload, Summary, Switch
from moot.prompt import Prompt, Template
from moot.structured import AGAIN, FORMAT, Failure, Fault, Shape, json_schema, parse

T = TypeVar("T")
TRIES = 3
"""How often an agent is asked for a structured reply before that is a Failure."""

_branch: ContextVar[Branch] = ContextVar("moot_branch")
_depth: ContextVar[int] = ContextVar("moot_depth", default=0)


class Stopped(MootError):
    """Raised where the script goes on asking although something failed elsewhere; that failure is what is reported."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What an agent said. To show it to another, emit it and quote the entry: it cannot be formatted into a prompt."""

    text: str
    key: str

    def __format__(self, spec: str) -> NoReturn:
        raise TypeError("a reply is private until it is emitted: quote the entry instead")

    def __repr__(self) -> str:
        return f"<reply {self.key}>"


class Aside(Generic[T]):
    """Work going on beside the script, holding its place in the log. Await it for its result, any number of times."""

    def __init__(self, task: "asyncio.Task[tuple[T, int]]") -> None:
        self._task = task

    def __await__(self) -> Generator[Any, None, T]:
        result, depth = yield from self._task.__await__()
        _depth.set(max(_depth.get(), depth))
        return result


class Room:
    def __init__(
        self,
        *,
        write: Callable[[Draft], None],
        journal: Journal,
        caller: Caller,
        casting: Casting,
        seed: int,
    ) -> None:
        self.longest_chain = 0
        self._write = write
        self._journal = journal
        self._caller = caller
        self._casting = casting
        self._seed = seed
        self._root = Branch()
        self._keys: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._stopped: Exception | None = None

    # What a protocol calls

    def agent(self, id: str, name: str, system: Prompt, model: Models | None = None) -> Agent:  # noqa: A002
        """Somebody to ask. `id` is its part in the script; `model` is what the config lets it speak through."""
        return Agent(id, name, system, *self._casting.cast(id, name, model))

    async def ask(self, agent: Agent, prompt: Prompt, at: str) -> Reply:
        """Ask one agent for text. `at` names the place in the agent's part of the script, such as `think/3`."""
        key = self._claim(agent, at)
        return await self._exchange(agent, prompt, key)

    async def ask_for(self, shape: type[Shape], agent: Agent, prompt: Prompt, at: str) -> Shape | Failure:
        """Ask for an object of that shape; a reply that is none goes back with its faults, three tries in all."""
        key = self._claim(agent, at)
        schema = json_schema(shape)
        prompt = _with_format(prompt, schema)
        reason = ""
        for attempt in range(1, TRIES + 1):
            reply = await self._exchange(agent, prompt, key, attempt, schema)
            value = parse(shape, reply.text)
            if not isinstance(value, Fault):
                return value
            reason = value.reason
            prompt = AGAIN(reason=reason)
        return Failure(key, f"no usable reply in {TRIES} tries; the last: {reason}")

    def emit(  # noqa: PLR0913 (one for each field of an entry)
        self,
        type: str,  # noqa: A002 (the name of the field)
        speaker: Agent | str,
        said: Reply | str,
        *,
        phase: str,
        to: Audience = "all",
        data: Payload | None = None,
        sources: Sequence[Source] = (),
        rebuttal_to: Draft | None = None,
        target: Draft | None = None,
        call: str | None = None,
    ) -> Draft:
        """Append an entry at this place of the script. It is written once everything before it is.

        `call` names the reply that an entry in other words came from; a Reply brings its own.
        """
        content, call = (said.text, said.key) if isinstance(said, Reply) else (said, call)
        name = speaker.name if isinstance(speaker, Agent) else speaker
        draft = Draft(phase, name, type, content, to, data, call, list(sources), rebuttal_to, target)
        _branch.get().items.append(draft)
        self._release()
        return draft

    def aside(self, work: Coroutine[Any, Any, T]) -> Aside[T]:
        """Start work beside the script. Its entries stand in the log where it was started."""
        branch = _branch.get().fork()
        task = asyncio.create_task(self._beside(work, branch))
        # Work that is cancelled before its first step would otherwise complain that nobody awaited it.
        task.add_done_callback(lambda _: work.close())
        self._tasks.add(task)
        return Aside(task)

    async def together(self, *work: Coroutine[Any, Any, T]) -> list[T]:
        """Run work side by side and wait for all of it; results and entries are in the order given."""
        return [await aside for aside in [self.aside(one) for one in work]]

    def draw(self, at: str, options: Sequence[T]) -> T:
        """One of the options by lot; the lot is journalled."""
        lot = random.Random(f"{self._seed}/{at}")  # noqa: S311 (a draw that can be repeated, not a secret)
        index = self._fact(f"draw/{at}", lambda: lot.randrange(len(options)), lambda lot: 0 <= lot < len(options))
        return options[index]

    def fact(self, at: str, make: Callable[[], list[str]]) -> list[str]:
        """Texts that do not follow from the script; made once and journalled."""

        def are_texts(value: object) -> bool:
            return isinstance(value, list) and all(isinstance(text, str) for text in value)

        return self._fact(f"fact/{at}", make, are_texts)

    async def ready(self, *agents: Agent) -> None:
        """Make sure that all of them can answer, before anything is spent."""
        self._casting.check()
        await self._caller.ready(agents)

    # How the engine runs it

    async def play(self, script: Coroutine[Any, Any, None]) -> None:
        """Run a script to its end. When something fails no new call is made, those under way are waited for and
        kept, and the first failure is raised."""
        _branch.set(self._root)
        _depth.set(0)
        try:
            await script
            await self._settled()
            await asyncio.gather(*self._tasks)
        except asyncio.CancelledError:
            for task in self._tasks:
                task.cancel()
            await self._settled()
            raise
        except Exception as error:
            first = self._stop(error)
            await self._settled()
            if first is error:
                raise
            raise first from error

    async def _settled(self) -> None:
        """Wait until nothing is under way, whatever came of it; work may have started more work."""
        while pending := [task for task in self._tasks if not task.done()]:
            await asyncio.wait(pending)
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _beside(self, work: Coroutine[Any, Any, T], branch: Branch) -> tuple[T, int]:
        _branch.set(branch)
        try:
            result = await work
        except Exception as error:
            self._stop(error)
            raise
        branch.open = False
        self._release()
        return result, _depth.get()

    def _stop(self, error: Exception) -> Exception:
        """Make no further calls; the first error that asked for this."""
        if self._stopped is None:
            self._stopped = error
            self._caller.stop()
        return self._stopped

    def _release(self) -> None:
        self._root.release(self._write)

    # One exchange with one agent

    async def _exchange(
        self, agent: Agent, prompt: Prompt, key: str, attempt: int = 1, schema: dict[str, Any] | None = None
    ) -> Reply:
        """Send a prompt and get its reply, from the journal where it stands there, and remember both."""
        if self._stopped is not None and self._journal.reply(key, attempt) is None:
            raise Stopped(f"no call at {key}: the debate is stopping")
        if agent.busy is not None:
            raise RuntimeError(f"{agent.name} is asked at {key} while still answering {agent.busy}")
        agent.busy = key
        try:
            record = await self._answer(agent, prompt, key, attempt, schema)
        finally:
            agent.busy = None
        _depth.set(_depth.get() + 1)
        self.longest_chain = max(self.longest_chain, _depth.get())
        return Reply(record.reply or "", key)

    async def _answer(
        self, agent: Agent, prompt: Prompt, key: str, attempt: int, schema: dict[str, Any] | None
    ) -> Record:
        """The reply on record, condensing the agent's history as often as it takes to fit."""
        fit = f"{key}/fit" if attempt == 1 else f"{key}#{attempt}/fit"
        condensed = 0
        while self._journal.fact(f"{fit}/{condensed + 1}") is not None:
            condensed += 1
            await self._condense(agent, f"{fit}/{condensed}")
        while True:
            try:
                return await self._say(agent, prompt, key, attempt, schema)
            except ContextOverflow as overflow:
                if len(agent.history) < 2:
                    raise CallFailed(key, agent.name, f"{overflow}, even with nothing but this prompt") from overflow
                condensed += 1
                await self._condense(agent, f"{fit}/{condensed}")

    async def _condense(self, agent: Agent, at: str) -> None:
        """Let the agent sum up the older half of its history, and put that exchange in its place."""
        half = max(2, (len(agent.history) + 1) // 2)
        count = self._fact(at, lambda: half, lambda count: 2 <= count <= len(agent.history), agent)
        old, kept = agent.history[:count], agent.history[count:]
        agent.history = list(old)
        try:
            record = await self._say(agent, SUMMARISE(), f"{at}/summary", 1, None)
        except ContextOverflow as overflow:
            raise CallFailed(at, agent.name, f"{overflow}, and its history is too long to be summed up") from overflow
        agent.history = [agent.history[-1], *kept]
        self.emit(
            "summary",
            agent,
            Reply(record.reply or "", record.key),
            phase="context",
            to=[agent.name],
            data=Summary(agent=agent.name, replaced=[exchange.key for exchange in old]),
        )

    async def _say(self, agent: Agent, prompt: Prompt, key: str, attempt: int, schema: dict[str, Any] | None) -> Record:
        """Get the reply on record, and add the exchange to the agent's history."""
        question = Question(key, attempt, agent, prompt, schema)
        record = self._journal.reply(key, attempt)
        if record is None:
            record = await self._caller.pay(question)
        elif question.sha256(record.small) != record.request_sha256:
            raise divergence(record, question.sent(record.small))
        self._note_switch(agent, record)
        messages, _ = question.messages(record.small)
        agent.told = messages[0]
        agent.history.append(Exchange(key, messages[-1], Message("assistant", record.reply or "")))
        return record

    def _note_switch(self, agent: Agent, record: Record) -> None:
        """Put it in the log when an agent speaks through another model than before; the journal knows why."""
        place = (record.key, record.attempt)
        failures = [
            one for one in self._journal.failures if (one.key, one.attempt) == place and one.model != record.model
        ]
        before = agent.spoke_through or (failures[0].model if failures else record.model)
        names = [model.name for model in agent.models]
        agent.current = names.index(record.model) if record.model in names else 0
        agent.spoke_through = record.model
        if before == record.model or before is None or record.model is None:
            return
        reason = failures[-1].error or "" if failures else "another model was chosen for the rest of the debate"
        text = f"{agent.name} goes on with {record.model} instead of {before}: {reason}"
        switch = Switch(agent=agent.name, from_model=before, to_model=record.model, reason=reason)
        self.emit("switch", "moot", text, phase="context", to=[], data=switch)

    # Facts from outside the script

    def _fact(self, key: str, make: Callable[[], T], fits: Callable[[T], bool], agent: Agent | None = None) -> T:
        """The value on record, or a new one put on record. `fits` guards against a journal that was tampered with."""
        record = self._journal.fact(key)
        if record is None:
            value = make()
            part = agent.id if agent else None
            self._journal.note(Record(key=key, agent=part, started=now(), kind="fact", value=value))
            return value
        try:
            sound = fits(record.value)
        except TypeError:
            sound = False
        if not sound:
            raise RunDamaged(f"the journal's fact at {key} cannot be: {record.value!r}")
        known: T = record.value
        return known

    def _claim(self, agent: Agent, at: str) -> str:
        key = agent.key(at)
        if key in self._keys:
            raise RuntimeError(f"the script asks at {key} twice")
        self._keys.add(key)
        return key


def _with_format(prompt: Prompt, schema: dict[str, Any]) -> Prompt:
    """The prompt with the JSON Schema at its end. Small models are constrained instead: shown one, they copy it."""
    shown = json.dumps(schema, ensure_ascii=False).replace("{", "{{").replace("}", "}}")
    return replace(prompt, full=prompt.full + FORMAT.format(schema=shown))


SUMMARISE = Template(
    full="""
Our conversation is getting too long for you to read at once, so its older part, which you see here, will be
replaced by your own summary. Write that summary now, for yourself: what you were asked, what was said and by whom,
which positions, facts, figures and scores stand, what you promised or decided. Leave nothing out that you may need
to go on as before. At most 300 words.
""",
    short="Sum up what was said so far in three sentences.",
)
