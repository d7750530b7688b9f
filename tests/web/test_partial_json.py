"""Replies as they grow, in words."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import from_json

from moot.web.partial_json import FREE_READING, PartialReply

MOVE = {
    "move": {"choice": "rebut A1", "certain": True, "n": 3},
    "said": 'Not "so".\nAt all 🙂 – né.',
    "more": ["x", ""],
}
TOLD = 'rebut A1\n\nNot "so".\nAt all 🙂 – né.\n\nx'


def read(text: str, size: int) -> str:
    reply = PartialReply()
    return "".join(reply.more(text[at : at + size]) for at in range(0, len(text), size))


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
@pytest.mark.parametrize("frame", ["%s", "\n %s\n", "```json\n%s\n```"])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_of_json_the_texts_are_told_however_it_is_cut(size: int, frame: str, ascii_only: bool) -> None:
    assert read(frame % json.dumps(MOVE, ensure_ascii=ascii_only, indent=1), size) == TOLD


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
"""Surrogates by themselves are no text."""
PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
REPLIES = st.recursive(
    st.lists(PLAIN) | st.dictionaries(TEXTS, PLAIN),
    lambda inner: st.lists(inner | PLAIN) | st.dictionaries(TEXTS, inner | PLAIN),
    max_leaves=5,
)


def texts_in(value: Any) -> list[str]:
    """Those that are not empty, as they come."""
    if isinstance(value, str):
        return [value] if value else []
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inner for text in texts_in(one)]


@given(REPLIES, st.booleans())
def test_at_every_moment_all_is_told_that_the_json_so_far_says(value: Any, ascii_only: bool) -> None:
    reply, told, text = PartialReply(), "", json.dumps(value, ensure_ascii=ascii_only)
    for at, sign in enumerate(text, 1):
        told += reply.more(sign)
        wanted = "\n\n".join(texts_in(from_json(text[:at], allow_partial="trailing-strings")))
        # A long reply is not read again at every letter.
        assert told == wanted if at * at < FREE_READING else wanted.startswith(told)


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    "text", ["Plain {text}, and 🙂.", " `code` first", "```\ncode\n```", "“{” is a brace", '"quoted"']
)
def test_anything_else_is_told_as_it_is(size: int, text: str) -> None:
    assert read(text, size) == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ""),
        ("{", ""),
        ('{"sa', ""),
        ('{"said": "Hal', "Hal"),
        ('{"said": "Hal\\', "Hal"),
        ('{"said": "Hal\\u00e', "Hal"),
        ('{"said": "\\ud83d', ""),
        ('{"said": "So\\ud83dx"}', "So"),
        ('{"said": "So\\uzzzz!"}', "So"),
        ('{"said": "So\nit is"}', "So"),
        ('{"a": "x"}} , "b": ]', "x"),
        ('{"a": "one", "b": "two",}', "one\n\ntwo"),
        ('{"a": "one", "a": "two" "b": "three"}', "one"),
        ('[["one", 2], {"a": {"b": "two"}, "c": "three"}]', "one\n\ntwo\n\nthree"),
    ],
)
def test_what_is_cut_off_or_damaged_is_told_as_far_as_it_goes(text: str, told: str) -> None:
    assert read(text, 1) == told


def test_what_its_author_thinks_first_is_not_shown() -> None:
    reply = PartialReply()
    pieces = ['{"thought": "He is ', 'weak there.", "move": {"content": "That', ' does not follow."}}']
    assert "".join(map(reply.more, pieces)) == "That does not follow."
