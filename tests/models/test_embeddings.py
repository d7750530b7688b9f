"""Texts as vectors: the shipped backend, our own where that is missing, and an endpoint's, over real HTTP."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.errors import ConfigError
from moot.models.embeddings import (
    FALLBACK,
    SHIPPED,
    Alike,
    alike,
    backend_of,
    cosines,
    embed_here,
    shipped_backend,
    threshold_of,
)
from tests.kit.embedders import Endpoint

SAME = ("Cache the compiled modules.", "Cache the compiled modules.", "Plant more trees along the river.")


def ask(
    texts: list[str], env: pytest.MonkeyPatch, answers: list[tuple[int, Any]] | None = None
) -> tuple[Alike, Endpoint]:
    endpoint = Endpoint(answers or [])

    async def run() -> Alike:
        async with endpoint.open() as url:
            env.setenv("OWN_BASE_URL", url)
            env.setenv("OWN_API_KEY", "sk-secret-canary")
            return await alike(texts, "own/embedder")

    return asyncio.run(run()), endpoint


@pytest.mark.parametrize("backend", [SHIPPED, FALLBACK])
def test_the_same_text_is_alike_and_another_is_not(backend: str) -> None:
    if backend == SHIPPED and shipped_backend() != SHIPPED:
        pytest.skip("the shipped model cannot be had here")
    same, other, _ = cosines(embed_here(SAME, backend))
    assert same == pytest.approx(1.0)
    assert other < threshold_of(backend)


def test_every_pair_is_measured_in_order() -> None:
    found = asyncio.run(alike(SAME))
    assert found.backend == shipped_backend()
    assert found.failure is None
    assert found.similarities[0] == 1.0
    assert found.similarities[1] == found.similarities[2] < 0.5


def test_without_the_shipped_model_our_own_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.models.embeddings.find_spec", lambda _: None)
    shipped_backend.cache_clear()
    try:
        found = asyncio.run(alike(SAME))
    finally:
        shipped_backend.cache_clear()
    assert found.backend == FALLBACK
    assert found.similarities[0] == 1.0
    assert found.similarities[1] < threshold_of(FALLBACK)


def test_no_text_at_all_is_like_nothing() -> None:
    assert cosines(embed_here(["", "word"], FALLBACK)) == [0.0]


@given(st.lists(st.floats(-1e3, 1e3), min_size=3, max_size=3), st.lists(st.floats(-1e3, 1e3), min_size=3, max_size=3))
def test_cosine_is_symmetric_and_bounded(a: list[float], b: list[float]) -> None:
    (one,), (other,) = cosines([a, b]), cosines([b, a])
    assert one == pytest.approx(other)
    assert -1.0 <= one <= 1.0


def test_an_endpoint_is_asked_once_for_each_text(monkeypatch: pytest.MonkeyPatch) -> None:
    found, endpoint = ask(["a once", "b once", "a once"], monkeypatch)
    assert found.backend == "own/embedder"
    assert found.similarities[1] == 1.0
    assert endpoint.asked == [{"model": "embedder", "input": ["a once", "b once"]}]
    assert endpoint.heads[0].startswith("POST /v1/embeddings")
    again, silent = ask(["a once", "b once"], monkeypatch)
    assert again.similarities == found.similarities[:1]
    assert silent.asked == [], "what was embedded before is kept"


@pytest.mark.parametrize(
    "answer",
    [
        (401, {"error": {"message": "bad key sk-secret-canary"}}),
        (200, {"data": []}),
        (200, {"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}]}),
        (200, {"data": [{"index": 0, "embedding": ["x"]}, {"index": 1, "embedding": []}]}),
        (200, {"nothing": True}),
    ],
)
def test_what_is_no_answer_is_a_failure_without_secrets(
    monkeypatch: pytest.MonkeyPatch, answer: tuple[int, Any]
) -> None:
    found, _ = ask([f"a {answer}", f"b {answer}"], monkeypatch, [answer])
    assert found.similarities == []
    assert found.failure
    assert "sk-secret-canary" not in found.failure


def test_a_passing_fault_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    fault = (429, {"error": {"message": "slow down"}})
    monkeypatch.setattr("moot.models.embeddings.RETRIES", 1)
    found, endpoint = ask(["a again", "b again"], monkeypatch, [fault])
    assert found.failure is None
    assert len(endpoint.asked) == 2


def test_who_gives_no_embeddings_is_refused() -> None:
    with pytest.raises(ConfigError, match="gives no embeddings"):
        asyncio.run(backend_of("human/ada"))
