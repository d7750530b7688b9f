"""The embedded model. Most of this runs the real one; whoever has not fetched its weights skips that."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from typing import Any

import pytest

from moot.embedded.model import EmbeddedModel, _Runtime, _runtime_package
from moot.embedded.weights import have_weights, on_download, weights_path
from moot.errors import ContextOverflow, NotReady
from moot.models.base import Message, ModelReply, OnText, Request
from tests.kit.waiting import PATIENCE, ended, run, until

embedded = pytest.mark.embedded
SCORE = {
    "$defs": {"Point": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}},
    "type": "object",
    "properties": {
        "score": {"type": "integer", "minimum": 3, "maximum": 4},
        "side": {"enum": ["for", "against"]},
        "reasoning": {"type": "string", "pattern": "car", "title": "Reasoning"},
        "points": {"type": "array", "items": {"$ref": "#/$defs/Point"}},
    },
    "required": ["score", "side", "reasoning", "points"],
}


@pytest.fixture(scope="module")
def model() -> EmbeddedModel:
    if not have_weights():
        pytest.skip("the weights have not been fetched")
    return EmbeddedModel("smollm2")


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> int:
    """The most characters of a text in JSON: few, since each costs time."""
    monkeypatch.setattr("moot.embedded.model.JSON_STRING_LENGTH", 60)
    return 60


def request(*said: str, agent: str = "A", seed: int = 1, max_tokens: int = 4096, schema: object = None) -> Request:
    """A conversation in which user and assistant take turns."""
    messages = [Message("system", f"You are {agent}. You are sure of this: Cities should ban cars.")]
    messages += [Message("assistant" if i % 2 else "user", text) for i, text in enumerate(said)]
    assert schema is None or isinstance(schema, dict)
    return Request(
        f"{agent}/turn",
        agent,
        tuple(messages),
        schema=schema,
        max_tokens=max_tokens,
        seed=seed,
    )


def answer(model: EmbeddedModel, asked: Request, on_text: OnText | None = None) -> ModelReply:
    return asyncio.run(model.reply(asked, on_text))


# Without the weights


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    small, large = tmp_path / "small-360M.Q8_0.gguf", tmp_path / "large-1B.gguf"
    small.write_bytes(b"GGUF")
    other = tmp_path / "other.gguf"
    other.write_bytes(b"PK\x03\x04")
    assert EmbeddedModel(str(small)).name == f"embedded/{small}"
    assert EmbeddedModel(str(small)).small
    assert not EmbeddedModel(str(large)).small
    with pytest.raises(NotReady, match=r"other.gguf is not a GGUF"):
        asyncio.run(EmbeddedModel(str(other)).ready())
    with pytest.raises(NotReady, match=r"missing.gguf cannot be read"):
        asyncio.run(EmbeddedModel(str(tmp_path / "missing.gguf")).ready())
    with pytest.raises(NotReady, match=r"Q8_0.gguf could not be loaded"):
        answer(EmbeddedModel(str(small)), request("Hello"))


def test_the_larger_model_is_never_fetched_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOOT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    with pytest.raises(NotReady) as told:
        asyncio.run(EmbeddedModel("qwen").ready())
    assert str(told.value) == "embedded/qwen is not here yet; fetch it with: moot models fetch qwen (1.1 GB)"
    assert not (tmp_path / "cache").exists()
    assert not EmbeddedModel("qwen").small, "it gets the full prompts"
    assert EmbeddedModel("qwen").context_window == 8192


@pytest.mark.parametrize(
    ("fault", "advice"),
    [
        ("raise ModuleNotFoundError(\"No module named 'xllamacpp'\")", "pip install 'moot[embedded]'"),
        ("raise ImportError('libgomp.so.1: cannot open shared object file')", "apt install libgomp1"),
        ("raise ImportError('wrong ELF class')", "wrong ELF class"),
    ],
)
def test_runtime_cannot_be_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str, advice: str) -> None:
    (tmp_path / "xllamacpp.py").write_text(fault)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "xllamacpp", raising=False)
    _runtime_package.cache_clear()  # what fails is not kept
    with pytest.raises(NotReady, match=re.escape(advice)):
        asyncio.run(EmbeddedModel("").ready())


def test_weights_that_cannot_be_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOOT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    seen: list[int] = []
    before = on_download(lambda _done, total: seen.append(total))
    try:
        with pytest.raises(NotReady, match="package registry"):
            asyncio.run(EmbeddedModel("").ready())
    finally:
        on_download(before)
    assert set(seen) == {92_871_040}


# With them


@embedded
def test_free_text_is_one_paragraph_of_whole_sentences(model: EmbeddedModel) -> None:
    reply = answer(model, request("List five reasons with headings."))
    assert reply.finish_reason == "stop"
    assert reply.text.rstrip()[-1] in ".!?)'’"
    assert not set(reply.text) & set('\n"*#')


@embedded
def test_the_pieces_join_to_the_reply(model: EmbeddedModel) -> None:
    pieces: list[str] = []
    threads: set[int] = set()

    def on_text(piece: str) -> None:
        pieces.append(piece)
        threads.add(threading.get_ident())

    own = EmbeddedModel(str(weights_path()))
    reply = answer(own, request("Why should cities ban cars?"), on_text)
    assert len(reply.text) > 60
    assert "".join(pieces) == reply.text
    assert len(pieces) > 5
    assert threads == {threading.get_ident()}, "on_text is called on the event loop"


@embedded
def test_reply_stops_at_the_most_that_was_asked_for(model: EmbeddedModel) -> None:
    reply = answer(model, request("Tell me all about cars.", max_tokens=3))
    assert reply.finish_reason == "length"
    assert reply.usage.output == 3
    assert reply.usage.cost == 0.0


@embedded
@pytest.mark.usefixtures("brief")
def test_json_holds_to_its_schema(model: EmbeddedModel) -> None:
    reply = answer(model, request("Score: Cars are dirty.", schema=SCORE))
    value = json.loads(reply.text)
    assert set(value) == {"score", "side", "reasoning", "points"}
    assert value["score"] in (3, 4)
    assert value["side"] in ("for", "against")
    assert all(isinstance(point["text"], str) for point in value["points"])
    assert reply.finish_reason == "stop"


@embedded
def test_the_same_request_gives_the_same_text_whatever_runs_beside_it(model: EmbeddedModel) -> None:
    asked = [request("Name your best reason.", agent=name, seed=7, max_tokens=8) for name in "AB"]

    async def together() -> list[str]:
        return [reply.text for reply in await asyncio.gather(*(model.reply(one) for one in asked))]

    alone = [answer(model, one).text for one in asked]
    assert asyncio.run(together()) == alone
    other = answer(model, request("Name your best reason.", seed=8, max_tokens=8)).text
    assert other != alone[0]


@embedded
def test_what_an_agent_has_read_is_not_read_again(model: EmbeddedModel) -> None:
    first = [request(f"{name} asks: why? Answer in one sentence.", agent=name, max_tokens=2) for name in ("Ada", "Ben")]
    replies = [answer(model, one) for one in first]
    for one, reply in zip(first, replies, strict=True):
        again = answer(
            model, request(one.messages[1].content, reply.text, "And what else?", agent=one.agent, max_tokens=1)
        )
        assert again.usage.input is not None
        assert again.usage.cached is not None
        assert reply.usage.input is not None
        assert reply.usage.input - 8 <= again.usage.cached < again.usage.input


@embedded
def test_too_long_a_request(model: EmbeddedModel) -> None:
    with pytest.raises(ContextOverflow):
        answer(model, request("word " * 5000))


@embedded
def test_cancelled_calls_free_their_slots(model: EmbeddedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    generate, begun = _Runtime.generate, []

    def counted(self: _Runtime, body: dict[str, Any], take: Any) -> None:
        begun.append(take)
        generate(self, body, take)

    monkeypatch.setattr(_Runtime, "generate", counted)

    async def story() -> list[str]:
        speaking = asyncio.Event()
        calls = [asyncio.create_task(model.reply(request("Speak.", agent="talker"), lambda _: speaking.set()))]
        await speaking.wait()  # one is in the middle of its reply,
        calls += [asyncio.create_task(model.reply(request(f"{i} " * 200, agent=f"reader {i}"))) for i in range(5)]
        await until(lambda: len(begun) >= 4)  # some are reading, and some wait for a slot
        for call in calls:
            call.cancel()
        assert [type(end) for end in await asyncio.gather(*calls, return_exceptions=True)] == [
            asyncio.CancelledError
        ] * len(calls)
        after = [model.reply(request("Hello", agent=f"next {i}", max_tokens=4)) for i in range(4)]
        return [reply.text for reply in await asyncio.gather(*after)]

    assert all(run(story()))


def python(script: str, **variables: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)],
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


ASK = """
    import asyncio, os, signal, urllib.error, urllib.request
    from moot.models.base import Message, Request
    from moot.embedded.model import EmbeddedModel

    def ask(text, on_text=None, **limits):
        return EmbeddedModel("").reply(Request("k", "A", (Message("user", text),), **limits), on_text)
"""
ASK_FOR_EVER = """
    async def for_ever():
        while True:
            await ask("Tell me a story.", lambda piece: print(piece, flush=True))

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs are started without
    asyncio.run(for_ever())
"""
KNOCK_AT_ITS_PORT = """
    asyncio.run(ask("Hello", max_tokens=2))
    files = {os.stat(f"/proc/self/fd/{fd}").st_ino for fd in range(64) if os.path.exists(f"/proc/self/fd/{fd}")}
    with open("/proc/self/net/tcp") as table:
        sockets = [line.split() for line in table][1:]
    for socket in sockets:
        if socket[3] == "0A" and int(socket[9]) in files:  # it listens, and it is ours
            host, port = socket[1].split(":")
            print(host)
            for path in ("/v1/models", "/props", "/slots"):
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{int(port, 16)}{path}")
                except urllib.error.HTTPError as error:
                    print(error.code)
                    error.close()
"""


@embedded
@pytest.mark.usefixtures("model")
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_interrupt_ends_the_process() -> None:
    run = python(ASK + ASK_FOR_EVER)
    assert run.stdout is not None
    assert run.stdout.readline()
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=PATIENCE)
    assert run.returncode not in (0, None)
    assert err.rstrip().endswith("KeyboardInterrupt")


@embedded
@pytest.mark.usefixtures("model")
@pytest.mark.skipif(sys.platform != "linux", reason="looks for the port in /proc")
def test_its_port_is_closed_to_others_and_the_process_ends_by_itself() -> None:
    process = python(ASK + KNOCK_AT_ITS_PORT, NO_PROXY="*")
    out, err = ended(process)
    assert (process.returncode, out.split(), err) == (0, ["0100007F", "401", "401", "401"], "")
