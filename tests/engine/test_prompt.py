"""What others said enters a prompt fenced, and only when it may be seen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.engine.play.exchanges import Reply
from moot.engine.play.prompt import Template, fenced
from moot.errors import SecrecyBreach
from moot.record.entry import Draft

SAYS = Template(full="{who} said:\n\n{statement}\n\nAnswer\nthat.", short="{statement} Answer.")


def statement(content: str, **fields: object) -> Draft:
    return Draft("opening", "Ada", "turn", content, **fields)  # type: ignore[arg-type]


@given(st.text(max_size=300))
def test_nothing_inside_a_fence_can_close_it(text: str) -> None:
    quoted = fenced(text, "turn by Ada")
    start, end = quoted.split("\n")[0], quoted.split("\n")[-1]
    mark = end.removeprefix("<<<end ").removesuffix(">>>")
    assert start.endswith(f"{mark}>>>")
    assert mark not in text
    assert quoted == f"{start}\n{text}\n{end}"


def test_a_text_that_knows_its_own_mark_gets_another() -> None:
    mark = fenced("x", "turn").split("<<<end ")[1].removesuffix(">>>")
    assert fenced("x" + mark, "turn").count(mark) == 1


def test_both_forms() -> None:
    prompt = SAYS(who="Ada", statement=statement('so "it" is'))
    assert "Ada said:\n\n<<<turn by Ada " in prompt.text("Bo", small=False)
    assert prompt.text("Bo", small=False).endswith("\n\nAnswer that."), "the template's own line breaks do not count"
    assert prompt.text("Bo", small=True) == "\"so 'it' is\" Answer."


def test_what_is_not_the_readers_is_refused() -> None:
    prompt = SAYS(who="Ada", statement=statement("secret", to=["Ada"]))
    assert "secret" in prompt.text("Ada", small=False)
    for small in (True, False):
        with pytest.raises(SecrecyBreach, match="Bo was about to be shown a turn of Ada"):
            prompt.text("Bo", small=small)


def test_a_reply_cannot_slip_into_a_prompt() -> None:
    reply = Reply("secret", "A/think/1")
    with pytest.raises(TypeError, match="quote the entry"):
        f"{reply}"
    assert "secret" not in repr(reply)
    assert "secret" not in str(reply)


def test_braces_in_facts_are_text() -> None:
    assert Template(full="Topic: {topic}")(topic="{statement} {0}").text("Bo", small=False) == "Topic: {statement} {0}"


def test_items_of_a_list_are_lines_of_their_own() -> None:
    text = Template("Think\nfirst:\n\n- of this\nand that,\n- of {name}.")(name="Ada").text("A", small=False)
    assert text == "Think first:\n\n- of this and that,\n- of Ada."
