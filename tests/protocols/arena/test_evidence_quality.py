"""Evidence quality by count, on texts made for it, and the bar for a hollow consensus."""

import pytest

from moot.protocols.arena.evidence_quality import (
    LOW_QUALITY,
    citations,
    diversity,
    evidence_of,
    gaps_in,
    hollow_bar,
    quality_of,
    reasoning,
    specificity,
)
from tests.kit.arenas import HOLLOW, SOLID


def test_solid_and_hollow_are_told_apart() -> None:
    assert quality_of(SOLID) > 0.8
    assert quality_of(HOLLOW) < 0.1
    assert gaps_in(HOLLOW) == [
        "names no source, or only one",
        "has few figures and names",
        "gives few reasons and conditions",
        "is worded vaguely",
    ], "of sources that are not there, it is not said that they are alike"
    assert gaps_in(SOLID) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("No source at all.", 0.0),
        ("See https://example.org/a.", 0.5),
        ("See [1] and [2].", 0.0),
        ("See [1] and [2].\n\n[1] The Bazel survey\n[2] A paper by Chen", 1.0),
        ("As Smith and Jones (2021) show.", 0.5),
        ("According to the ministry it is so.", 0.5),
        ("doi: 10.1000/182 has it.", 0.5),
        ("According to experts it is so. According to studies, too; data from surveys says it.", 0.0),
        ("In 2024 we met, in March 2023 we did not. Since 2020 it is so.", 0.0),
    ],
)
def test_citations(text: str, count: float) -> None:
    assert citations(text) == count


def test_one_source_cited_twice_is_one() -> None:
    assert citations("https://www.example.org/a and https://example.org/b") == 1.0
    assert diversity("https://www.example.org/a and https://example.org/b") == 0.5


def test_specificity_counts_sentences_with_figures_or_names() -> None:
    assert specificity("It is good. It is fine.") == 0.0
    assert specificity("It takes 40 minutes. It is slow. It is old. It is dull.") == 0.5
    assert specificity("The team of Ada does it.") == 1.0


def test_a_mark_and_vague_words_are_no_evidence() -> None:
    assert quality_of("It is nice [1].") == 0.0
    assert specificity("It is fast [1].") == 0.0
    firm = SOLID.replace("cuts 31 minutes", "clearly and very significantly improves things a lot: it cuts 31 minutes")
    assert quality_of(firm) < quality_of(SOLID)


def test_examples_and_quotations_that_are_found_count() -> None:
    handed = ["A full build takes 41 minutes, of which 29 are compilation."]
    found = evidence_of(f"{SOLID} The page says “a full build takes 41 minutes”.", handed)
    made_up = evidence_of(f"{SOLID} The page says “a full build takes a whole day”.", handed)
    assert (found.quotations, made_up.quotations, evidence_of(SOLID).quotations) == (1.0, 0.0, None)
    assert (found.checked, made_up.checked) == (1, 0)
    assert found.quality > made_up.quality
    assert quality_of(f"{SOLID} For example, the nightly job stops.") > quality_of(SOLID)


def test_an_address_that_does_not_exist_is_no_source() -> None:
    text = f"{SOLID} So says https://made-up.example/report."
    urls = ["https://example.org/costs", "https://made-up.example/report"]
    unknown, known = evidence_of(text), evidence_of(text, (), dict(zip(urls, (True, False), strict=True)))
    assert (unknown.named, unknown.checked, unknown.absent) == (4, 0, 0)
    assert (known.named, known.checked, known.absent) == (3, 1, 1)
    bare = "See https://a.example/x and https://b.example/y, since 40 % of 20 GB go there."
    assert quality_of(bare) > quality_of(bare, (), ["https://a.example/x", "https://b.example/y"])
    assert "cites https://b.example/y, which does not exist" in gaps_in(bare, (), ["https://b.example/y"])


def test_reasoning_counts_connectives() -> None:
    assert reasoning("Do it. Do it now.") == 0.0
    assert reasoning("Do it because it pays. Otherwise we lose, unless it rains.") == 1.0


def test_the_bar_slides_down_with_quality() -> None:
    assert hollow_bar(0.3, LOW_QUALITY) is None
    bars = [hollow_bar(0.3, quality) for quality in (0.0, 0.1, 0.2, 0.34)]
    assert bars[0] == 0.3
    assert None not in bars
    assert bars == sorted(bars, key=lambda bar: bar or 0)
    assert (bars[-1] or 0) > 0.55


def test_an_empty_text_has_none() -> None:
    assert quality_of("") == 0.0
