"""Where a sentence ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.protocols.chaired.sentences import sentences


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One so. Two? Three!", ["One so.", "Two?", "Three!"]),
        ("It is 4.5 per cent, e.g. here. Dr. Smith and J. Doe said so.", None),
        ("It is so. [1] And so is this [2].", ["It is so. [1]", "And so is this [2]."]),
        ("“Yes.” [1, 2] No", ["“Yes.” [1, 2]", "No"]),
        ("See https://a.example/x.html?y=1. Then go.", ["See https://a.example/x.html?y=1.", "Then go."]),
        ("First line\nof a sentence.\n\nA heading\n\n- an item\n- another", None),
        ("車は多い。[1] 町は静か。", ["車は多い。[1]", "町は静か。"]),
        ("1. First thing. 2. Second", ["First thing.", "Second"]),
        ("Am 3. Mai, z. B. in Linz: Prof. Rau sah rund 1,5 Mio. Euro. Das war ca. 5 Mal so viel.", None),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, found: list[str] | None) -> None:
    listed = {
        "It is 4.5": ["It is 4.5 per cent, e.g. here.", "Dr. Smith and J. Doe said so."],
        "Am 3. Mai": [
            "Am 3. Mai, z. B. in Linz: Prof. Rau sah rund 1,5 Mio. Euro. Das war ca. 5 Mal so viel.",
        ],
        "First lin": ["First line\nof a sentence.", "A heading", "an item", "another"],
    }
    assert [one.text for one in sentences(text)] == (listed[text[:9]] if found is None else found)


def test_paragraphs_are_counted() -> None:
    assert [one.paragraph for one in sentences("A bb. C dd.\n\nE f.\n \n\nG h.")] == [0, 0, 1, 2]


@given(st.text("ab .!?\n[1]-“”。#", max_size=80))
def test_sentences_stand_in_their_text_in_order(text: str) -> None:
    end = 0
    for one in sentences(text):
        assert text[one.start : one.end] == one.text
        assert one.start >= end
        end = one.end
