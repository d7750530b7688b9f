"""Commitments that clash, attacks that are two things at once, and facts that have nothing to do with a claim."""

from pathlib import Path

import pytest

import moot
from moot.protocols.persuasion.dialogue import finished, passed
from moot.protocols.persuasion.framework import framework
from moot.protocols.persuasion.legal import check, legal_moves
from moot.protocols.persuasion.moves import Premise, Proposal
from moot.protocols.persuasion.payloads import DialogueMove
from moot.protocols.persuasion.position import Dialogue
from moot.protocols.persuasion.prompts import offered
from tests.kit.dialogues import after_reasons, option, say
from tests.kit.persuasions import Replies, outcome, persuade
from tests.kit.persuasions import say as reply
from tests.kit.runs import asked, entries


def fault(game: Dialogue, label: str, text: str, *premises: str) -> str:
    assert game.place is not None
    proposal = Proposal(option(game, label), text, tuple(map(Premise, premises)))
    return check(game, game.place[1], proposal) or ""


def test_the_other_sides_rebuttal_is_no_reason_for_what_it_rebuts() -> None:
    game = say(after_reasons(), "rebut A3", text="It is fast.")  # A5
    assert fault(game, "since A3", "So it is.", "A5") == "A5 was put forward against A3: it cannot be a reason for it"
    assert fault(game, "since A1", "So it is.", "It is fast.") == (
        "A5 is against A3, which you hold: nobody is committed to both"
    )


def test_who_grants_what_is_said_against_a_position_keeps_the_position() -> None:
    game = say(passed(after_reasons()), "rebut A2", text="Patches failed.")  # A5
    assert "`concede A5`\n" in offered(game, legal_moves(game, "OPP")) + "\n", "at no further cost"
    game = say(game, "concede A5")
    assert game.ended is None
    assert game.stores["OPP"] == {"A2", "A5"}
    found = framework(game)
    assert ("A5", "A2", "rebut") in {(one.source, one.target, one.kind) for one in found.relations}


def test_a_concession_says_what_goes_with_it_in_the_end() -> None:
    game = say(after_reasons("It is slow."), "rebut A3", text="It is fast.")  # A4
    assert "`concede A4` (costs you A3)" in offered(game, legal_moves(game, "PRO"))
    while game.place and game.place[2] != "closing":
        game = passed(game)
    # Without A3 nothing is left for A1, and nothing can be said any more.
    assert "`concede A4` (you lose the dialogue)" in offered(game, legal_moves(game, "PRO"))
    assert finished(say(game, "concede A4")).ended == "the claim was left without a reason by the proponent"


def test_a_claim_that_is_an_id_stands_for_what_it_names() -> None:
    game = passed(say(after_reasons(), "undercut P3", text="That does not follow."))  # A5
    assert fault(game, "rebut A1", "A5") == "A5 undercuts A1 already, and an argument is against another in one way"
    assert "that is A4, which the other side has put forward" in fault(game, "rebut A3", "A4")
    assert "A9 is no proposition on record" in fault(game, "rebut A3", " A9 ")
    assert "K9 is not in the shared context" in fault(game, "rebut A3", "K9")
    rebutted = say(game, "rebut A3", text="K1")
    put = rebutted.propositions["A6"]
    assert (put.content, put.evidence, put.bears) == (rebutted.facts["K1"], ("K1",), ("K1",))


def test_what_was_granted_is_not_turned_against_its_holder() -> None:
    game = say(say(after_reasons(), "undercut P3", text="Slow is fine."), "concede A5")
    assert "the other side has granted A5" in fault(game, "rebut A4", "Slow is fine.")


def moves(result: moot.Result) -> dict[str, DialogueMove]:
    return {one.data.id: one.data for one in entries(result) if isinstance(one.data, DialogueMove)}


@pytest.mark.usefixtures("reports_are_read")
def test_the_moderator_can_find_that_a_fact_does_not_bear(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("We should rewrite it: the code is slow.\n", "utf-8")
    cited: Replies = {
        "opponent/move/3": reply("undercut P3", "Slow code can be made fast [K1]."),
        "moderator@3/look": {"ruling": "stands", "reason": "Fair.", "does_not_bear": ["K1 for the claim"]},
    }
    result, model = persuade(tmp_path / "a", cited, evidence=[str(tmp_path / "notes.md")])
    looked = asked(model, "moderator@3/look")
    assert "cited for, or none: K1 for the claim." in looked
    assert "We should rewrite it: the code is slow." in looked
    [put] = moves(result)["O3"].puts
    assert (put.evidence, put.bears) == (["K1"], [])
    report = (moot.find_run(result.run).path / "report.md").read_text("utf-8")
    assert "K1 does not bear on it" in report
    accepted, _ = persuade(
        tmp_path / "b",
        {"opponent/move/3": cited["opponent/move/3"], "opponent/move/5": "?"},
        evidence=[str(tmp_path / "notes.md")],
    )
    assert moves(accepted)["O3"].puts[0].bears == ["K1"]
    found = outcome(accepted).framework
    assert found is not None
    assert {one.id: one.score for one in found.arguments}["A5"] == 0.7
