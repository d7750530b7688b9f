import os
import subprocess
import sys
from typing import Any

import pytest

from moot import errors
from moot.models.base import Message, Request
from moot.models.families import families, family
from moot.models.openai_compatible import OpenAICompatible
from moot.models.prices import Price
from moot.models.registry import ModelSettings, describe_providers, open_model
from tests.kit.endpoint import FakeEndpoint
from tests.kit.waiting import PATIENCE

SETTINGS = ModelSettings()
REQUEST = Request("k", "ada", (Message("user", "Is it so?"),))


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_BASE_URL")) or name == "OLLAMA_HOST":
            monkeypatch.delenv(name)


def opened(name: str, settings: ModelSettings = SETTINGS) -> Any:
    return open_model(name, settings)


@pytest.mark.parametrize(
    ("name", "variable", "base_url", "model"),
    [
        ("openai/gpt-x", "OPENAI_API_KEY", "https://api.openai.com/v1", "gpt-x"),
        ("anthropic/claude-x", "ANTHROPIC_API_KEY", "https://api.anthropic.com", "claude-x"),
        (
            "google/gemini-x",
            "GEMINI_API_KEY",
            "https://generativelanguage.googleapis.com/v1beta/openai",
            "gemini-x",
        ),
        ("google/gemini-x", "GOOGLE_API_KEY", "https://generativelanguage.googleapis.com/v1beta/openai", "gemini-x"),
        ("openrouter/meta/llama-x", "OPENROUTER_API_KEY", "https://openrouter.ai/api/v1", "meta/llama-x"),
    ],
)
def test_known_providers(name: str, variable: str, base_url: str, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(errors.NotReady, match=variable):
        opened(name)
    monkeypatch.setenv(variable, " secret-key\n")
    found = opened(name)
    assert found.name == name
    assert found.model == model
    assert found.endpoint.base_url == base_url
    assert found.endpoint.key_variable == variable
    assert "secret-key" in found.endpoint.headers.get("x-api-key", found.endpoint.headers.get("Authorization"))
    assert "secret-key" not in repr(found)
    assert not found.small


def test_settings_reach_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret-key")
    prices = {"openai/gpt-x": Price(input=1, output=2)}
    found = opened("openai/gpt-x", ModelSettings(timeout=PATIENCE, concurrency=3, prices=prices, rate=90))
    assert (found.endpoint.timeout, found.endpoint.concurrency, found.prices) == (PATIENCE, 3, prices)
    assert found.endpoint.rate == 90


async def test_own_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    async with FakeEndpoint() as fake:
        for name in ("OPENAI", "ANTHROPIC", "MY_LAB"):
            monkeypatch.setenv(f"{name}_BASE_URL", fake.url + "/")
        for name in ("openai/a", "anthropic/b", "my-lab/c/d"):
            reply = await open_model(name, SETTINGS).reply(REQUEST)
            assert reply.text
        assert [body["model"] for body in fake.requests] == ["a", "b", "c/d"]
        assert [head[":path"] for head in fake.heads] == [
            "/v1/chat/completions",
            "/v1/messages",
            "/v1/chat/completions",
        ]
        assert "authorization" not in fake.heads[2]
        monkeypatch.setenv("MY_LAB_API_KEY", "lab-key")
        await open_model("my-lab/c/d", SETTINGS).reply(REQUEST)
        assert fake.heads[3]["authorization"] == "Bearer lab-key"


@pytest.mark.parametrize(
    ("host", "base_url"),
    [
        ("", "http://127.0.0.1:11434/v1"),
        (":1234", "http://127.0.0.1:1234/v1"),
        ("1.2.3.4:1234", "http://1.2.3.4:1234/v1"),
        ("box.local:99999", "http://box.local:11434/v1"),
        ("box.local:-1", "http://box.local:11434/v1"),
        ("0.0.0.0", "http://127.0.0.1:11434/v1"),
        ("[::1]", "http://[::1]:11434/v1"),
        ("[::]:1337", "http://[::1]:1337/v1"),
        ("http://box.local", "http://box.local:80/v1"),
        ("https://box.local:4321/", "https://box.local:4321/v1"),
        ("https://box.local/ollama", "https://box.local:443/ollama/v1"),
        (' "1.2.3.4" ', "http://1.2.3.4:11434/v1"),
    ],
)
def test_ollama_host(host: str, base_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", host)
    found = opened("ollama/llama3.2:1b")
    assert isinstance(found, OpenAICompatible)
    assert found.endpoint.base_url == base_url
    assert found.endpoint.headers == {}
    assert found.lists_all


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gpt-4o", "needs a provider"),
        ("", "needs a provider"),
        ("opnai/gpt-4o", "Did you mean openai/…?"),
        ("Anthropics/claude", "Did you mean anthropic/…?"),
        ("mylab/llama", "MYLAB_BASE_URL"),
        ("openai/", "must be provider/name"),
        ("/gpt", "must be provider/name"),
        ("my lab/gpt", "must be provider/name"),
        ("human/", "must be provider/name"),
    ],
)
def test_malformed_names(name: str, words: str) -> None:
    with pytest.raises(errors.ConfigError) as caught:
        opened(name)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("variable", "addresses"),
    [
        (
            "LAB_BASE_URL",
            ["localhost:8000", "ftp://x/v1", "http://", "http://me:hunter2@x/v1", "http://x/v1?key=hunter2"],
        ),
        ("OLLAMA_HOST", ["ftp://x", "me:hunter2@x", "http://me:hunter2@x:80", "http://[x"]),
    ],
)
def test_addresses_that_will_not_do(variable: str, addresses: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for address in addresses:
        monkeypatch.setenv(variable, address)
        with pytest.raises(errors.ConfigError, match=f"{variable} must be") as caught:
            opened(f"{variable.partition('_')[0].lower()}/llama")
        assert "hunter2" not in str(caught.value), address


def test_a_key_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "two\nlines")
    with pytest.raises(errors.NotReady, match="OPENAI_API_KEY") as caught:
        opened("openai/gpt-x")
    assert "two" not in str(caught.value)


def test_models_that_need_no_server(tmp_path: Any) -> None:
    assert opened("human/ada").name == "human/ada"
    assert opened("embedded").name.startswith("embedded/")
    assert opened("embedded/smollm2").name == "embedded/smollm2"
    weights = tmp_path / "some.gguf"
    assert opened(f"embedded/{weights}").name == f"embedded/{weights}"
    replies = tmp_path / "replies.yaml"
    replies.write_text("duel/1: Yes.\n")
    assert opened(f"scripted/{replies}").name == f"scripted/{replies}"


def test_providers_are_described(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "secret-key")
    monkeypatch.setenv("MY_LAB_BASE_URL", "http://me:hunter2@127.0.0.1/v1")
    monkeypatch.setenv("OLLAMA_HOST", "http://me:hunter2@127.0.0.1")
    found = {info.name: info for info in describe_providers()}
    assert set(found) >= {"embedded", "human", "scripted", "ollama", "openai", "anthropic", "google", "openrouter"}
    assert found["google"].configured
    assert not found["openai"].configured
    assert "OPENAI_API_KEY" in found["openai"].how
    assert found["my_lab"].configured
    assert found["ollama"].configured
    assert all(info.example.partition("/")[0] == name for name, info in found.items())
    assert list(found) == sorted(found)
    assert "secret-key" not in str(found)
    assert "hunter2" not in str(found)


@pytest.mark.parametrize(
    ("name", "kin"),
    [
        ("openai/gpt-5.2", ["gpt"]),
        ("ollama/gpt-oss:20b", ["gpt"]),
        ("openrouter/anthropic/claude-sonnet-4.5", ["claude"]),
        ("google/gemini-2.5-pro", ["gemini"]),
        ("groq/meta-llama/llama-4-scout", ["llama"]),
        ("openrouter/mistralai/mixtral-8x7b", ["mistral"]),
        ("vllm/Qwen/Qwen3-8B", ["qwen"]),
        ("embedded/smollm2", ["smollm"]),
        ("embedded//models/Llama-3.2-1B.gguf", ["llama"]),
        ("lab/unheard-of-7b", ["unheard"]),
        ("human/ada", ["human/ada"]),
        ("openrouter/deepseek/deepseek-r1-distill-llama-70b", ["deepseek", "llama"]),
        ("vllm/unsloth/DeepSeek-R1-Distill-Qwen-32B-GGUF", ["deepseek", "qwen"]),
        ("openai/ft:gpt-4o-mini-2024-07-18:acme::8s3k", ["gpt"]),
        ("anthropic/new-name", ["claude"]),
        ("bedrock/us.amazon.nova-lite-v1:0", ["nova"]),
        ("openrouter/z-ai/glm-4.6:free", ["glm"]),
        ("ollama/dolphin-mixtral:8x7b", ["mistral"]),
        ("openai/any", ["any"]),
    ],
)
def test_fine_tunes_and_distillations_are_kin_to_what_they_are_made_of(name: str, kin: list[str]) -> None:
    assert (families(name), family(name)) == (kin, kin[0])


def test_opening_a_model_by_name_alone_needs_no_http_library() -> None:
    code = "import sys, moot.models.registry as r; r.describe_providers(); sys.exit('aiohttp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
