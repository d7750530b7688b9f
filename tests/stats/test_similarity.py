"""Texts as vectors: the shipped backend, and our own where that is missing."""

import asyncio

import pytest

from moot.stats.similarity import (
    FALLBACK,
    SHIPPED,
    alike,
    cosines,
    embed_here,
    shipped_backend,
    threshold_of,
)

SAME = ("Cache the compiled modules.", "Cache the compiled modules.", "Plant more trees along the river.")


@pytest.mark.parametrize("backend", [SHIPPED, FALLBACK])
def test_the_same_text_is_alike_and_another_is_not(backend: str) -> None:
    if backend == SHIPPED and shipped_backend() != SHIPPED:
        pytest.skip("the shipped model cannot be had here")
    same, other, _ = cosines(embed_here(SAME, backend))
    assert same == pytest.approx(1.0)
    assert other < threshold_of(backend)


def test_without_the_shipped_model_our_own_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.stats.similarity.find_spec", lambda _: None)
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
