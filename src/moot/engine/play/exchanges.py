"""Exchanges: a prompt to one agent and its reply, from the journal if it is recorded there.

Keeps the agent's history and condenses it when it is too long, notes a change of model, and abandons an agent that is
late if the script says so.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from moot.engine.play.agent import Agent, Exchange
from moot.engine.play.calls import Caller, PlannedCall
from moot.engine.play.facts import Facts, is_whole
from moot.engine.play.prompt import Prompt, Template
from moot.engine.play.structured import Failure
from moot.engine.sources.context import Handout
from moot.errors import CallFailed, ContextOverflow, ImagesRefused, MootError
from moot.models.base import Message
from moot.record.entry import Draft, now
from moot.record.journal import GAVE_UP, Journal, Record, divergence
from moot.record.payloads import CHOSEN, Recap, Switch


class Stopped(MootError):
    """Raised when the script asks for more after something failed elsewhere. The original failure is reported."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of an agent. To show it to another agent, emit it and quote the entry: it cannot be formatted into a
    prompt. `model` is the model that gave it, `small` whether that is a small model, `cut` whether it stops at the
    token limit; `codes` are faults despite which it was kept."""

    text: str
    key: str
    model: str = ""
    small: bool = False
    codes: tuple[str, ...] = ()
    cut: bool = False

    @property
    def by_person(self) -> bool:
        """Whether a person gave it; words of people are taken as they are."""
        return self.model.startswith("human/")

    def __format__(self, spec: str) -> NoReturn:
        raise TypeError("a reply is private until it is emitted: quote the entry instead")

    def __repr__(self) -> str:
        return f"<reply {self.key}>"


class Deadline:
    """The time until which to wait for an agent, in seconds from now."""

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self.at = asyncio.get_running_loop().time() + patience


def deadline_of(agent: Agent, patience: float | Deadline | None = None) -> Deadline | None:
    """Until when to wait for an agent; its own patience applies if the script sets none."""
    patience = agent.patience if patience is None else patience
    return Deadline(patience) if isinstance(patience, float | int) else patience


class Exchanges:
    def __init__(
        self,
        journal: Journal,
        caller: Caller,
        facts: Facts,
        emit: Callable[..., Draft],
        handout: Handout | None = None,
    ) -> None:
        self.stopped = False
        self._handout = handout
        self._journal = journal
        self._caller = caller
        self._facts = facts
        self._emit = emit

    async def in_time(
        self,
        agent: Agent,
        prompt: Prompt,
        key: str,
        attempt: int,
        schema: dict[str, Any] | None,
        deadline: Deadline | None,
    ) -> Reply | Failure:
        """An exchange that ends by the deadline. A late reply and a failing model are a Failure.

        Without a deadline, only models that say nothing or decline are a Failure; other errors are raised. A reply that
        was paid for at the last moment still counts.
        """
        if deadline is None:
            return await self.answered(agent, prompt, key, attempt, schema)
        try:
            async with asyncio.timeout_at(deadline.at):
                return await self.exchange(agent, prompt, key, attempt, schema)
        except CallFailed as error:
            return self._give_up(key, agent, error.reason, error.model if error.key == key else None)
        except TimeoutError:
            if self._journal.reply(key, attempt) is None:
                return self._give_up(key, agent, f"no usable reply within {deadline.patience:g} seconds")
        return await self.exchange(agent, prompt, key, attempt, schema)

    async def answered(
        self, agent: Agent, prompt: Prompt, key: str, attempt: int = 1, schema: dict[str, Any] | None = None
    ) -> Reply | Failure:
        """An exchange, or a Failure if all models of the agent say nothing or decline; other errors are raised."""
        try:
            return await self.exchange(agent, prompt, key, attempt, schema)
        except CallFailed as error:
            if not error.unanswered:
                raise
            return self._give_up(key, agent, error.reason, error.model if error.key == key else None)

    def skip_model(self, agent: Agent, key: str, attempt: int, reason: str) -> None:
        """Let the agent's next model answer this attempt, if there is one."""
        if agent.current + 1 >= len(agent.models):
            return
        if self._journal.reply(key, attempt) is None:
            about: dict[str, Any] = {"key": key, "agent": agent.id, "model": agent.model.name, "attempt": attempt}
            self._journal.note(Record(**about, kind="failure", error=reason, started=now()))
        agent.current += 1

    def _give_up(self, key: str, agent: Agent, reason: str, failed: str | None = None) -> Failure:
        """Stop waiting. This is journalled, so that a replay does not wait either, with the model that `failed` last
        if that is the reason."""
        at = key + GAVE_UP
        return Failure(key, self._facts.known(at, lambda: reason, lambda known: isinstance(known, str), agent, failed))

    async def exchange(
        self, agent: Agent, prompt: Prompt, key: str, attempt: int = 1, schema: dict[str, Any] | None = None
    ) -> Reply:
        """Send a prompt and get its reply, from the journal if it is recorded there, and remember both."""
        if self.stopped and self._journal.reply(key, attempt) is None:
            raise Stopped(f"no call at {key}: the debate is stopping")
        if agent.busy is not None:
            raise RuntimeError(f"{agent.name} is asked at {key} while still answering {agent.busy}")
        agent.busy = key
        try:
            record = await self._answer(agent, prompt, key, attempt, schema)
        finally:
            agent.busy = None
        agent.small = record.small
        cut = record.finish_reason == "length"
        return Reply(record.reply or "", key, record.model or "", record.small, cut=cut)

    async def _answer(
        self, agent: Agent, prompt: Prompt, key: str, attempt: int, schema: dict[str, Any] | None
    ) -> Record:
        """The recorded reply. Condenses the agent's history until the conversation fits."""
        fit = f"{key}/fit" if attempt == 1 else f"{key}#{attempt}/fit"
        condensed = shortened = 0
        while self._handout and self._handout.shorten(agent, f"{key}#{attempt}/{shortened + 1}", again=True):
            shortened += 1
        while self._journal.fact(f"{fit}/{condensed + 1}") is not None:
            condensed += 1
            await self._condense(agent, f"{fit}/{condensed}")
        while True:
            try:
                return await self._say(agent, prompt, key, attempt, schema)
            except ImagesRefused as refused:
                if not (self._handout and self._handout.hide_images(agent, f"{key}#{attempt}/{shortened + 1}")):
                    raise CallFailed(key, agent.name, str(refused)) from refused
                shortened += 1
            except ContextOverflow as overflow:
                if len(agent.history) < 2:
                    if self._handout and self._handout.shorten(agent, f"{key}#{attempt}/{shortened + 1}"):
                        shortened += 1
                        continue
                    raise CallFailed(key, agent.name, f"{overflow}, even with nothing but this prompt") from overflow
                condensed += 1
                await self._condense(agent, f"{fit}/{condensed}")

    async def _condense(self, agent: Agent, at: str) -> None:
        """Let the agent summarise the older half of its history, and replace that half with this exchange."""
        half = max(2, (len(agent.history) + 1) // 2)

        def fits(count: int) -> bool:
            return is_whole(count) and 2 <= count <= len(agent.history)

        count = self._facts.known(at, lambda: half, fits, agent)
        complete, old, recent = agent.history, agent.history[:count], agent.history[count:]
        agent.history = list(old)
        try:
            record = await self._say(agent, SUMMARISE(), f"{at}/summary", 1, None)
        except ImagesRefused as refused:
            raise CallFailed(at, agent.name, str(refused)) from refused
        except ContextOverflow as overflow:
            raise CallFailed(at, agent.name, f"{overflow}, and its history is too long to be summed up") from overflow
        except (CallFailed, asyncio.CancelledError):
            agent.history = complete
            raise
        agent.history = [agent.history[-1], *recent]
        self._emit(
            "summary",
            agent,
            Reply(record.reply or "", record.key),
            phase="context",
            to=[agent.name],
            data=Recap(agent=agent.name, replaced=[exchange.key for exchange in old]),
        )

    async def _say(self, agent: Agent, prompt: Prompt, key: str, attempt: int, schema: dict[str, Any] | None) -> Record:
        """Get the recorded reply and add the exchange to the agent's history."""
        question = PlannedCall(key, attempt, agent, prompt, schema)
        record = self._journal.reply(key, attempt)
        if record is None and (given_up := self._journal.fact(f"{agent.busy}{GAVE_UP}")) is not None:
            raise CallFailed(key, agent.name, str(given_up.value), unanswered=True)
        if record is None:
            record = await self._caller.pay(question)
        elif question.sha256(record.small) != record.request_sha256:
            raise divergence(record, question.sent(record.small), schema)
        self._note_switch(agent, record)
        messages = question.messages(record.small)
        agent.last_system = messages[0]
        agent.history.append(Exchange(key, messages[-1], Message("assistant", record.reply or "")))
        return record

    def _note_switch(self, agent: Agent, record: Record) -> None:
        """Log a change of the agent's model; the journal has the reason."""
        if record.model == agent.spoke_through and not self._journal.failures:
            return
        place = (record.key, record.attempt)
        failures = [
            one for one in self._journal.failures if (one.key, one.attempt) == place and one.model != record.model
        ]
        before: str | None = agent.spoke_through or agent.cast_as[0]
        if agent.spoke_through is None and ("/" not in agent.cast_as[0] or self._journal.is_inherited(record)):
            before = record.model  # a short name means any model, and a fork has a new cast
        names = [model.name for model in agent.models]
        agent.current = names.index(record.model) if record.model in names else 0
        agent.spoke_through = record.model
        if before == record.model or before is None or record.model is None:
            return
        last = failures[-1] if failures else None
        # An agent that is used only once, such as a judge, does not go on.
        how = "speaks here through" if "@" in agent.id else "continues with"
        switch = Switch(
            agent=agent.name,
            from_model=before,
            to_model=record.model,
            reason=last.error or "" if last else CHOSEN,
            call=last.key if last else None,
            failed=last.model if last else None,
        )
        text = f"{agent.name} {how} {record.model} instead of {before}: {switch.reason}"
        self._emit("switch", "moot", text, phase="context", to=[], data=switch)


SUMMARISE = Template(
    full="""
Our conversation is getting too long for you to read at once, so its older part, which you see here, will be
replaced by your own summary. Write that summary now, for yourself: what you were asked, what was said and by whom,
which positions, facts, figures and scores stand, what you promised or decided. Leave nothing out that you may need
to go on as before. At most 300 words.
""",
    short="Sum up what was said so far in three sentences.",
)
