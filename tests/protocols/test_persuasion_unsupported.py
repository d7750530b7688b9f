"""No unsupported assertion is left in the end, on either side, and none is another in a different spelling."""

import pytest

from moot.protocols.persuasion.dialogue import finished, passed
from moot.protocols.persuasion.framework import framework
from moot.protocols.persuasion.legal import check, legal_moves
from moot.protocols.persuasion.moves import Dialogue, Premise, Proposal
from moot.protocols.persuasion.wording import named_id, normal_form
from tests.kit.dialogues import after_reasons, option, say, start

FACT = Premise("The tests take an hour.", ("K1",))
UNICORNS = tuple(f"Unicorns {one}." for one in "abcd")


def left(game: Dialogue) -> set[str]:
    """What stands when the rest of the dialogue is passed over."""
    while game.place and not game.ended:
        game = passed(game)
    return {one.content for one in framework(finished(game)).arguments}


def test_reasons_of_the_last_turn_need_facts() -> None:
    """The opponent speaks last, so nobody can ask why any more."""
    game = say(say(start(1), "claim A1"), "rebut A1")
    game = passed(passed(say(game, "since A1", FACT)))
    game = say(game, "since A2", *UNICORNS)
    assert left(game) == {"We should rewrite it.", FACT.content}


def test_what_is_granted_in_the_closing_stands() -> None:
    game = passed(say(say(say(start(1), "claim A1"), "rebut A1"), "since A1", FACT))
    game = passed(say(game, "since A1", *UNICORNS))
    game = say(passed(game), "concede A4")
    assert left(game) == {"We should rewrite it.", FACT.content, "Unicorns a."}


def test_one_question_does_not_let_the_other_reasons_pass() -> None:
    asked = say(say(say(say(start(1), "claim A1"), "rebut A1"), "since A1", *UNICORNS), "why A3")
    assert left(say(asked, "since A3", FACT)) == {"We should rewrite it.", "Unicorns a.", FACT.content}


def test_a_premise_that_was_let_pass_stands() -> None:
    game = say(say(say(start(1), "claim A1"), "rebut A1"), "since A1", *UNICORNS)
    assert left(say(game, "rebut A3", text="There are none.")) == {"We should rewrite it.", *UNICORNS}


def test_the_proponent_can_question_the_opponents_premises() -> None:
    game = passed(passed(say(say(start(2), "claim A1"), "rebut A1")))
    game = say(passed(game), "since A2", "Unicorns a.")
    game = passed(passed(game))
    assert "why A3" in [one.label for one in legal_moves(game, "PRO")]
    assert "Unicorns a." not in left(say(game, "why A3"))


@pytest.mark.parametrize(
    "text",
    [
        "We should rewrite it",
        "we should rewrite it!",
        "“We should rewrite it.”",
        "A1.",
        "[A1]",
        "a1",
        "(A1)",
        "We should rewrite it [A1]",
        "A1: We should rewrite it.",
        "**We should rewrite it**",
    ],
)
def test_what_is_under_debate_is_no_reason_in_any_spelling(text: str) -> None:
    game = say(say(start(1), "claim A1"), "rebut A1")
    assert check(game, "PRO", Proposal(option(game, "since A1"), "So.", (Premise(text),))) is not None


@pytest.mark.parametrize("text", ["We should not rewrite it", "[A2]", "'we should not rewrite it'"])
def test_the_denial_is_no_undercut_in_any_spelling(text: str) -> None:
    game = say(say(say(start(1), "claim A1"), "rebut A1"), "since A1", FACT)
    assert check(game, "OPP", Proposal(option(game, "undercut P3"), text)) is not None
    assert check(game, "OPP", Proposal(option(game, "rebut A3"), text)) is not None


def test_texts_that_differ_in_more_are_different() -> None:
    texts = ["Use C.", "Use C++.", "Use C#.", "A4 paper is white.", "A5 paper is white.", "1.5 %", "15 %", "कि", "की"]
    assert len({normal_form(one) for one in texts}) == len(texts)
    assert [named_id(one) for one in ("[k2].", "(A3)", "A4 paper", "A")] == ["K2", "A3", None, None]


def test_an_undercut_that_was_granted_is_no_reason_by_a_detour() -> None:
    game = say(after_reasons("It is slow."), "undercut P3", text="Slow is not wrong.")
    game = passed(say(game, "concede A4"))
    # A3 is a reason for φ, so that what is against φ cannot be one for A3.
    game = say(passed(game), "why A3")
    wrong = check(game, "PRO", Proposal(option(game, "since A3"), "So.", (Premise("A4"),)))
    assert wrong == "A4 was put forward against A1: it cannot be a reason for it"


def test_extensions_see_that_a_claim_is_defeated_without_a_denial() -> None:
    game = say(say(say(start(1), "claim A1"), "why A1"), "since A1", FACT)
    game = say(game, "undercut P2", text="An hour of tests is no reason.", evidence="K1")
    found = framework(finished(passed(passed(game))))
    assert found.counter_root is None
    assert (found.by_semantics["grounded"], found.by_semantics["preferred"]) == ("OPP", "OPP")
