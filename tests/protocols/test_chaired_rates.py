"""No honest sentence is ruled on, in six languages, and every false citation is; the docs have the measured rates."""

from pathlib import Path

from tests.kit.citations import (
    PARAPHRASES,
    REBUTTALS,
    Rate,
    false_citations,
    false_table,
    honest_table,
    paraphrases,
    rebuttals,
)

DOCS = Path(__file__).parents[2] / "docs" / "chaired.md"


def ruled(rates: dict[str, Rate]) -> list[str]:
    return [sentence for rate in rates.values() for sentence in rate.ruled]


def test_no_honest_sentence_is_ruled_on_or_sent_back() -> None:
    quoted, reasoned = paraphrases(), rebuttals()
    assert ruled(quoted) == ruled(reasoned) == []
    assert sum(rate.of for rate in quoted.values()) == len(PARAPHRASES) >= 34 + 17
    assert sum(rate.of for rate in reasoned.values()) == len(REBUTTALS) >= 20 + 10
    assert len(quoted) == len(reasoned) == 6
    assert honest_table(quoted, reasoned) in DOCS.read_text("utf-8")


def test_every_false_citation_is_and_no_true_one() -> None:
    found = false_citations()
    assert false_table(found) in DOCS.read_text("utf-8")
    assert found.pop("true").ruled == []
    assert [kind for kind, rate in found.items() if len(rate.ruled) < rate.of] == []
