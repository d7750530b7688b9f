"""`client/…`: models that speak through the assistant that asked for the debate (MCP sampling).

There are two ways to ask the assistant. Clients up to protocol version 2025-11-25 can be asked at any time. Later ones
can only be asked within the answer to one of their calls, so questions wait until the client follows the debate.
"""

import asyncio
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from mcp.server.mcpserver import Context
from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    InputRequiredResult,
    ModelHint,
    ModelPreferences,
    SamplingMessage,
    TextContent,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError

from moot.engine.define.config import RunConfig
from moot.errors import ConfigError, EmptyReply, NotAReply, NotReady, Refused, ServerFault, TimedOut
from moot.models.base import FinishReason, ModelReply, OnText, Request
from moot.models.calling import about_to_send
from moot.models.failures import model_id
from moot.models.speech import spoken
from moot.text import clip, one_line, valid_text

PREFIX = "client/"
MOST_AT_ONCE = 4
"""The most concurrent questions to one assistant; many assistants ask their user before they answer."""
MOST_ROUNDS = 8
"""How many times one call is answered with questions; clients give up after ten."""
NO_HINT = ("default", "assistant", "any")
LONGEST_QUOTE = 300


@dataclass(slots=True)
class Line:
    """The connection to the assistant for one debate. If `at_any_time`, it can be asked at any time, otherwise when it
    follows. `offered` says whether it lets others ask its model. `waiting` are the questions that have not been sent
    yet, by key, and `answers` those that somebody waits for. `changed` is set when there is a new question."""

    session: ServerSession
    offered: bool
    at_any_time: bool
    timeout: float
    turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_AT_ONCE))
    waiting: dict[str, CreateMessageRequestParams] = field(default_factory=dict)
    answers: dict[str, asyncio.Future[CreateMessageResult]] = field(default_factory=dict)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    def of(cls, context: Context, timeout: float) -> "Line":
        """The connection to the assistant that makes this call; it lasts as long as the client stays connected."""
        capabilities = context.client_capabilities
        offered = capabilities is not None and capabilities.sampling is not None
        modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
        return cls(context.session, offered, not modern, timeout)

    async def ask(self, key: str, params: CreateMessageRequestParams) -> CreateMessageResult:
        if not self.at_any_time:
            return await self._asked_later(key, params)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # deprecated in the next version, which uses `_asked_later`
            answer: CreateMessageResult = await self.session.create_message(
                params.messages,
                max_tokens=params.max_tokens,
                system_prompt=params.system_prompt,
                temperature=params.temperature,
                model_preferences=params.model_preferences,
            )
        return answer

    async def _asked_later(self, key: str, params: CreateMessageRequestParams) -> CreateMessageResult:
        self.waiting[key] = params
        answer: asyncio.Future[CreateMessageResult] = asyncio.get_running_loop().create_future()
        self.answers[key] = answer
        self.changed.set()
        try:
            return await answer
        finally:
            self.waiting.pop(key, None)
            self.answers.pop(key, None)

    async def asked(self) -> None:
        """Return when there is a question for the assistant."""
        while not self.waiting:
            self.changed.clear()
            await self.changed.wait()

    def questions(self, state: str) -> InputRequiredResult:
        """The pending questions, for a client that can answer them now."""
        asked = {key: CreateMessageRequest(params=params) for key, params in self.waiting.items()}
        return InputRequiredResult(input_requests=dict(asked), request_state=state)

    def answered(self, responses: Mapping[str, Any]) -> None:
        """Pass on the answers of a client; answers to other keys are ignored."""
        for key, response in responses.items():
            future = self.answers.get(key)
            if future is None or future.done():
                continue
            try:
                raw = response.model_dump(by_alias=True) if isinstance(response, BaseModel) else response
                future.set_result(CreateMessageResult.model_validate(raw))
            except ValidationError:
                future.set_exception(NotAReply("the assistant answered with something that is no message"))


@dataclass(frozen=True, slots=True)
class ClientModel:
    """The assistant as a model. The text after `client/` is a hint which of its models to use."""

    name: str
    line: Line
    small: bool = False
    context_window: int | None = None

    takes_no: ClassVar[tuple[str, ...]] = ("top_p", "seed", "effort")

    async def ready(self) -> None:
        self.check()

    def check(self) -> None:
        """NotReady if the assistant does not offer its model."""
        if not self.line.offered:
            raise NotReady(
                f"{self.name} speaks through the assistant, and this one does not offer its model to others "
                "(sampling). Name another model."
            )

    async def reply(self, request: Request, on_text: OnText | None = None) -> ModelReply:  # noqa: ARG002 (not streamed)
        try:
            async with self.line.turns:
                await about_to_send()
                async with asyncio.timeout(self.line.timeout):
                    found = await self.line.ask(f"{request.key}#{request.attempt}", self._params(request))
        except TimeoutError:
            raise TimedOut(f"the assistant gave no answer within {self.line.timeout:g} s.") from None
        except MCPError as error:
            said = clip(one_line(str(error)), LONGEST_QUOTE)
            if "reject" in said.casefold() or "denied" in said.casefold():
                raise Refused(f"the assistant, or its user, declined: {said}") from None
            raise ServerFault(f"the assistant could not answer: {said}") from None
        except (ValidationError, RuntimeError) as error:  # no message, or the connection is closed
            raise ServerFault(f"the assistant cannot be asked: {type(error).__name__}") from None
        text = spoken(found.content.text if isinstance(found.content, TextContent) else "")
        if not text.strip():
            raise EmptyReply("the assistant answered without any text")
        finish: FinishReason = "length" if found.stop_reason == "maxTokens" else "stop"
        return ModelReply(valid_text(text), finish, answered_by=model_id(found.model))

    def _params(self, request: Request) -> CreateMessageRequestParams:
        messages = [
            SamplingMessage(role=one.role, content=TextContent(type="text", text=one.content))
            for one in request.messages_in_words
            if one.role != "system"
        ]
        hint = self.name.removeprefix(PREFIX)
        return CreateMessageRequestParams(
            messages=messages,
            system_prompt="\n\n".join(one.content for one in request.messages if one.role == "system") or None,
            max_tokens=request.max_tokens,
            temperature=request.sampling.temperature,
            model_preferences=None if hint in NO_HINT else ModelPreferences(hints=[ModelHint(name=hint)]),
        )


def client_models(config: RunConfig, line: Line) -> dict[str, ClientModel]:
    """The models of a config that speak through the assistant."""
    names = sorted(set(_names(config.content())))
    for name in names:
        if name == PREFIX:
            raise ConfigError(f"{name} needs a name, such as {PREFIX}assistant", "model")
    return {name: ClientModel(name, line) for name in names}


def own_models(names: Sequence[str], line: Line) -> dict[str, ClientModel]:
    """Those of these models that speak through the assistant; ConfigError if it cannot be asked within this call."""
    found = {name: ClientModel(name, line) for name in names if name.startswith(PREFIX)}
    if found and not line.at_any_time:
        raise ConfigError(f"{min(found)} can only be asked in a debate. Name another model.", "model")
    return found


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for one in value.values():
            yield from _names(one)
    elif isinstance(value, list):
        for one in value:
            yield from _names(one)
    elif isinstance(value, str) and value.startswith(PREFIX) and not any(char.isspace() for char in value):
        yield value
