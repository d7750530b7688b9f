"""The wire formats of OpenAI and Anthropic: replies as one document or as streams.

Opens no connection.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

from moot.engine.play.structured import instance_of

Format = Literal["chat", "messages"]
Finish = Literal["stop", "length", "refusal"]

READ, WRITTEN = 120, 60
"""The tokens of a short question and a short answer."""
_STOP_REASONS = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}


def tokens_in(body: bytes) -> int:
    """About how many tokens a request is; in thousands, so that answers can be kept."""
    return max(READ, len(body) // 4000 * 1000)


@lru_cache(maxsize=64)
def encode_reply(
    wire: Format, streaming: bool, text: str, finish: Finish, refusal: str, read: int
) -> tuple[bytes, ...]:
    """The bytes of one answer to `read` tokens, in the pieces of a stream."""
    if not streaming:
        return (page(json.dumps(_BODIES[wire](text, finish, refusal, read)).encode()),)
    events = _EVENTS[wire](text, finish, refusal, read)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    return (head, *(b"%x\r\n%b\r\n" % (len(event), event) for event in events), b"0\r\n\r\n")


def page(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> bytes:
    lines = [f"HTTP/1.1 {status} {'OK' if status == 200 else 'Fault'}", "Content-Type: application/json"]
    lines += [f"Content-Length: {len(body)}", *(f"{name}: {value}" for name, value in (headers or {}).items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def shape_in(body: bytes) -> bytes:
    """The part of a request that starts with the requested shape of the reply; empty if there is no shape."""
    for key in (b'"response_format":', b'"output_config":'):
        # In a string its quotation marks would be escaped, so this is the key itself.
        if (at := body.find(key)) >= 0:
            return body[at + len(key) :].lstrip()
    return b""


@lru_cache(maxsize=256)
def encode_answer(wire: Format, streaming: bool, text: str, shape: bytes, read: int) -> tuple[bytes, ...]:
    """The bytes of an answer with this text or, if a shape is requested, with the simplest object of that shape."""
    wanted = json.JSONDecoder().raw_decode(shape.decode())[0] if shape else None
    given = (wanted or {}).get("format") or wanted or {}
    if str(given.get("type")).startswith("json"):
        schema = given.get("schema") or given.get("json_schema", {}).get("schema", {"type": "object"})
        text = json.dumps(instance_of(schema))
    return encode_reply(wire, streaming, text, "stop", "", read)


def _pieces(text: str) -> list[str]:
    """The words of the text, each with the space before it."""
    words = text.split(" ")
    return [words[0], *(f" {word}" for word in words[1:])] if text else []


def _chat_usage(text: str, read: int) -> dict[str, Any]:
    written = max(WRITTEN, len(text) // 8)
    details = {"cached_tokens": READ - 20}
    return {
        "prompt_tokens": read,
        "completion_tokens": written,
        "total_tokens": read + written,
        "prompt_tokens_details": details,
    }


def _messages_usage(text: str, read: int) -> dict[str, int]:
    apart = {"cache_read_input_tokens": READ - 20, "cache_creation_input_tokens": 5}
    return {"input_tokens": read - READ + 15, **apart, "output_tokens": max(WRITTEN, len(text) // 8)}


def _chat_body(text: str, finish: Finish, refusal: str, read: int) -> dict[str, Any]:
    message = {"role": "assistant", "content": text or None, "refusal": refusal or None}
    reason = "stop" if finish == "refusal" else finish
    choice = {"index": 0, "message": message, "finish_reason": reason}
    return {
        "id": "1",
        "object": "chat.completion",
        "model": "fake",
        "choices": [choice],
        "usage": _chat_usage(text, read),
    }


def _chat_events(text: str, finish: Finish, refusal: str, read: int) -> list[bytes]:
    deltas: list[dict[str, str]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": piece} for piece in _pieces(text)]
    deltas += [{"refusal": piece} for piece in _pieces(refusal)]
    choices: list[dict[str, Any]] = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    choices.append({"index": 0, "delta": {}, "finish_reason": "stop" if finish == "refusal" else finish})
    same = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "fake"}
    documents: list[dict[str, Any]] = [{**same, "choices": [choice], "usage": None} for choice in choices]
    documents.append({**same, "choices": [], "usage": _chat_usage(text, read)})
    return [b"data: %b\n\n" % json.dumps(document).encode() for document in documents] + [b"data: [DONE]\n\n"]


def _ending(finish: Finish, refusal: str) -> dict[str, Any]:
    details = {"type": "refusal", "category": None, "explanation": refusal} if refusal else None
    return {"stop_reason": _STOP_REASONS[finish], "stop_sequence": None, "stop_details": details}


def _messages_body(text: str, finish: Finish, refusal: str, read: int) -> dict[str, Any]:
    content = [{"type": "thinking", "thinking": "…", "signature": ""}, {"type": "text", "text": text}]
    same = {"id": "1", "type": "message", "role": "assistant", "model": "fake"}
    return {**same, "content": content, **_ending(finish, refusal), "usage": _messages_usage(text, read)}


def _messages_events(text: str, finish: Finish, refusal: str, read: int) -> list[bytes]:
    opening = {**_messages_body("", finish, "", read), "content": [], "stop_reason": None}
    opening["usage"] = {**_messages_usage("", read), "output_tokens": 1}
    written = _messages_usage(text, read)["output_tokens"]
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": opening},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "ping"},
    ]
    events += [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
        for piece in _pieces(text)
    ]
    events += [
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": _ending(finish, refusal), "usage": {"output_tokens": written}},
        {"type": "message_stop"},
    ]
    return [b"event: %b\ndata: %b\n\n" % (event["type"].encode(), json.dumps(event).encode()) for event in events]


_BODIES = {"chat": _chat_body, "messages": _messages_body}
_EVENTS = {"chat": _chat_events, "messages": _messages_events}
