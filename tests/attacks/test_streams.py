"""Streams of replies: legal in every form, complete without their last word, and never longer than was allowed."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest

import moot
from moot.models import http
from moot.models.base import LONGEST_TOKEN, Message, Request
from moot.models.events import EventReader
from moot.models.http import Endpoint
from moot.models.openai_compatible import OpenAICompatible
from moot.testing import ScriptedModel
from tests.kit.duels import duel, play, small_config
from tests.kit.waiting import AT_ONCE, PATIENCE

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
REQUEST = Request("key", "agent", (Message("user", "Speak."),), max_tokens=100)


def said(text: str, **more: Any) -> bytes:
    return json.dumps({"choices": [{"delta": {"content": text}, **more}]}).encode()


def event(data: bytes, end: bytes = b"\n") -> bytes:
    return b"data: " + data + end + end


WHOLE = event(said("Hello ")) + event(said("there.", finish_reason="stop"))


@asynccontextmanager
async def serving(answer: list[bytes], *, hold: bool = False) -> AsyncIterator[Endpoint]:
    """A server that answers whatever it is asked with these pieces, and then closes the connection, or holds it."""
    asked, ended = [], asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        with suppress(ConnectionError):
            for piece in answer:
                writer.write(piece)
                await writer.drain()
            while hold and not reader.at_eof():
                await reader.read(1000)
        writer.close()
        ended.set()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        yield Endpoint(f"http://127.0.0.1:{port}", timeout=PATIENCE)
        await ended.wait()
    assert len(asked) == 1, "it was asked again"


async def streamed(answer: list[bytes], *, hold: bool = False) -> moot.ModelReply:
    async with serving(answer, hold=hold) as endpoint:
        return await OpenAICompatible("x/fake", "fake", endpoint).reply(REQUEST, lambda text: None)


FORMS = {
    "as usual": [WHOLE, event(b"[DONE]")],
    "without [DONE]": [WHOLE],
    "a byte order mark": [b"\xef\xbb\xbf" + WHOLE],
    "CR": [WHOLE.replace(b"\n", b"\r")],
    "CR LF, cut in two": [bytes([one]) for one in WHOLE.replace(b"\n", b"\r\n")],
    "data over several lines": [
        b'data: {"choices":\ndata: [{"delta": {"content": "Hello there."},\ndata: "finish_reason": "stop"}]}\n\n'
    ],
    "no blank lines": [WHOLE.replace(b"\n\n", b"\n")],
    "no end of line": [WHOLE.removesuffix(b"\n\n")],
    "comments and other fields": [b": hello\nid: 7\nretry: 10\n", WHOLE, b": bye\n\n"],
}


@pytest.mark.parametrize("form", FORMS)
def test_every_legal_form_of_a_stream_is_read(form: str) -> None:
    reply = asyncio.run(streamed([HEAD, *FORMS[form]]))
    assert (reply.text, reply.finish_reason) == ("Hello there.", "stop")


@pytest.mark.parametrize("hold", [False, True])
def test_a_complete_reply_stands_without_its_last_event(monkeypatch: pytest.MonkeyPatch, hold: bool) -> None:
    monkeypatch.setattr(http, "MOMENT_AFTER_REPLY", AT_ONCE)
    assert asyncio.run(streamed([HEAD, WHOLE], hold=hold)).text == "Hello there."


def test_a_stream_without_end_is_left_at_the_bound() -> None:
    piece = event(said("x" * 1000))
    reply = asyncio.run(streamed([HEAD, *[piece] * 500], hold=True))
    assert reply.finish_reason == "length"
    assert LONGEST_TOKEN * REQUEST.max_tokens < len(reply.text) <= LONGEST_TOKEN * REQUEST.max_tokens + 1000


def test_a_reply_beyond_its_tokens_is_cut_and_recorded_as_such(tmp_path: Any) -> None:
    result, _ = duel(tmp_path, {"A/turn/1": "x" * 3_000_000}, max_reply_tokens=4096)
    [record] = [one for one in moot.find_run(result.run).records() if one.key == "A/turn/1"]
    assert record.finish_reason == "length"
    assert record.reply == "x" * (4096 * LONGEST_TOKEN)
    assert any(flag.code == "replies_cut" for flag in result.flags), result.flags


def test_what_people_say_is_never_cut(tmp_path: Any) -> None:
    long = "word " * 1000
    model = ScriptedModel(lambda request: long if request.key == "A/turn/1" else "Ada", name="human/ada")
    result = play(small_config(tmp_path, 2, model=model.name, jury=0, max_reply_tokens=16), model)
    [record] = [one for one in moot.find_run(result.run).records() if one.key == "A/turn/1"]
    assert record.reply == long


def test_the_events_of_a_stream_of_single_bytes_are_found_in_linear_time() -> None:
    reader: EventReader[bytes] = EventReader(lambda data: data if data.endswith(b"}") else None)
    whole = event(b"{" + b"x" * 200_000 + b"}")
    found = [one for byte in whole for one in reader.more(bytes([byte]))]
    assert [len(one) for one in found] == [200_002]
    assert reader.held == 0
