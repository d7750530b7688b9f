"""Claude models behind Anthropic's `/v1/messages`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from moot.errors import NotAReply, NotReady, RateLimited, Rejected
from moot.models.base import LONGEST_TOKEN, ModelReply, OnText, Request, Usage
from moot.models.failures import not_a_reply
from moot.models.http import post_events, post_json
from moot.models.over_http import HTTPModel
from moot.models.prefixes import Prefixes
from moot.models.prices import cost_of
from moot.models.schemas import closed_schema, is_object
from moot.models.tool_calls import anthropic_calls, anthropic_tools
from moot.models.usage import token_count
from moot.text import valid_text

API_VERSION = "2023-06-01"
_CUT_SHORT = ("max_tokens", "model_context_window_exceeded")
# Constrained output supports types, enumerations and structure, but not bounds.
_UNSUPPORTED = frozenset(
    {
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "pattern",
        "minItems",
        "maxItems",
        "uniqueItems",
        "default",
        "examples",
    }
)

_EFFORT_SHARE = {"minimal": 0.1, "low": 0.2, "medium": 0.5, "high": 0.8, "xhigh": 0.9, "max": 0.95}
"""The share of a reply's tokens for the thoughts of older models, which have no effort setting."""
_ABOUT_SCHEMA = ("output_config", "schema", "output format", "structured output")
_LEAST_BUDGET = 1024

# What requests to a model began with, by base URL and name.
_prefixes: dict[tuple[str, str], Prefixes] = {}
# Models that take no effort but a number of tokens to think for, by base URL and name.
_by_budget: set[tuple[str, str]] = set()
# Models that rejected constrained output or did not heed it, by base URL and name: there the schema is put into words.
_without_schema: set[tuple[str, str]] = set()


@dataclass(frozen=True, slots=True)
class Anthropic(HTTPModel):
    takes_no: ClassVar[tuple[str, ...]] = ("seed",)

    async def ready(self) -> None:
        try:
            await self.listing(f"/v1/models/{self.model}")
        except Rejected as error:
            if self.endpoint.host == "api.anthropic.com":
                raise NotReady(str(error)) from error
        except (RateLimited, NotAReply):
            pass  # the server exists; compatible servers might not have the list

    async def reply(self, request: Request, on_text: OnText | None = None) -> ModelReply:
        here = self.here
        constrained = request.schema is not None and here not in _without_schema and not request.tools
        # A server that rejects a feature has generated nothing, so asking without it is not a retry.
        while True:
            self.check_images(request)
            try:
                return await self._once(request, on_text, constrained=constrained)
            except Rejected as error:
                if self.refused_images(request, error):
                    continue
                if (
                    request.sampling.effort
                    and here not in _by_budget
                    and any(name in str(error).lower() for name in ("effort", "adaptive"))
                ):
                    _by_budget.add(here)
                elif constrained and any(name in str(error).lower() for name in _ABOUT_SCHEMA):
                    _without_schema.add(here)
                    constrained = False
                else:
                    raise

    async def _once(self, request: Request, on_text: OnText | None, *, constrained: bool) -> ModelReply:
        prefixes = _prefixes.setdefault(self.here, Prefixes())
        with prefixes.sending(text_of(request), request.shared, goes_on=continues(request)) as marks:
            return await self._sent(request, on_text, constrained=constrained, marks=marks)

    async def _sent(
        self, request: Request, on_text: OnText | None, *, constrained: bool, marks: Sequence[int]
    ) -> ModelReply:
        document = document_of(self.model, request, constrained=constrained, marks=marks)
        if request.sampling.effort is not None:
            _set_effort(document, request.sampling.effort, request.max_tokens, by_budget=self.here in _by_budget)
        if request.tools:
            document["tools"] = anthropic_tools(request.tools)
        if on_text is None or request.tools:
            answer = await post_json(self.endpoint, "/v1/messages", document, self.model)
            content = answer.get("content")
            if not isinstance(content, list):
                raise not_a_reply(self.endpoint, json.dumps(answer).encode())
            text = "".join(block["text"] for block in content if _is_text(block))
            text = anthropic_calls(content) if request.tools else text
            return self._reply(request, text, answer, answer.get("usage"))
        incoming = _Incoming(on_text, LONGEST_TOKEN * request.max_tokens)
        document["stream"] = True
        complete = lambda: bool(incoming.ending.get("stop_reason"))  # noqa: E731
        await post_events(self.endpoint, "/v1/messages", document, self.model, incoming.receive, complete)
        return self._reply(request, "".join(incoming.said), incoming.ending, incoming.usage)

    def _reply(self, request: Request, text: str, ending: Mapping[str, Any], usage: Any) -> ModelReply:
        reason, used = ending.get("stop_reason"), self._usage(usage)
        if reason == "refusal":
            details = ending.get("stop_details")
            why = details.get("explanation") or details.get("category") if isinstance(details, dict) else None
            raise self.declined(str(why or "it gave no reason"), used)
        cut_short = reason in _CUT_SHORT
        if request.schema is not None and text.strip() and not cut_short and not is_object(text):
            _without_schema.add(self.here)
        return self.replied(request, text, used, cut_short=cut_short, answered_by=ending.get("model"))

    def _usage(self, reported: Any) -> Usage:
        """Anthropic counts input read from its cache, written to it, and uncached input separately."""
        if not isinstance(reported, dict):
            return Usage(cost=cost_of(self.name, Usage(), self.prices))
        fresh = token_count(reported.get("input_tokens"))
        cached = token_count(reported.get("cache_read_input_tokens"))
        written = token_count(reported.get("cache_creation_input_tokens")) or 0
        total = None if fresh is None else fresh + (cached or 0) + written
        usage = Usage(input=total, cached=cached, output=token_count(reported.get("output_tokens")))
        return replace(usage, cost=cost_of(self.name, usage, self.prices, written=written))


@dataclass(slots=True)
class _Incoming:
    """A stream being read. Reading stops after this many characters: no model writes more within its limit."""

    on_text: OnText
    most: int
    said: list[str] = field(default_factory=list)
    ending: dict[str, Any] = field(default_factory=dict)
    usage: dict[str, Any] = field(default_factory=dict)

    def receive(self, event: dict[str, Any]) -> bool:
        kind = event.get("type")
        delta = event.get("delta")
        if kind == "content_block_delta" and isinstance(delta, dict):
            piece = delta.get("text") if delta.get("type") == "text_delta" else None
            if isinstance(piece, str) and piece:
                self.said.append(piece)
                self.on_text(valid_text(piece))
                self.most -= len(piece)
        elif kind == "message_start":
            message = event.get("message")
            if isinstance(message, dict):
                self.ending["model"] = message.get("model")
                self._count(message.get("usage"))
        elif kind == "message_delta":
            self.ending.update(delta if isinstance(delta, dict) else {})
            self._count(event.get("usage"))
        if self.most < 0:
            self.ending["stop_reason"] = _CUT_SHORT[0]
        return kind == "message_stop" or self.most < 0

    def _count(self, usage: Any) -> None:
        """Later figures replace earlier ones: they are running totals."""
        if isinstance(usage, dict):
            self.usage.update({name: count for name, count in usage.items() if count is not None})


def document_of(model: str, request: Request, *, constrained: bool, marks: Sequence[int] = ()) -> dict[str, Any]:
    """The request as it is sent. A mark makes the server cache everything up to it. `marks` are the numbers of
    characters after which a beginning ends that other requests share. In a conversation everything is marked, since the
    agent's next request begins with it."""
    system, *texts = _texts(request)
    messages: list[dict[str, Any]] = []
    start = len(system) + 1
    for role, text in texts:
        messages.append({"role": role, "content": _blocks(text, [mark - start for mark in marks])})
        start += len(text) + 1
    if continues(request):
        messages[-1]["content"] = [_marked(texts[-1][1])]
    if (
        request.schema is not None and not constrained and not request.tools
    ):  # behind the marks, since the next request is without it
        content = messages[-1]["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        messages[-1]["content"] = [*blocks, {"type": "text", "text": request.format}]
    if request.images:  # before the words, so that a mark behind these caches the images, too
        content = messages[0]["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        sources = [{"type": "base64", "media_type": one.media_type, "data": one.data} for one in request.images]
        messages[0]["content"] = [*({"type": "image", "source": one} for one in sources), *blocks]
    document: dict[str, Any] = {"model": model, "max_tokens": request.max_tokens, "messages": messages}
    document |= request.sampling.drawing()
    if system:
        document["system"] = _blocks(system, marks)
    if constrained and request.schema is not None:
        schema = closed_schema(request.schema, _UNSUPPORTED)
        document["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
    return document


def continues(request: Request) -> bool:
    """Whether the request continues a conversation, which a later request will continue again."""
    return any(message.role == "assistant" for message in request.messages)


def text_of(request: Request) -> str:
    """All of a request, in the order in which a server reads it."""
    system, *messages = _texts(request)
    return "\0".join((system, *(text for _, text in messages)))


def _texts(request: Request) -> tuple[Any, ...]:
    system = "\n\n".join(message.content for message in request.messages if message.role == "system")
    return (system, *((one.role, one.content) for one in request.messages if one.role != "system"))


def _blocks(text: str, marks: Sequence[int]) -> Any:
    """A text, split at the marks in it."""
    inside = [mark for mark in marks if 0 < mark <= len(text)]
    if not inside:
        return text
    if not text[inside[-1] :].strip():  # no block may be blank
        inside[-1] = len(text)
    starts = [0, *inside[:-1]]
    blocks = [_marked(text[start:end]) for start, end in zip(starts, inside, strict=True)]
    return blocks if inside[-1] == len(text) else [*blocks, {"type": "text", "text": text[inside[-1] :]}]


def _marked(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}


def _set_effort(document: dict[str, Any], effort: str, max_tokens: int, *, by_budget: bool) -> None:
    if effort == "none":
        document["thinking"] = {"type": "disabled"}
    elif by_budget:
        budget = min(max(_LEAST_BUDGET, int(_EFFORT_SHARE[effort] * max_tokens)), max_tokens - 1)
        document["thinking"] = {"type": "enabled", "budget_tokens": budget}
    else:
        document["thinking"] = {"type": "adaptive"}
        level = {"minimal": "low"}.get(effort, effort)
        document["output_config"] = {**document.get("output_config", {}), "effort": level}


def _is_text(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)
