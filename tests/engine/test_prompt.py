"""What others said enters a prompt fenced, and only when it may be seen."""

from importlib import import_module
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.engine.play.exchanges import Reply
from moot.engine.play.prompt import Template, fenced, small_forms
from moot.errors import SecrecyBreach
from moot.record.entry import Draft
from tests.kit.sources import SOURCE

SAYS = Template(full="{who} said:\n\n{statement}\n\nAnswer\nthat.", short="{statement} Answer.", opening="I, {who},")


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


def test_both_forms_and_the_opening() -> None:
    prompt = SAYS(who="Ada", statement=statement('so "it" is'))
    assert "Ada said:\n\n<<<turn by Ada " in prompt.text("Bo", small=False)
    assert prompt.text("Bo", small=False).endswith("\n\nAnswer that."), "the template's own line breaks do not count"
    assert prompt.text("Bo", small=True) == "\"so 'it' is\" Answer."
    assert prompt.first_words("Bo", "") == "I, Ada,"


PROTOCOLS = SOURCE / "protocols"
SHIPPED = sorted(path.parent.name for path in PROTOCOLS.glob("*/prompts.small.yaml"))


@pytest.mark.parametrize("package", ["moot.protocols", *(f"moot.protocols.{name}" for name in SHIPPED)])
def test_small_forms_stand_beside_the_prompts_of_a_protocol(package: str) -> None:
    import_module(package)
    forms = small_forms(package)
    assert len(forms) == (files(package) / "prompts.small.yaml").read_text("utf-8").count("\n  ") - sum(
        bool(form.short) + bool(form.opening) for form in forms.values()
    ), "each name in the file is that of a template"
    assert all(form.full == template.full and (form.short or form.opening) for template, form in forms.items())


def test_a_prompt_takes_its_small_form_from_its_package() -> None:
    from moot.protocols.duel.prompts import ANNOUNCE_FREELY

    prompt = ANNOUNCE_FREELY(a="Ada", b="Bo", outcome="Ada won.", ruling="The winner is Ada.")
    assert prompt.text("Kim", small=True) == prompt.text("Kim", small=False), "none without a package"
    package = "moot.protocols.duel"
    assert (prompt.text("Kim", small=True, package=package), prompt.first_words("Kim", package)) == (
        "Ada won. Tell Ada and Bo why.",
        "The winner is Ada.",
    )
    assert prompt.first_words("Kim", "not.there") == ""


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
