"""Evidence quality by count, on texts made for it, and the bar for a hollow consensus."""

from pathlib import Path

import pytest

from moot.protocols.arena.evidence_quality import LOW_QUALITY, Known, evidence_of, gaps_in, hollow_bar
from tests.kit.arenas import HOLLOW, SOLID, arena, outcome, saying


def test_solid_and_hollow_are_told_apart() -> None:
    assert evidence_of(SOLID).quality == 0.7
    assert evidence_of(HOLLOW).quality == 0.0
    assert gaps_in(HOLLOW, Known()) == ["names no source", "has few figures"]
    assert gaps_in(SOLID, Known()) == []


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("No source at all.", 0.0),
        ("See https://example.org/a.", 0.5),
        ("https://www.example.org/a and https://example.org/b", 0.5),
        ("See [1] and [2].", 0.0),
        ("So says [D1], and so does [L1a, line 2].", 1.0),
        ("So says [D7].", 0.0),
    ],
)
def test_sources_are_addresses_and_what_is_on_record(text: str, share: float) -> None:
    assert evidence_of(text, Known({"D1", "L1a"})).citations == share


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("It takes 40 minutes, and 40 again.", 1),
        ("A build of 1,200.5 s and 3 GB.", 2),
        ("The A4 paper [1] of [D2], see https://example.org/2024.", 0),
        ("ビルドは41分かかり、29分はコンパイルです。", 2),
        ("बिल्ड में ४१ मिनट लगते हैं।", 1),
    ],
)
def test_figures_count_once_each(text: str, count: int) -> None:
    assert evidence_of(text).figures == pytest.approx(count / 3, abs=1e-4)


SAME = [
    "The cache cuts 31 minutes to 6, says “the cache is hit in nine of ten builds” [D1].",
    "キャッシュは31分を6分にします。「十回のビルドのうち九回はキャッシュが使われます」[D1]。",
    "詳細はhttps://example.org/cacheによると、キャッシュは31分を6分にします。",
    "Кэш сокращает 31 минуту до 6: «кэш используется в девяти сборках из десяти» [D1].",
]


def test_the_same_evidence_has_the_same_quality_in_every_language() -> None:
    found = [evidence_of(text, Known({"D1"})) for text in SAME]
    assert found == [found[0]] * 4
    assert found[0].quality > LOW_QUALITY


def test_an_address_that_does_not_exist_is_no_source() -> None:
    text = "See https://a.example/x and https://b.example/y: 40 % of 20 GB go there."
    known = Known(looked_up={"https://a.example/x": True, "https://b.example/y": False})
    unlooked, looked = evidence_of(text), evidence_of(text, known)
    assert (unlooked.sources, unlooked.absent) == (2, 0)
    assert (looked.sources, looked.absent) == (1, 1)
    assert unlooked.quality > looked.quality
    assert gaps_in(text, known) == ["cites https://b.example/y, which does not exist"]


def test_the_bar_slides_down_with_quality() -> None:
    assert hollow_bar(0.3, LOW_QUALITY) is None
    bars = [hollow_bar(0.3, quality) for quality in (0.0, 0.1, 0.2, 0.34)]
    assert bars[0] == 0.3
    assert None not in bars
    assert bars == sorted(bars, key=lambda bar: bar or 0)
    assert (bars[-1] or 0) > 0.55


def test_an_empty_text_has_none() -> None:
    assert evidence_of("").quality == 0.0


@pytest.mark.parametrize(("source", "sources"), [("notes.md", 1), ("memory", 0)])
def test_a_recalled_decision_is_no_source(tmp_path: Path, source: str, sources: int) -> None:
    document = {"title": "Earlier decision", "text": "The cache is shared.", "source": source}
    result, _ = arena(tmp_path, plain=saying("Share the cache, as was decided [D1]."), documents=[document])
    assert outcome(result).evidence["Ada"].sources == sources
