"""What servers really offer: asked of fake ones, listed, kept, and completed."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from moot.models.offers import Listed, ask_all, is_stale, known_names
from moot.models.prices import Price
from moot.models.registry import ModelSettings, open_model
from tests.kit.command import empty_place, moot
from tests.kit.commands import declare
from tests.kit.endpoint import FakeEndpoint

ROUTER = {
    "data": [
        {"id": "vendor/large", "context_length": 128000, "pricing": {"prompt": "0.000002", "completion": "0.00001"}},
        {"id": "vendor/odd", "context_length": "many", "pricing": {"prompt": "x"}},
        {"id": "bad\x1b[2Jname"},
        {"id": 7},
        "noise",
    ]
}
TAGS = {"models": [{"name": "llama3.2:latest", "size": 1}, {"name": "qwen3:8b"}]}
SHOWN = {"model_info": {"llama.context_length": 131072, "general.name": "x"}}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("moot.models.offers._names", {})
    monkeypatch.setenv("PATH", "")  # nor is there any Ollama of this machine
    return empty_place(tmp_path, monkeypatch)


@asynccontextmanager
async def pages(answers: Mapping[str, tuple[int, Any]]) -> Any:
    """A server with these answers by path; its address."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        status, document = answers.get(head.split(" ")[1], (404, {"error": "no such page"}))
        body = json.dumps(document).encode()
        writer.write(f"HTTP/1.1 {status} X\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def asked(
    variable: str,
    answers: Mapping[str, tuple[int, Any]],
    monkeypatch: pytest.MonkeyPatch,
    prices: Mapping[str, Price] | None = None,
) -> Listed:
    """What is found out about the only server, whose address is in this variable."""

    async def ask() -> list[Listed]:
        async with pages(answers) as address:
            monkeypatch.setenv(variable, address)
            return await ask_all(prices or {})

    (found,) = asyncio.run(ask())
    return found


def test_a_list_has_context_and_price(monkeypatch: pytest.MonkeyPatch) -> None:
    found = asked("MINE_BASE_URL", {"/models": (200, ROUTER)}, monkeypatch)
    assert [(one.name, one.context, one.price) for one in found.offers] == [
        ("mine/vendor/large", 128000, Price(input=2.0, output=10.0)),
        ("mine/vendor/odd", None, None),
    ]


def test_what_a_list_does_not_say_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = {"data": [{"id": "gpt-4o"}, {"id": "models/gpt-4.1"}]}
    found = asked("OPENAI_BASE_URL", {"/models": (200, listed)}, monkeypatch)
    assert [one.name for one in found.offers] == ["openai/gpt-4.1", "openai/gpt-4o"]
    assert all(one.context and one.price for one in found.offers)


def test_the_models_of_ollama_are_its_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    found = asked("OLLAMA_HOST", {"/api/tags": (200, TAGS), "/api/show": (200, SHOWN)}, monkeypatch)
    assert [(one.name, one.context) for one in found.offers] == [
        ("ollama/llama3.2:latest", 131072),
        ("ollama/qwen3:8b", 131072),
    ]
    assert found.offers[0].price == Price(input=0.0, output=0.0)


def test_the_models_of_anthropic(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = {"data": [{"id": "claude-x", "max_input_tokens": 200000}]}
    found = asked("ANTHROPIC_BASE_URL", {"/v1/models?limit=1000": (200, listed)}, monkeypatch)
    assert [(one.name, one.context) for one in found.offers] == [("anthropic/claude-x", 200000)]


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_server_without_a_list_is_no_obstacle(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = asked("MINE_BASE_URL", {"/models": (status, {"error": "no"})}, monkeypatch)
    assert "no list of its models" in (found.fault or "")

    async def ready() -> None:
        async with pages({"/models": (status, {"error": "no"})}) as address:
            monkeypatch.setenv("MINE_BASE_URL", address)
            await open_model("mine/any", ModelSettings()).ready()

    asyncio.run(ready())


@pytest.mark.parametrize(("status", "words"), [(401, "wants a key"), (500, "reported a server error")])
def test_a_server_that_fails_is_told(status: int, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = asked("MINE_BASE_URL", {"/models": (status, {"error": "no"})}, monkeypatch)
    assert words in (found.fault or "")


def test_names_are_kept_for_those_who_must_not_wait(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE_BASE_URL", "http://127.0.0.1:1")
    assert is_stale(3600)
    asked("MINE_BASE_URL", {"/models": (200, ROUTER)}, monkeypatch)
    declare(place, claude={"run": "claude"})
    assert not is_stale(3600)
    assert {"mine/vendor/large", "command/claude", "embedded/smollm2"} <= set(known_names())
    asyncio.run(ask_all({}))  # nobody listens there any more
    assert "mine/vendor/large" in known_names()
    monkeypatch.delenv("MINE_BASE_URL")
    assert "mine/vendor/large" not in known_names()


async def test_the_command_lists_them(monkeypatch: pytest.MonkeyPatch) -> None:
    async with FakeEndpoint(model="large-3") as fake:
        monkeypatch.setenv("MINE_BASE_URL", fake.url)
        shown = await asyncio.to_thread(moot, "models")
        assert "mine/large-3" in shown.out
        found = json.loads((await asyncio.to_thread(moot, "models", "--json", "--find", "LARGE")).out)
        assert found["models"] == [{"name": "mine/large-3", "context": None, "price": None}]
        assert "large-3" not in (await asyncio.to_thread(moot, "models", "--find", "small")).out


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "model: ollama/llama3.2\n"),
        ("# mine\nout: here # there\n", "# mine\nout: here # there\nmodel: ollama/llama3.2\n"),
        ("model:\n  - a/b\n  - c/d\nseed: 3\n", "model: ollama/llama3.2\nseed: 3\n"),
        ("model:\n- a/b\n- c/d\nseed: 3", "model: ollama/llama3.2\nseed: 3"),
        ("roles:\n  model: a/b\nmodel: x/y # old\n", "roles:\n  model: a/b\nmodel: ollama/llama3.2\n"),
    ],
)
def test_the_default_is_set_and_the_rest_is_left(before: str | None, after: str, tmp_path: Path) -> None:
    file = tmp_path / "config/moot/moot.yaml"
    if before is not None:
        file.parent.mkdir(parents=True)
        file.write_text(before)
    said = moot("models", "default", "ollama/llama3.2")
    assert (said.code, file.read_text()) == (0, after)


def test_a_default_that_cannot_be_set_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "config/moot/moot.yaml"
    assert moot("models", "default", "llama").code == 2
    assert not file.exists()
    file.parent.mkdir(parents=True)
    file.write_text("{model: a/b, seed: 3}\n")
    assert "by hand" in moot("models", "default", "ollama/llama3.2").err
    assert yaml.safe_load(file.read_text()) == {"model": "a/b", "seed": 3}


def test_a_key_that_is_not_used_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("MOOT_MAX_CALLS", "0")
    line = "moot: OPENAI_API_KEY is set but not used. To use it (this costs money): -m openai/gpt-5.2\n"
    assert line in moot("duel", "Is it so?").err
    for others in (["-q"], ["-m", "scripted/demo:duel"], ["--display", "json"]):
        assert "is set but not used" not in moot("duel", "Is it so?", *others).err
