"""The burden of proof: who owes a reason for what, what asking and denying are worth, and what stands in the end."""

from collections import Counter
from itertools import product

import pytest

from moot.argument.graph import ArgumentError
from moot.protocols.persuasion.dialogue import passed
from moot.protocols.persuasion.framework import framework, graph_of
from moot.protocols.persuasion.legal import check, legal_moves
from moot.protocols.persuasion.moves import Premise, Proposal
from moot.protocols.persuasion.position import Dialogue
from moot.protocols.persuasion.wording import named_id, normal_form
from tests.kit.dialogues import Player, after_reasons, asker, option, played, reasoner, rebutter, say, start, to_the_end

FACT = Premise("The tests take an hour.", ("K1",))
UNICORNS = tuple(f"Unicorns {one}." for one in "ab")


def left(game: Dialogue) -> set[str]:
    return {one.content for one in framework(to_the_end(game)).arguments}


def labels(game: Dialogue) -> list[str]:
    assert game.place is not None
    return [one.label for one in legal_moves(game, game.place[1])]


def winners(opponent: Player, **how: bool) -> Counter[str | None]:
    games = product(range(1, 9), (1, 2))
    found = (framework(played(rounds, {}, reasoner(count, **how), opponent)) for rounds, count in games)
    return Counter(one.winner for one in found)


def test_who_only_asks_wins_against_those_who_do_not_answer() -> None:
    assert winners(asker) == {"PRO": 16}
    mute = winners(asker, answers=False)
    assert mute["OPP"] > mute["PRO"] > 0, "one question does not strike four reasons"


def test_who_only_denies_wins_against_those_who_do_not_ask() -> None:
    assert winners(rebutter("A1"), asks=True) == {"PRO": 16}
    assert winners(rebutter("A1"), answers=False)["OPP"] > 8
    answered = winners(rebutter("A1"))
    assert answered["PRO"] > answered["OPP"] > 0


def test_an_undercut_with_two_reasons_wins_against_two_bare_reasons() -> None:
    game = say(say(start(1, {}), "claim A1"), "why A1")
    game = say(game, "since A1", "It is slow.", "Nobody knows it.")
    game = say(game, "undercut P2", text="Slow code can be made fast.")
    game = say(game, "why A4")
    game = say(game, "since A4", "It was done before.", "The slow part is known.")
    found = framework(to_the_end(game))
    assert {one.id for one in found.arguments} == {"A1", "A2", "A3", "A4", "A5", "A6"}
    assert [one.score for one in found.arguments if one.id in ("A1", "A4")] == [0.42, 0.7]
    assert found.winner == "OPP"


@pytest.mark.parametrize("label", ["rebut A3", "undercut P3"])
def test_an_attack_that_is_asked_about_in_vain_is_struck(label: str) -> None:
    attacked = say(after_reasons("It is slow."), label, text="It is not so.")
    assert "It is not so." in left(attacked)
    assert "It is not so." not in left(say(attacked, "why A4"))


def test_what_is_withdrawn_and_said_again_is_still_questioned() -> None:
    game = passed(say(say(after_reasons("It is slow.", "Nobody knows it."), "why A3"), "retract A3"))
    assert "It is slow." not in left(say(game, "since A1", "It is slow."))
    answered = say(passed(say(game, "since A1", "It is slow.")), "since A3", "Users complain.")
    assert "It is slow." in left(answered)


def test_a_step_that_is_withdrawn_and_made_again_is_still_undercut() -> None:
    game = say(say(say(start(3), "claim A1"), "rebut A1"), "since A1", "It is slow.")
    game = say(say(game, "undercut P3", text="Slow can be mended."), "since A1", "It is old.")
    game = passed(passed(say(game, "rebut A3", text="It is fast.")))
    again = say(passed(say(game, "retract A3")), "since A1", "It is slow.")
    undercuts = [[one.source for one in framework(one).relations if one.kind == "undercut"] for one in (game, again)]
    assert undercuts == [["A4"], ["A4"]]


def test_a_position_owes_a_reason_unasked() -> None:
    game = say(say(start(1), "claim A1"), "rebut A1")
    assert [move.rule for move in game.moves] == [None, None, "challenge", "challenge"]
    game = say(game, "since A1", "It is slow.")
    assert left(game) == {"We should rewrite it.", "It is slow."}
    assert left(say(game, "since A2", "It pays.")) == {
        "We should rewrite it.",
        "We should not rewrite it.",
        *("It is slow.", "It pays."),
    }


def test_one_question_does_not_let_the_other_reasons_fall() -> None:
    asked = say(after_reasons(*UNICORNS), "why A3")
    assert left(asked) == {"We should rewrite it.", *UNICORNS[1:]}
    assert left(say(asked, "since A3", FACT)) == {"We should rewrite it.", FACT.content, *UNICORNS}


def test_an_answer_is_not_asked_about_in_turn() -> None:
    game = say(say(after_reasons("It is slow."), "why A3"), "since A3", "Users complain.")
    assert "why A4" not in labels(game)
    assert "rebut A4" in labels(game)


def test_what_cannot_be_answered_any_more_is_not_on_offer() -> None:
    game = say(say(start(1), "claim A1"), "rebut A1")
    offered = []
    for _ in range(4):
        offered.append({label.split()[0] for label in labels(game)})
        game = say(game, "since A1" if len(offered) % 2 else "since A2", f"Reason {len(offered)}.")
    assert [one & {"rebut", "undercut"} != set() for one in offered] == [False, True, False, False]
    assert ["why" in one for one in offered] == [False, True, True, False]


def test_who_can_only_give_way_is_not_made_to() -> None:
    game = say(say(say(say(start(1), "claim A1"), "why A1"), "since A1", FACT), "undercut P2", text="No.")
    game = say(game, "since A1", "Nobody knows it.")
    assert "since A3" in labels(game), "the opponent can back its own attack unasked"
    silent = say(say(say(start(1), "claim A1"), "why A1"), "since A1", FACT)
    assert passed(passed(silent)).place == (2, "PRO", "closing")


def test_a_fact_spares_the_question_and_adds_weight() -> None:
    game = say(say(start(1), "claim A1"), "why A1")
    game = say(game, "since A1", FACT, "It is slow.")
    assert [label for label in labels(game) if label.startswith("why")] == ["why A3"]
    scores = {one.id: (one.score, one.state) for one in framework(game).arguments}
    assert scores == {"A1": (0.74, "above"), "A2": (0.7, "above"), "A3": (0.5, "untouched")}


def test_claim_and_denial_weigh_on_each_other() -> None:
    game = say(after_reasons("It is slow."), "since A2", "It pays.")
    found = framework(to_the_end(game))
    assert {one.score for one in found.arguments if one.id in ("A1", "A2")} == {0.461538}
    assert (found.certificate.certificate, found.certificate.unique) == ("contraction", True)
    assert (found.winner, found.decided_by, found.hangs_on_semantics) == (None, "moderator", False)


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
    found = framework(to_the_end(game))
    assert found.counter_root is None
    assert (found.by_semantics["grounded"], found.by_semantics["preferred"]) == ("OPP", "OPP")


def test_what_is_struck_or_withdrawn_stays_in_the_graph_with_its_reason() -> None:
    game = say(say(start(1), "claim A1"), "rebut A1")
    game = say(game, "since A1", "It is slow.")
    game = say(game, "rebut A3", text="It is fast.")
    game = to_the_end(say(game, "retract A3"))
    found, graph = framework(game), graph_of(game)
    assert {one.id: (one.fate, one.reason) for one in found.fallen} == {
        "A1": ("struck", "the reason that was owed for it is missing, in P5"),
        "A2": ("struck", "the reason that was owed for it is missing, in O4"),
        "A3": ("withdrawn", "in P4"),
    }
    assert [one.id for one in found.arguments] == ["A4"]
    assert {(one.source, one.target) for one in found.fallen_relations} == {
        ("A2", "A1"), ("A1", "A2"), ("A3", "A1"), ("A4", "A3"),
    }  # fmt: skip
    assert {one.name for one in graph.fallen} == {"A1", "A2", "A3"}
    with pytest.raises(ArgumentError, match="A3 does not count any more: withdrawn, in P4"):
        graph.number("A3")
