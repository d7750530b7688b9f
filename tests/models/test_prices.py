import asyncio
import socket
from datetime import UTC, datetime

import pytest
from genai_prices import Usage as ListedUsage
from genai_prices import calc_price

from moot.models.base import Usage
from moot.models.prices import Price, context_window, cost_of, worst_cost

USAGE = Usage(input=1000, cached=400, output=200)


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("prices must not ask the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(asyncio.AbstractEventLoop, "getaddrinfo", refuse)


@pytest.mark.parametrize(
    ("name", "provider", "listed_name"),
    [
        ("openai/gpt-4o-mini", "openai", "gpt-4o-mini"),
        ("anthropic/claude-sonnet-4-5", "anthropic", "claude-sonnet-4-5"),
        ("google/gemini-2.5-pro", "google", "gemini-2.5-pro"),
        ("openrouter/anthropic/claude-sonnet-4.5", "openrouter", "anthropic/claude-sonnet-4.5"),
        ("groq/llama-3.3-70b-versatile", "groq", "llama-3.3-70b-versatile"),
    ],
)
@pytest.mark.parametrize("input_tokens", [1000, 200_000, 200_001, 500_000])  # some prices rise with length
def test_costs_are_those_of_the_list(name: str, provider: str, listed_name: str, input_tokens: int) -> None:
    listed = calc_price(
        ListedUsage(input_tokens=input_tokens, cache_read_tokens=400, output_tokens=200),
        listed_name,
        provider_id=provider,
        genai_request_timestamp=datetime.now(UTC),
    )
    cost = cost_of(name, Usage(input=input_tokens, cached=400, output=200), {})
    assert cost == pytest.approx(float(listed.total_price))
    assert cost is not None
    assert cost > 0


def test_tokens_written_to_a_cache_cost_their_own_price() -> None:
    price = Price(input=10, cached=1, output=20, written=12)
    assert cost_of("x/y", USAGE, {"x/y": price}, written=100) == pytest.approx(
        (500 * 10 + 400 * 1 + 100 * 12 + 200 * 20) / 1e6
    )
    listed = cost_of("anthropic/claude-opus-4-8", USAGE, {}, written=600)
    assert listed is not None
    assert listed > (cost_of("anthropic/claude-opus-4-8", USAGE, {}) or 0)


def test_an_unknown_price_is_none_and_never_zero() -> None:
    # perplexity charges by the request too; a provider that only sounds like a listed one is not it
    for name in ("openai/no-such-model", "mine/llama", "my-openai/gpt-4o", "perplexity/sonar"):
        assert cost_of(name, USAGE, {}) is None
        assert worst_cost(name, 10, 10, {}) is None
        assert worst_cost(name, 1, 1, {}) is None


def test_what_runs_here_is_free() -> None:
    for name in ("embedded/smollm2", "embedded", "scripted/a.yaml", "human/ada", "ollama/llama3.2"):
        assert cost_of(name, Usage(), {}) == 0.0
        assert worst_cost(name, 1000, 1000, {}) == 0.0
        assert worst_cost(name, 1, 1, {}) is not None
    assert cost_of("openrouter/meta-llama/llama-3.3-70b-instruct:free", USAGE, {}) == 0.0
    assert cost_of("ollama/gpt-oss:120b-cloud", USAGE, {}) is None


def test_what_the_user_says_wins() -> None:
    price = Price(input=1.0, output=2.0)
    for name in ("openai/gpt-4o", "mine/llama", "ollama/llama3.2"):
        assert cost_of(name, USAGE, {name: price}) == pytest.approx((1000 * 1 + 200 * 2) / 1e6)
        assert worst_cost(name, 1, 1, {name: price}) is not None
    assert cost_of("mine/free", USAGE, {"mine/free": Price(input=0, output=0)}) == 0.0


@pytest.mark.parametrize("name", ["openai/gpt-4o", "anthropic/claude-sonnet-4-5", "google/gemini-2.5-pro"])
@pytest.mark.parametrize("size", [0, 1, 5000, 300_000])
def test_the_worst_cost_bounds_every_cost(name: str, size: int) -> None:
    worst = worst_cost(name, size, 500, {})
    assert worst is not None
    for cached, written in ((0, 0), (size, 0), (0, size), (size // 2, size // 3)):
        cost = cost_of(name, Usage(input=size, cached=cached, output=500), {}, written=written)
        assert cost is not None
        assert cost <= worst + 1e-12


def test_context_windows() -> None:
    assert context_window("openai/gpt-4o") == 128_000
    assert context_window("openai/no-such-model") is None
    assert context_window("mine/llama") is None
    assert context_window("ollama/llama3.2") is None


@pytest.mark.parametrize("figure", [-1.0, float("nan"), float("inf")])
def test_a_price_is_a_price(figure: float) -> None:
    with pytest.raises(ValueError, match="not less than zero"):
        Price(input=figure, output=1)
