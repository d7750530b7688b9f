"""Who won a persuasion dialogue, and by what."""

from pathlib import Path

import pytest

from moot.cli.stage import REQUIREMENT_MISSED, exit_code
from tests.kit.persuasions import CLEAR, LEVEL, SILENT, Replies, outcome, persuade, say


def test_a_root_given_up_in_the_closing_ends_nothing_early(tmp_path: Path) -> None:
    result, _ = persuade(tmp_path, {"opponent/closing": {"statement": "You win.", "give_up": ["concede A1"]}})
    assert (outcome(result).ended, outcome(result).ended_early) == ("the claim was conceded by the opponent", False)


def test_a_moderator_who_decides_against_the_semantics_is_seen_to(tmp_path: Path) -> None:
    result, _ = persuade(tmp_path, game=LEVEL)
    found = outcome(result)
    assert (found.winner, found.decided_by, found.by_semantics["dfquad"]) == ("Olaf", "moderator", "PRO")
    assert found.hangs_on_semantics is True
    agreeing, _ = persuade(
        tmp_path / "other",
        {"moderator/rationale": {"winner": "Pia", "rationale": "A1.", "cites": ["A1"], "strongest": []}},
        LEVEL,
    )
    # With Pia the scores agree, but the extensions do not: an undercut that both grant defeats φ, and ¬φ is not there.
    found = outcome(agreeing)
    assert (found.by_semantics["dfquad"], found.by_semantics["grounded"]) == ("PRO", "OPP")
    assert (found.by_semantics["preferred"], found.hangs_on_semantics) == ("OPP", True)
    clear, _ = persuade(tmp_path / "clear", CLEAR)
    assert set(outcome(clear).by_semantics.values()) == {"PRO"}
    assert outcome(clear).hangs_on_semantics is False


def test_a_moderator_who_names_nobody_decides_nothing(tmp_path: Path) -> None:
    result, _ = persuade(tmp_path, {"moderator/rationale": "?"}, LEVEL)
    found = outcome(result)
    assert (result.status, found.winner, found.decided_by) == ("done", None, "nothing")
    assert result.summary.headline == "No answer: the cases come out level, and the moderator named no winner"
    assert any(flag.code == "no_winner" and "no usable reply in 2 tries" in flag.text for flag in result.flags)


def test_nobody_wins_a_debate_in_which_nobody_speaks(tmp_path: Path) -> None:
    result, model = persuade(tmp_path, game=SILENT, require=["winner"])
    found = outcome(result)
    assert (result.status, found.winner, found.decided_by, found.took_part) == ("done", None, "nothing", [])
    assert not any(one.agent == "moderator" for one in model.requests), "there is nothing to judge"
    assert {"no_winner", "side_silent", "requirement_not_met"} <= {flag.code for flag in result.flags}
    assert (result.summary.headline, result.summary.decided) == ("No answer: neither side made a move", False)
    assert exit_code(result) == REQUIREMENT_MISSED


def test_an_opponent_who_never_spoke_does_not_win(tmp_path: Path) -> None:
    claim: Replies = {
        **SILENT,
        "proponent/move/0": say("claim A1", "Let us."),
        "moderator/rationale": {"winner": "nobody", "rationale": "A1 has no reason.", "cites": ["A1"], "strongest": []},
        "moderator/findings": LEVEL["moderator/findings"],
    }
    result, _ = persuade(tmp_path, game=claim)
    found = outcome(result)
    assert (found.winner, found.decided_by, found.took_part, found.unmet_burden) == (None, "nothing", ["PRO"], True)
    assert "and nobody spoke against it" in result.summary.reached
    assert result.summary.brief.answer is None, "it follows a side, and no side won"


@pytest.mark.parametrize(("require", "met"), [("winner", True), ("proponent", True), ("opponent", False)])
def test_a_winner_can_be_required(tmp_path: Path, require: str, met: bool) -> None:
    result, _ = persuade(tmp_path, CLEAR, require=[require])
    assert result.gate is not None and result.gate.passed is met
    assert exit_code(result) == (0 if met else REQUIREMENT_MISSED)
    assert ("requirement_not_met" in {flag.code for flag in result.flags}) is not met
