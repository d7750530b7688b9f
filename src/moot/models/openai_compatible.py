"""Models behind `/chat/completions`: OpenAI, and the many servers with the same format."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from moot.errors import NotAReply, NotReady, RateLimited, Rejected, ServerFault
from moot.models.base import LONGEST_TOKEN, Image, Message, ModelReply, OnText, Request, Usage
from moot.models.failures import not_a_reply
from moot.models.http import DONE, post_events, post_json
from moot.models.over_http import HTTPModel
from moot.models.prices import cost_of
from moot.models.schemas import closed_schema
from moot.models.speech import Speech, spoken
from moot.models.tool_calls import openai_calls, openai_tools
from moot.models.usage import dollars, token_count

_OPENAI = "api.openai.com"
# These pass a strict schema to a checker that refuses the complete request because of an unknown keyword; grammar-based
# servers accept the keywords and follow them.
_STRICT_HOSTS = (_OPENAI, "openrouter.ai")
_UNSUPPORTED_BY_STRICT_HOSTS = frozenset({"minLength", "maxLength", "uniqueItems", "default", "examples"})
_CUT_SHORT = ("length", "max_tokens", "model_length")
_BROKEN_OFF = ("error", "insufficient_system_resource")


@dataclass(frozen=True, slots=True)
class _Dialect:
    """The features of the format that one model at one server supports. The schema is in the prompt, too (`in_words`),
    where it is not certain to bind the model: many servers accept one and ignore it."""

    shape: Literal["json_schema", "json_object", "none"] = "json_schema"
    in_words: bool = True
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    stream_usage: bool = True
    tools: bool = True


_OWN_DIALECT, _USUAL_DIALECT = _Dialect(in_words=False, limit="max_completion_tokens"), _Dialect()
# Features that servers rejected, by base URL and model, so that each is tried only once per process.
_dialects: dict[tuple[str, str], _Dialect] = {}


@dataclass(frozen=True, slots=True)
class OpenAICompatible(HTTPModel):
    """`ready_path` is requested to check the server and the key. `lists_all` means that a model missing from that list
    cannot answer, as with Ollama."""

    ready_path: str = "/models"
    lists_all: bool = False

    async def ready(self) -> None:
        try:
            listing = await self.listing(self.ready_path)
        except (RateLimited, Rejected, NotAReply):
            return  # the server exists; not every server has such a list
        if self.lists_all and not self._is_in(listing):
            raise NotReady(f"{self.endpoint.host} has no model “{self.model}”. Get it with: ollama pull {self.model}")

    async def reply(self, request: Request, on_text: OnText | None = None) -> ModelReply:
        # A server that rejects a feature has generated nothing, so asking without it is not a retry. Each round drops
        # one feature, so there are only a few.
        while True:
            dialect = self._dialect()
            self.check_images(request)
            native = bool(request.tools) and dialect.tools
            document = self._document(request, dialect, streaming=on_text is not None and not native)
            try:
                if native:
                    return await self._calling(request, document)
                if on_text is None:
                    return await self._whole(request, document)
                return await self._streamed(request, document, on_text)
            except Rejected as error:
                if self.refused_images(request, error):
                    continue
                simpler = _simpler(dialect, str(error))
                if simpler is None:
                    raise
                _dialects[self.here] = simpler

    async def _calling(self, request: Request, document: dict[str, Any]) -> ModelReply:
        """Ask for tool calls. Other text is left out: the reply is only what the model wants to look up."""
        document.pop("response_format", None)
        document |= {"tools": openai_tools(request.tools), "messages": _illustrated(request.messages, request.images)}
        answer, choice, message = await self._answer(document)
        finish = "stop" if choice.get("finish_reason") == "tool_calls" else choice.get("finish_reason")
        return self._reply(request, spoken(openai_calls(message)), finish, None, answer)

    async def _answer(self, document: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        """The server's answer, its first choice, and the message in that."""
        answer = await post_json(self.endpoint, "/chat/completions", document, self.model)
        choice = _first_choice(answer)
        message = choice.get("message")
        if not isinstance(message, dict):
            raise not_a_reply(self.endpoint, json.dumps(answer).encode())
        return answer, choice, message

    async def _whole(self, request: Request, document: Mapping[str, Any]) -> ModelReply:
        answer, choice, message = await self._answer(document)
        finish, refusal = choice.get("finish_reason"), message.get("refusal")
        return self._reply(request, spoken(_text(message.get("content"))), finish, refusal, answer)

    async def _streamed(self, request: Request, document: Mapping[str, Any], on_text: OnText) -> ModelReply:
        incoming = _Incoming(Speech(on_text), LONGEST_TOKEN * request.max_tokens)
        path, complete = "/chat/completions", lambda: bool(incoming.finish)
        await post_events(self.endpoint, path, document, self.model, incoming.receive, complete)
        return self._reply(request, incoming.speech.end(), incoming.finish, incoming.refusal, incoming.about)

    def _reply(self, request: Request, text: str, finish: Any, refusal: Any, about: Mapping[str, Any]) -> ModelReply:
        usage = self._usage(about.get("usage"))
        finish = finish if isinstance(finish, str) else ""
        if refusal or finish.startswith("content_filter"):
            raise self.declined(str(refusal or "its content filter stopped it"), usage)
        if finish in _BROKEN_OFF:
            raise ServerFault(f"{self.endpoint.host} broke off its reply with “{finish}”. Try again.").costing(True)
        return self.replied(request, text, usage, cut_short=finish in _CUT_SHORT, answered_by=about.get("model"))

    def _usage(self, reported: Any) -> Usage:
        if not isinstance(reported, dict):
            reported = {}
        details = reported.get("prompt_tokens_details")
        cached = details.get("cached_tokens") if isinstance(details, dict) else None
        read = token_count(reported.get("prompt_tokens"))
        cached = token_count(reported.get("prompt_cache_hit_tokens") if cached is None else cached)
        output, thinking = _written(reported, read)
        used, billed = Usage(read, cached, output, thinking=thinking), None
        if self.name.startswith("openrouter/") and self.name not in self.prices:
            billed = dollars(reported.get("cost"))  # OpenRouter reports its charge
        cost = billed or cost_of(self.name, used, self.prices)
        return used if cost is None else replace(used, cost=cost)

    def _document(self, request: Request, dialect: _Dialect, *, streaming: bool) -> dict[str, Any]:
        document: dict[str, Any] = {
            "model": self.model,
            "messages": _illustrated(
                request.messages_in_words if dialect.in_words else request.messages, request.images
            ),
            dialect.limit: request.max_tokens,
            **request.sampling.drawing(),
        }
        if request.sampling.effort is not None:
            document["reasoning_effort"] = request.sampling.effort
        if streaming:
            document["stream"] = True
            if dialect.stream_usage:
                document["stream_options"] = {"include_usage": True}
        if request.schema is not None and dialect.shape == "json_schema":
            document["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": self._schema(request.schema)},
            }
        elif request.schema is not None and dialect.shape == "json_object":
            document["response_format"] = {"type": "json_object"}
        return document

    def _schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        strict = self.endpoint.host.endswith(_STRICT_HOSTS)
        return closed_schema(schema, _UNSUPPORTED_BY_STRICT_HOSTS if strict else frozenset())

    def _dialect(self) -> _Dialect:
        return _dialects.get(self.here, _OWN_DIALECT if self.endpoint.host.endswith(_OPENAI) else _USUAL_DIALECT)

    def _is_in(self, listing: Mapping[str, Any]) -> bool:
        models = listing.get("data")
        names = {entry.get("id") for entry in models if isinstance(entry, dict)} if isinstance(models, list) else ()
        return self.model in names or f"{self.model}:latest" in names


def _illustrated(messages: Sequence[Message], images: Sequence[Image]) -> list[Any]:
    """The messages, with the images in the first one of the user."""
    sent: list[Any] = list(messages)
    if not images:
        return sent
    first = next((place for place, one in enumerate(messages) if one.role == "user"), None)
    if first is not None:
        pictures = [{"type": "image_url", "image_url": {"url": one.url}} for one in images]
        sent[first] = {"role": "user", "content": [{"type": "text", "text": messages[first].content}, *pictures]}
    return sent


def _simpler(dialect: _Dialect, complaint: str) -> _Dialect | None:
    """The dialect without the feature that the server complains about; None if the complaint is about something
    else."""
    complaint = complaint.lower()
    if dialect.limit == "max_tokens" and "max_completion_tokens" in complaint:
        return replace(dialect, limit="max_completion_tokens")
    if dialect.stream_usage and ("stream_options" in complaint or "include_usage" in complaint):
        return replace(dialect, stream_usage=False)
    if dialect.tools and ("tool" in complaint or "function" in complaint):
        return replace(dialect, tools=False)
    about_shape = (
        "response_format",
        "response format",
        "json_schema",
        "json schema",
        "json_object",
        "schema",
    )
    if dialect.shape != "none" and any(name in complaint for name in about_shape):
        return replace(dialect, shape="json_object" if dialect.shape == "json_schema" else "none", in_words=True)
    return None


@dataclass(slots=True)
class _Incoming:
    """A stream being read. Reading stops after this many characters: no model writes more within its limit."""

    speech: Speech
    most: int
    finish: str = ""
    refusal: str = ""
    about: dict[str, Any] = field(default_factory=dict)

    def receive(self, event: dict[str, Any]) -> bool:
        if event is DONE:
            return True
        for name in ("usage", "model"):
            if event.get(name):
                self.about[name] = event[name]
        choice = _first_choice(event)
        self.finish = choice.get("finish_reason") or self.finish
        delta = choice.get("delta")
        if isinstance(delta, dict):
            self.refusal += _text(delta.get("refusal"))
            piece = _text(delta.get("content"))
            if piece:
                self.speech.add(piece)
                self.most -= len(piece)
        if self.most < 0:
            self.finish = "length"
        return self.most < 0


def _written(reported: Mapping[str, Any], read: int | None) -> tuple[int | None, int | None]:
    """All tokens that a model wrote, and those of its thoughts. Some servers leave the thoughts out of the reply's
    tokens, but never out of the total."""
    output, total = token_count(reported.get("completion_tokens")), token_count(reported.get("total_tokens"))
    details = reported.get("completion_tokens_details")
    thinking = token_count(details.get("reasoning_tokens")) if isinstance(details, dict) else None
    if output is None or read is None or total is None or total - read <= output:
        return output, thinking
    return total - read, thinking or total - read - output


def _first_choice(document: Mapping[str, Any]) -> dict[str, Any]:
    choices = document.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    return choice if isinstance(choice, dict) else {}


def _text(content: Any) -> str:
    """A plain text, or the text parts of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = (part.get("text") for part in content if isinstance(part, dict))
    return "".join(part for part in parts if isinstance(part, str))
