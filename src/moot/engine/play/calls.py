"""Paying for a reply: limits, the agent's models in order, retries, the journal, and notifying followers.

The result is a record in the journal.
"""

import asyncio
import math
import time
import zlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from moot.engine.define.sampling import SamplingOptions, check_sampling, sampling_of, sent
from moot.engine.play.agent import Agent
from moot.engine.play.limits import Budget, token_bound
from moot.engine.play.prompt import Prompt
from moot.engine.play.structured import Shape
from moot.errors import CallFailed, ConfigError, ContextOverflow, EmptyReply, ImagesRefused, ModelError, Refused
from moot.models.base import LONGEST_TOKEN, PLAIN_SAMPLING, Message, Model, ModelReply, Request, Schema, Usage, within
from moot.models.calling import call, ready
from moot.models.prices import Price, worst_cost
from moot.record.entry import now, time_at
from moot.record.events import Answered, Asked, Follower, Retried, Streamed
from moot.record.journal import Journal, Record, request_sha256
from moot.text import valid_text

OF_PEOPLE = ("human", "external")
"""Prefixes of the names under which people and other programs answer; token limits do not apply to them."""
FREE = (*OF_PEOPLE, "scripted", "embedded")
"""Prefixes of the names of models whose replies are free."""
SECONDS_TO_FINISH = 5.0
"""How long an interrupted debate waits for replies that have to be paid anyway."""
TOKENS_OF_IMAGE = 2_500
"""A careful estimate of what an image takes: providers scale large ones down."""
SPARE_ROOM = 1 << 20
"""Bytes of disk space to keep free besides those of a reply, for the entries, the result and the reports."""


@dataclass(slots=True, eq=False)
class PlannedCall:
    """A planned call: its place in the script, the agent, and the prompt. The text is rendered once for each form of
    prompt, full or small, from the agent's history at that time."""

    key: str
    attempt: int
    agent: Agent
    prompt: Prompt
    schema: dict[str, Any] | None
    _worded: dict[bool, list[Message]] = field(default_factory=dict)

    def messages(self, small: bool) -> list[Message]:
        """The complete conversation, ending in the prompt."""
        if small not in self._worded:
            text = self.prompt.text(self.agent.name, small=small)
            self._worded[small] = [*self.agent.conversation(small=small), Message("user", text)]
        return self._worded[small]

    def sent(self, small: bool) -> list[Message]:
        """The messages that the agent has not received before."""
        conversation = self.messages(small)
        return conversation[-1:] if conversation[0] == self.agent.last_system else [conversation[0], conversation[-1]]

    def sha256(self, small: bool) -> str:
        return request_sha256(self.messages(small), self.schema)

    def token_bound(self, small: bool) -> int:
        """A careful estimate of the tokens in the request."""
        return token_bound(self.messages(small), self.schema) + TOKENS_OF_IMAGE * len(self.agent.images)

    def answered(self, model: str, *, small: bool, reply: str, **more: Any) -> Record:
        """The record of a reply to this question."""
        return Record(
            key=self.key,
            agent=self.agent.id,
            model=model,
            request_sha256=self.sha256(small),
            attempt=self.attempt,
            reply=reply,
            sent=self.sent(small),
            shape=self.schema,
            small=small,
            fault=self.prompt.fault,
            **more,
        )


class Caller:
    """The source of replies. A run pays models, a replay has only the journal, a plan invents them."""

    async def ready(self, agents: Sequence[Agent]) -> None:
        """Fail before spending anything if a model cannot answer."""

    async def pay(self, question: PlannedCall) -> Record:
        """A recorded reply; ContextOverflow if the conversation is too long for the model."""
        raise NotImplementedError

    async def learn(self, shape: type[Shape], key: str, find: Callable[[], Awaitable[Shape]]) -> Shape:  # noqa: ARG002
        """A fact from the outside world, not from a model."""
        return await find()

    def find_out(self, key: str) -> None:
        """Raise if this caller must not create new facts about the world."""

    def stop(self) -> None:
        """Send no further requests; requests in progress can finish."""

    async def finish_calls(self) -> None:
        """Wait a moment for requests in progress, so that their replies are recorded and not paid for again."""


@dataclass(slots=True)
class PayingCaller(Caller):
    """`is_optional` says for the key of a call whether it asks for notes that a person can skip."""

    journal: Journal
    budget: Budget
    max_reply_tokens: int
    seed: int
    prices: Mapping[str, Price] = field(default_factory=dict)
    follow: Follower | None = None
    sampling: Mapping[str, SamplingOptions] = field(default_factory=dict)
    is_optional: Callable[[str], bool] = lambda _: False
    _in_progress: set[str] = field(default_factory=set)
    _returned: asyncio.Event = field(default_factory=asyncio.Event)

    async def ready(self, agents: Sequence[Agent]) -> None:
        check_sampling(agents, self.sampling)
        models = {model.name: model for agent in agents for model in agent.models}
        for model in models.values():
            if self.budget.counts_money and self._worst_cost(model, 1) is None:
                raise ConfigError(
                    f"moot cannot enforce --max-cost: the price of {model.name} is unknown. "
                    "Give it under `prices:` in moot.yaml, or limit calls or tokens instead.",
                    "max_cost",
                )
        checks = await asyncio.gather(*(ready(model) for model in models.values()), return_exceptions=True)
        faults = {name: fault for name, fault in zip(models, checks, strict=True) if fault is not None}
        for agent in agents:
            # A fallback is checked only when it is needed; an agent's only model is checked now.
            if all(model.name in faults for model in agent.models):
                fault = faults[agent.models[0].name]
                if isinstance(fault, ConfigError | ModelError):
                    fault.key = agent.cast_by
                if isinstance(fault, ModelError) and len(models) > 1:
                    fault.args = (f"{agent.name} cannot speak through {agent.models[0].name}: {fault}",)
                raise fault

    def stop(self) -> None:
        self.budget.close()

    async def finish_calls(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(SECONDS_TO_FINISH):
                while self._in_progress:
                    self._returned.clear()
                    await self._returned.wait()

    async def pay(self, question: PlannedCall) -> Record:
        """Ask the agent's models in order, starting with the current one, until one answers."""
        agent = question.agent
        for model in agent.models[agent.current :]:
            clock = time.monotonic()
            try:
                return await self._ask(model, question)
            except (ContextOverflow, ImagesRefused):
                raise
            except ModelError as error:
                last = error
                took = time.monotonic() - clock
                started = time_at(time.time_ns() - int(took * 1e9))
                self._failed(question, model, error, started=started, seconds=round(took, 3))
        unanswered = isinstance(last, EmptyReply | Refused)
        raise CallFailed(question.key, agent.name, str(last), model.name, unanswered=unanswered) from last

    async def _ask(self, model: Model, question: PlannedCall) -> Record:
        messages = question.messages(model.small)
        tokens = question.token_bound(model.small)
        # Leave most of a small window to the conversation; small models never write long replies.
        room_for_reply = min(self.max_reply_tokens, (model.context_window or 0) // 8)
        if model.context_window is not None and tokens + room_for_reply > model.context_window:
            raise ContextOverflow(f"about {tokens} tokens do not fit into the {model.context_window} of {model.name}")
        # The same place in the script draws the same numbers, whatever was run before it.
        seed = zlib.crc32(f"{self.seed}/{question.key}/{question.attempt}".encode())
        sampling = sent(sampling_of(question.agent, self.sampling), seed) if self.sampling else PLAIN_SAMPLING
        by_person = model.name.startswith(OF_PEOPLE)
        request = Request(
            key=question.key,
            agent=question.agent.id,
            messages=tuple([message.broken_up or message for message in messages]),
            attempt=question.attempt,
            schema=Schema.of(question.schema).unmarked if question.schema is not None else None,
            max_tokens=self.max_reply_tokens,
            seed=seed,
            sampling=sampling,
            tools=tuple([tool.unmarked for tool in question.prompt.tools]),
            images=question.agent.images,
            shared=question.agent.shared,
            name=question.agent.name,
            optional=by_person and question.schema is None and self.is_optional(question.key),
        )
        cost = (self._worst_cost(model, tokens) or 0.0) if self.budget.counts_money else 0.0
        async with self.budget.reserve(tokens + self.max_reply_tokens, cost) as room:
            started, clock = now(), time.monotonic()
            try:
                reply = await self._in_time(model, self._send(model, request, question))
                if not by_person:
                    reply = within(reply, self.max_reply_tokens)
                room.settle(reply.usage)
                record = question.answered(
                    model.name,
                    small=model.small,
                    reply=valid_text(reply.text),
                    finish_reason=reply.finish_reason,
                    usage=reply.usage,
                    doubt=reply.doubt,
                    started=started,
                    seconds=round(time.monotonic() - clock, 3),
                    sampling=None if sampling is PLAIN_SAMPLING else sampling.document() or None,
                    answered_by=reply.answered_by,
                )
                await self.journal.keep(record)
            finally:
                self._has_returned(question)
        if self.follow:
            self.follow(Answered(question.key, question.agent.name, model.name, reply.usage))
        return record

    async def _send(self, model: Model, request: Request, question: PlannedCall) -> ModelReply:
        follow, name = self.follow, question.agent.name
        if follow:
            follow(Asked(request.key, name, model.name))

        def streamed(text: str) -> None:
            if follow:
                follow(Streamed(request.key, name, text))

        def failed(error: ModelError, _attempt: int, wait: float) -> None:
            self._has_returned(question)
            self._failed(question, model, error, wait)

        return await call(
            model,
            request,
            on_text=streamed if follow else None,
            on_retry=failed,
            before=lambda: self._may_send(model, request.key),
            patience=self.budget.seconds_left,
        )

    async def _in_time(self, model: Model, reply: Awaitable[ModelReply]) -> ModelReply:
        """The reply. Models can finish after the limit of minutes, but a person may never answer: LimitReached then."""
        left = self.budget.seconds_left()
        if left == math.inf or not model.name.startswith(OF_PEOPLE):
            return await reply
        try:
            async with asyncio.timeout(left) as wait:
                return await reply
        except TimeoutError:
            while wait.expired():  # the timer can be early by the resolution of the clock
                self.budget.check()
                await asyncio.sleep(0)
            raise

    def _has_returned(self, question: PlannedCall) -> None:
        self._in_progress.discard(question.key)
        self._returned.set()

    async def _may_send(self, model: Model, key: str) -> None:
        """Raise if no request may be sent: a limit is used up, the debate is stopping, its reply could not be stored,
        or another process has taken over the debate and would pay for the same reply."""
        self.budget.check()
        await self.journal.certain(SPARE_ROOM + 4 * LONGEST_TOKEN * self.max_reply_tokens)
        if not model.name.startswith(FREE):
            self._in_progress.add(key)

    def _failed(self, question: PlannedCall, model: Model, error: ModelError, wait: float = 0.0, **took: Any) -> None:
        """Record the reason in the journal, for the result, and count the cost; an unknown cost as the maximum."""
        usage, doubt = error.usage, None
        if error.may_cost and (usage is None or usage.input is None or usage.output is None):
            tokens = question.token_bound(model.small)
            usage = Usage(tokens, None, self.max_reply_tokens, self._worst_cost(model, tokens))
            doubt = "cost unknown; counted as the maximum"
        self.budget.charge(usage)
        event = Retried(
            question.key, question.agent.name, model.name, type(error).__name__, valid_text(str(error)), wait
        )
        self.journal.note(
            Record(
                key=question.key,
                agent=question.agent.id,
                model=model.name,
                attempt=question.attempt,
                kind="failure",
                error=event.reason,
                usage=usage,
                doubt=doubt,
                **({"started": now()} | took),
            )
        )
        if self.follow:
            self.follow(event)

    def _worst_cost(self, model: Model, tokens: int) -> float | None:
        return worst_cost(model.name, tokens, self.max_reply_tokens, self.prices)
