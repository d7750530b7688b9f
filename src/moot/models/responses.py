"""OpenAI's `/responses`, for models that answer only at this address.

The server stores nothing: every request is complete, as everywhere in moot.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from moot.errors import Rejected, ServerFault
from moot.models.base import Image, Message, OnText, Request
from moot.models.failures import not_a_reply, quote
from moot.models.http import Endpoint, post_events, post_json
from moot.text import valid_text

PATH = "/responses"
_ABSENT = (404, 405, 501)
_ENDINGS = ("response.completed", "response.incomplete", "response.failed")


@dataclass(slots=True)
class Answer:
    """A reply while it arrives; `finish` and `usage` are in the form of the server."""

    text: str = ""
    finish: str = "stop"
    refusal: str = ""
    usage: Mapping[str, Any] = field(default_factory=dict)
    model: str | None = None


def has_nothing_else(error: Rejected) -> bool:
    """Whether a server says that it does not have this address, or has the model at another one."""
    said = error.said.lower()
    if "v1/responses" in said or "responses api" in said:
        return True
    return error.status in (405, 501) or (error.status == 404 and "model" not in said)


def document(
    model: str, request: Request, messages: Sequence[Message], schema: dict[str, Any] | None
) -> dict[str, Any]:
    sent: dict[str, Any] = {
        "model": model,
        "input": _input(messages, request.images),
        "max_output_tokens": request.max_tokens,
        "store": False,
        **{name: value for name, value in request.sampling.drawing().items() if name != "seed"},
    }
    if request.sampling.effort is not None:
        sent["reasoning"] = {"effort": request.sampling.effort}
    if schema is not None:
        sent["text"] = {"format": {"type": "json_schema", "name": "reply", "strict": True, "schema": schema}}
    return sent


def _input(messages: Sequence[Message], images: Sequence[Image]) -> list[dict[str, Any]]:
    """The messages, with the images in the first one of the user."""
    sent: list[dict[str, Any]] = [{"role": one.role, "content": one.content} for one in messages]
    first = next((one for one in sent if one["role"] == "user"), None)
    if images and first is not None:
        pictures = [{"type": "input_image", "image_url": one.url} for one in images]
        first["content"] = [{"type": "input_text", "text": first["content"]}, *pictures]
    return sent


async def ask(endpoint: Endpoint, asked: dict[str, Any], model: str, longest: int, on_text: OnText | None) -> Answer:
    """The answer to a document; `longest` is in characters."""
    if on_text is None:
        return _read(endpoint, await post_json(endpoint, PATH, asked, model))
    incoming = _Incoming(on_text, longest)
    asked["stream"] = True
    await post_events(endpoint, PATH, asked, model, incoming.receive, lambda: bool(incoming.ended))
    if incoming.most < 0:
        return Answer("".join(incoming.said), "length")
    return _read(endpoint, incoming.ended)


def chat_usage(usage: Mapping[str, Any]) -> dict[str, Any]:
    """The usage of a reply, by the names of `/chat/completions`."""
    return {
        "prompt_tokens": usage.get("input_tokens"),
        "completion_tokens": usage.get("output_tokens"),
        "total_tokens": usage.get("total_tokens"),
        "prompt_tokens_details": usage.get("input_tokens_details"),
        "completion_tokens_details": usage.get("output_tokens_details"),
    }


@dataclass(slots=True)
class _Incoming:
    """A stream being read, which ends with the complete response. Thoughts have separate events, which are ignored."""

    on_text: OnText
    most: int
    said: list[str] = field(default_factory=list)
    ended: dict[str, Any] = field(default_factory=dict)

    def receive(self, event: dict[str, Any]) -> bool:
        kind, delta = event.get("type"), event.get("delta")
        if kind == "response.output_text.delta" and isinstance(delta, str):
            self.said.append(delta)
            self.on_text(valid_text(delta))
            self.most -= len(delta)
        elif kind in _ENDINGS and isinstance(event.get("response"), dict):
            self.ended = event["response"]
        return bool(self.ended) or self.most < 0


def _read(endpoint: Endpoint, response: Mapping[str, Any]) -> Answer:
    """The parts of a response. Thoughts are not part of the answer."""
    output = response.get("output")
    if response.get("status") == "failed":
        error = response.get("error")
        words = error.get("message") if isinstance(error, dict) else None
        raise ServerFault(f"{endpoint.host} broke off its reply: {quote(endpoint, str(words))}").costing(True)
    if not isinstance(output, list):
        raise not_a_reply(endpoint, json.dumps(response).encode())
    contents = [one.get("content") for one in output if isinstance(one, dict) and one.get("type") == "message"]
    parts = [part for content in contents if isinstance(content, list) for part in content if isinstance(part, dict)]
    details = response.get("incomplete_details")
    why = details.get("reason") if isinstance(details, dict) else None
    finish = {"max_output_tokens": "length", "content_filter": "content_filter"}.get(str(why), "stop")
    usage, model = response.get("usage"), response.get("model")
    return Answer(
        _joined(parts, "output_text", "text"),
        finish,
        _joined(parts, "refusal", "refusal"),
        usage if isinstance(usage, dict) else {},
        model if isinstance(model, str) else None,
    )


def _joined(parts: Sequence[Mapping[str, Any]], kind: str, key: str) -> str:
    return "".join(str(part.get(key) or "") for part in parts if part.get("type") == kind)
