"""A debate as one text that grows: what was sent stays, and what changes is said."""

import pytest
from markdown_it import MarkdownIt

import moot
from moot.engine.define.registry import find_offered
from moot.engine.staging.statements import Statement
from moot.service.host import Silent, Speaking, Written
from moot.web.telling import ANEW, CHANGED, Telling
from tests.kit.hostile import PAYLOADS, WORST

EXPECTED = {"A/turn/1": Statement("Ada", None), "B/turn/2": Statement("Bo", "argument")}


def telling() -> Telling:
    return Telling(find_offered("council").protocol, EXPECTED)


def entry(call: str, speaker: str, content: str, seq: int = 1) -> Written:
    made = moot.Entry(
        seq=seq,
        timestamp="2026-01-01T00:00:00Z",
        phase="debate",
        speaker=speaker,
        type="speech",
        content=content,
        call=call,
    )
    return Written(made)


def spoken(tell: Telling, key: str, text: str, size: int = 3) -> list[str]:
    starts = range(0, len(text), size)
    return [tell.hear(Speaking(key, "x", "speaks", start, text[start : start + size])) for start in starts]


def test_words_come_as_they_are_said_and_the_rest_with_the_entry() -> None:
    tell = telling()
    pieces = spoken(tell, "A/turn/1", "It is so, and for good reasons.")
    assert sum(map(bool, pieces)) > 3
    assert "".join(pieces) == "**Ada**:\n\n> It is so, and for good"
    assert tell.hear(Silent("A/turn/1")) == " reasons."
    assert tell.hear(entry("A/turn/1", "Ada", "It is so, and for good reasons.")) == "\n\n(speech)\n\n"
    assert tell.end() == ""


def test_of_a_structured_reply_only_the_statement_is_told() -> None:
    tell = telling()
    reply = '{"thought": "I must hide this.", "argument": "It is not so at all.", "quotes": ["Secret."]}'
    assert "".join(spoken(tell, "B/turn/2", reply)) == "**Bo**:\n\n> It is not so at"
    assert tell.hear(entry("B/turn/2", "Bo", "It is not so at all.")) == " all.\n\n(speech)\n\n"


def test_words_before_a_structured_reply_open_no_way_to_its_thoughts() -> None:
    tell = telling()
    reply = 'My answer: {"thought": "I must hide this.", "argument": "It is not so at all."}'
    assert "".join(spoken(tell, "B/turn/2", reply)) == ""
    assert tell.hear(entry("B/turn/2", "Bo", "It is not so at all.")).endswith("> It is not so at all.\n\n")


def test_calls_that_are_not_expected_are_told_with_their_entries() -> None:
    tell = telling()
    assert spoken(tell, "A/think/1", "A private thought that nobody else may hear.") == [""] * 15
    assert tell.hear(entry("C/turn/1", "Cy", "Now.")) == "**Cy** (speech):\n\n> Now.\n\n"


def test_others_follow_when_the_one_who_speaks_has_ended() -> None:
    tell = telling()
    first = "".join(spoken(tell, "A/turn/1", "One two three"))
    assert spoken(tell, "B/turn/2", '{"argument": "Four five six"}') == [""] * 10
    assert tell.hear(entry("C/turn/1", "Cy", "Seven.")) == ""
    rest = tell.hear(Silent("A/turn/1"))
    assert first + rest == "**Ada**:\n\n> One two three\n\n**Cy** (speech):\n\n> Seven.\n\n**Bo**:\n\n> Four five"
    assert tell.hear(entry("B/turn/2", "Bo", "Four five six")) == " six\n\n(speech)\n\n"
    assert tell.hear(entry("A/turn/1", "Ada", "One two three")) == "**Ada** (speech)\n\n"


def test_what_is_begun_anew_or_stands_differently_is_said() -> None:
    tell = telling()
    spoken(tell, "A/turn/1", "One two three")
    again = "".join(spoken(tell, "A/turn/1", "Four five six"))
    assert again == f"\n\n{ANEW}**Ada**:\n\n> Four five"
    struck = tell.hear(entry("A/turn/1", "Ada", "Four (struck)"))
    assert struck == f"\n\n{CHANGED}**Ada** (speech):\n\n> Four (struck)\n\n"


def test_a_debate_that_ends_in_mid_sentence_is_told_so_far() -> None:
    tell = telling()
    spoken(tell, "A/turn/1", "One two three")
    spoken(tell, "B/turn/2", '{"argument": "Four five six"}')
    assert tell.end() == " three\n\n"


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
@pytest.mark.parametrize("text", [*PAYLOADS, WORST, "1. one\n2. two\n- three\n---\n=== x\n# y"])
def test_hostile_text_stays_text_in_pieces_of_any_size(text: str, size: int) -> None:
    tell = telling()
    told = "".join(spoken(tell, "A/turn/1", text, size)) + tell.hear(entry("A/turn/1", "Ada", text))
    assert CHANGED not in told and ANEW not in told
    harmful = {"link_open", "image", "heading_open", "html_block", "html_inline", "fence", "table_open", "hr"}
    tokens = MarkdownIt("commonmark").enable("table").parse(told + "after")
    inner = [child for token in tokens for child in token.children or []]
    assert {token.type for token in (*tokens, *inner)} & harmful == set()
    assert tokens[-2].content == "after" and tokens[-2].level == 1, "it has not swallowed what follows"
