"""No honest sentence is ruled on, in six languages, and every false citation is, where the model reads well; the docs
have the measured rates."""

from pathlib import Path

from tests.kit.citations import (
    PARAPHRASES,
    READERS,
    REBUTTALS,
    Rate,
    false_citations,
    paraphrases,
    readers_table,
    rebuttals,
)

DOCS = (Path(__file__).parents[2] / "docs" / "chaired.md").read_text("utf-8")


def ruled(rates: dict[str, Rate]) -> list[str]:
    return [sentence for rate in rates.values() for sentence in rate.ruled]


def test_no_honest_sentence_is_ruled_on_unless_it_is_read_badly_twice() -> None:
    quoted, reasoned = ({reader: rates(reader) for reader in READERS} for rates in (paraphrases, rebuttals))
    assert len(PARAPHRASES) >= 2 * 34 and len(REBUTTALS) >= 2 * 20
    assert len(quoted["well"]) == len(reasoned["well"]) == 6
    for reader in ("well", "hastily", "not at all"):
        assert ruled(quoted[reader]) == ruled(reasoned[reader]) == [], reader
    assert readers_table(quoted, reasoned) in DOCS


def test_every_false_citation_is_and_no_true_one() -> None:
    found = false_citations()
    assert found.pop("true").ruled == []
    assert [kind for kind, rate in found.items() if len(rate.ruled) < rate.of] == []
