"""What changed between two texts, word by word."""

from hypothesis import given
from hypothesis import strategies as st

from moot.web.pages.word_diff import MOST_WORDS, Piece, word_diff

TEXTS = st.text(st.sampled_from("ab .,\n<é"), max_size=60)


@given(TEXTS, TEXTS)
def test_both_texts_are_in_it(before: str, after: str) -> None:
    pieces = word_diff(before, after)
    assert pieces is not None
    assert "".join(one.text for one in pieces if one.kind != "ins") == before
    assert "".join(one.text for one in pieces if one.kind != "del") == after


def test_words_are_not_torn() -> None:
    assert word_diff("Buy it now.", "Buy them now.") == [
        Piece("same", "Buy "),
        Piece("del", "it"),
        Piece("ins", "them"),
        Piece("same", " now."),
    ]
    assert word_diff("same", "same") == [Piece("same", "same")]


def test_a_text_that_is_too_long_is_not_compared() -> None:
    assert word_diff("a " * MOST_WORDS, "b") is None
