"""The interface of a model: a request goes in, a reply or a ModelError comes out.

Independent of debates, logs and prices.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, Protocol

from pydantic_core import to_json

from moot.text.marks import unmarked, unmarked_json, unmarked_value

Role = Literal["system", "user", "assistant"]
FinishReason = Literal["stop", "length"]
OnText = Callable[[str], None]
"""Called with each piece of text as it is generated."""

as_json = json.JSONEncoder(ensure_ascii=False).encode

FORMAT = """Reply with one JSON object and nothing else, no code fence. It must match this JSON Schema:
{schema}"""
"""Describes the schema of the reply in words, for servers that do not accept a schema."""


def size_of(text: str) -> int:
    """The bytes of a text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode(errors="replace"))


class Schema(dict[str, Any]):
    """An immutable JSON Schema for replies. Its JSON is made once, since many calls have the same schema."""

    @classmethod
    def of(cls, schema: dict[str, Any]) -> "Schema":
        return schema if isinstance(schema, Schema) else cls(schema)

    @cached_property
    def json(self) -> str:
        return as_json(self)

    @cached_property
    def unmarked(self) -> "Schema":
        """The schema as it is sent. It can enumerate names and sentences that strangers wrote, which servers put into
        prompts and grammars. A reply with the changed text is understood as the original."""
        broken = unmarked_value(self)
        return self if broken is self else Schema(broken)


def schema_json(schema: Mapping[str, Any]) -> str:
    return schema.json if isinstance(schema, Schema) else as_json(schema)


@dataclass(frozen=True)
class Message:
    role: Role
    content: str

    @cached_property
    def json(self) -> bytes:
        """The form of most wire formats. Made once, since a message is sent again with every later call of its
        agent."""
        return b'{"role": "%b", "content": %b}' % (self.role.encode(), to_json(self.content))

    @cached_property
    def broken_up(self) -> "Message | None":
        """The message as it is sent if it has marks of a model's template: there, they are only text. None if it has
        none, since a message that refers to itself waits for the garbage collector."""
        content = unmarked(self.content)
        return None if content == self.content else Message(self.role, content)

    @cached_property
    def size(self) -> int:
        return size_of(self.content)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one reply, and its price in US dollars; None if the model did not report them.

    `cached` counts those input tokens that the model had already read, `thinking` those output tokens that were
    thoughts.
    """

    input: int | None = None
    cached: int | None = None
    output: int | None = None
    cost: float | None = None
    thinking: int | None = None


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a reply is sampled, and how much the model thinks first (`effort`); None leaves it to the provider."""

    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    effort: str | None = None

    def document(self) -> dict[str, Any]:
        """The settings that are not None, as in the journal."""
        return self.drawing() | ({} if self.effort is None else {"effort": self.effort})

    def drawing(self) -> dict[str, Any]:
        """The settings that have the same name in all wire formats; the effort has a different one in each."""
        found = {"temperature": self.temperature, "top_p": self.top_p, "seed": self.seed}
        return {name: value for name, value in found.items() if value is not None}


PLAIN_SAMPLING = Sampling()


@dataclass(frozen=True, slots=True)
class ToolOffer:
    """A tool that a model may ask for; `parameters` is a JSON Schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Any]

    @property
    def unmarked(self) -> "ToolOffer":
        """The tool as it is sent: templates put its description into the prompt."""
        return ToolOffer(self.name, unmarked(self.description), unmarked_value(dict(self.parameters)))


@dataclass(frozen=True, slots=True)
class Image:
    """`media_type` is for example `image/png`, `data` the bytes in Base64."""

    media_type: str
    data: str

    @property
    def url(self) -> str:
        return f"data:{self.media_type};base64,{self.data}"


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model: the whole conversation so far, ending in a user message. The messages do not mention the
    `schema` of the reply: a model sends it separately or, if its server accepts no schema, sends `messages_in_words`.

    `key` names the place in the script, `attempt` counts the tries at a structured reply there, and `agent` is who is
    asked; a model uses them to pick a scripted reply or a cache slot, never to change what is asked. With `tools`, a
    reply says in JSON which of them to use (`tool_calls`): a model whose server has tool calls uses these in place of
    the schema. The `images` belong to the first message of the user; only a model that has `takes_images` gets any. The
    first `shared` characters of the system prompt are the same in all requests of the debate. `name` is how others
    address the agent. An `optional` request is for private notes, which a person need not make.
    """

    key: str
    agent: str
    messages: tuple[Message, ...]
    schema: dict[str, Any] | None = None
    max_tokens: int = 4096
    seed: int = 0
    attempt: int = 1
    sampling: Sampling = PLAIN_SAMPLING
    tools: tuple[ToolOffer, ...] = ()
    images: tuple[Image, ...] = ()
    shared: int = 0
    name: str = ""
    optional: bool = False

    @property
    def format(self) -> str:
        """The schema in words, for the end of the last message, only in this request; empty without a schema. It can
        enumerate names and sentences that strangers wrote."""
        return FORMAT.format(schema=unmarked_json(schema_json(self.schema))) if self.schema is not None else ""

    @property
    def messages_in_words(self) -> tuple[Message, ...]:
        """The messages for a server that accepts no schema: the last one ends with the schema in words."""
        if self.schema is None:
            return self.messages
        *earlier, last = self.messages
        return (*earlier, Message(last.role, f"{last.content}\n\n{self.format}"))


@dataclass(frozen=True, slots=True)
class ModelReply:
    """`doubt` is the reason why the reported usage is impossible; then `usage` is unknown. `answered_by` is the model
    that answered according to the provider, which can differ from the requested one."""

    text: str
    finish_reason: FinishReason = "stop"
    usage: Usage = field(default_factory=Usage)
    doubt: str | None = None
    answered_by: str | None = None


LONGEST_TOKEN = 32
"""The maximal number of characters of a reply for each allowed token. Words have four or five characters per token, and
only lines of blanks and dashes have more than ten; no model writes more within its limit."""


def within(reply: ModelReply, max_tokens: int) -> ModelReply:
    """The reply, cut if it is longer than this many tokens can be."""
    most = LONGEST_TOKEN * max_tokens
    return reply if len(reply.text) <= most else replace(reply, text=reply.text[:most], finish_reason="length")


class Model(Protocol):
    """`small` models get the short form of every prompt; `context_window` is in tokens, None when unknown."""

    @property
    def name(self) -> str: ...
    @property
    def small(self) -> bool: ...
    @property
    def context_window(self) -> int | None: ...

    async def ready(self) -> None:
        """Raise NotReady or Unauthorised, in words that say what to do, when the model cannot answer; spend nothing."""

    async def reply(self, request: Request, on_text: OnText | None = None) -> ModelReply:
        """Answer once, without retrying. Failures are ModelErrors."""
        ...
