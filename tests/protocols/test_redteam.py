"""Red team and blue team: findings that stay open, and teams that fail."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.protocols.redteam import Outcome as Reviewed
from tests.kit.shelf import BAD, briefed, codes, demonstrated


def from_attack(first: int) -> dict[str, Any]:
    """The replies of a review from this attack on, which nobody asks for if red has stopped."""
    parts = ("red/attack", "blue/defence", "red/check")
    return dict.fromkeys(f"{part}/{number}" for part in parts for number in range(first, 4))


def redteam(folder: Path, replies: dict[str, Any] | None = None, **settings: Any) -> tuple[Reviewed, moot.Result]:
    result, _ = demonstrated("redteam", folder, replies, **settings)
    assert isinstance(result.outcome, Reviewed), result.reason
    return result.outcome, result


def test_an_accepted_grave_risk_stays_open(tmp_path: Path) -> None:
    found, result = redteam(tmp_path)
    told = [(one.severity, one.handling, one.closed) for one in found.attacks]
    assert told == [("grave", "mended", True), ("serious", "mended", True), ("grave", "accepted", False)]
    assert not found.holds and found.plan is not None and "Accepted until autumn" in found.plan
    assert result.summary.headline.startswith("Not yet: take the rewritten order of steps")
    assert result.summary.reached.startswith("Not as it is, nor as revised: 2 of 3 findings grave. ")
    assert [point.entries for point in result.summary.brief.because] == [[1], [7]], "the attacks that it cites"
    assert result.summary.brief.firmness == "Firm: blue grants 2 of 2 grave findings."


def test_the_plan_is_written_anew_by_who_knows_what_is_open(tmp_path: Path) -> None:
    result, model = demonstrated(
        "redteam", tmp_path, {"red/check/2": {"reason": "The key is still there.", "closed": False}}
    )
    asked = next(one for one in model.requests if one.key == "blue/plan").messages[-1].content
    assert "<<<red on attack 2 " in asked and "The key is still there." in asked
    assert "<<<red on attack 1 " not in asked
    fields = next(one for one in model.requests if one.key == "blue/defence/1").schema or {}
    assert list(fields["properties"]) == ["thought", "answer", "handling"], "what decides comes after its reasons"
    assert result.status == "done"


def test_a_plan_whose_grave_findings_are_closed_holds_as_revised_alone(tmp_path: Path) -> None:
    mended = {"thought": "x", "answer": "It is mended.", "handling": "mended"}
    closed = {"reason": "It does not work.", "closed": True}
    last = briefed("Yes, as rewritten.", thought="x", attack="It is slow.", severity="serious", go_ahead="revised")
    found, result = redteam(tmp_path, {"blue/defence/3": mended, "red/check/3": closed, "red/again/1": last})
    assert (found.holds, found.holds_as_revised, found.last and found.last.severity) == (False, True, "serious")
    assert result.summary.headline == "Yes, as rewritten"
    assert result.summary.reached == (
        "Not as it is, but as revised: 2 of 3 findings grave. Findings: 3 fixed in the revision."
    )


def test_an_answer_against_the_findings_is_sent_back_once_and_then_flagged(tmp_path: Path) -> None:
    last = briefed("Go ahead.", thought="x", attack="It is slow.", severity="minor", go_ahead="submitted")
    result, model = demonstrated("redteam", tmp_path, {"red/again/1": [last, last]}, require=["holds"])
    asked = [one.messages[-1].content for one in model.requests if one.key == "red/again/1"]
    assert len(asked) == 2 and "By your findings it is: neither" in asked[1]
    assert "answer_contradicts_verdict" in codes(result)
    assert result.summary.headline == "Not as it is, nor as revised: 2 of 3 findings grave", "as it was counted"
    assert result.gate is not None and "answer_contradicts_verdict" in [one.code for one in result.gate.refused]
    better = {**last, "go_ahead": "neither", "answer": "Not yet."}
    result, _ = demonstrated("redteam", tmp_path / "better", {"red/again/1": [last, better]})
    assert (result.summary.headline, codes(result)) == ("Not yet", [])


@pytest.mark.parametrize(
    ("last", "holds"),
    [
        (briefed(thought="x", attack="The old user stays.", severity="fatal", go_ahead="neither"), False),
        (BAD, None),
    ],
)
def test_a_rewritten_plan_is_attacked_once_more_before_it_holds(last: Any, holds: bool | None, tmp_path: Path) -> None:
    mended = {"thought": "x", "answer": "It is mended.", "handling": "mended"}
    closed = {"reason": "It does not work.", "closed": True}
    said = {"blue/defence/3": mended, "red/check/3": closed, "red/again/1": last}
    found, result = redteam(tmp_path, said, require=["holds"], accept_revised=True)
    assert (found.holds, found.holds_as_revised) == (False, holds)
    assert len(found.attacks) == 3, "the last attack is on another plan"
    assert result.gate is not None and result.gate.passed is False


def test_red_reads_the_rewritten_plan(tmp_path: Path) -> None:
    _, model = demonstrated("redteam", tmp_path)
    asked = next(one for one in model.requests if one.key == "red/again/1").messages[-1].content
    assert "<<<rewritten plan " in asked and "Each of the eight databases has two users" in asked


def test_an_attack_without_an_answer_is_open(tmp_path: Path) -> None:
    result, _ = demonstrated("redteam", tmp_path, {"blue/defence/3": BAD})
    assert isinstance(result.outcome, Reviewed)
    assert (result.outcome.attacks[2].closed, result.outcome.holds) == (None, False)


@pytest.mark.parametrize(
    ("second", "holds", "headline"),
    [
        ({"thought": "x", "attack": "", "severity": "none"}, True, "Yes: 0 of 1 finding grave"),
        (BAD, None, "Not known: the red team did not check everything"),
    ],
)
def test_an_attack_that_says_nothing_leaves_the_finding_before_it_alone(
    second: Any, holds: bool | None, headline: str, tmp_path: Path
) -> None:
    disputed = {"blue/defence/1": {"thought": "x", "answer": "It cannot happen.", "handling": "disputed"}}
    found, result = redteam(tmp_path, from_attack(2) | disputed | {"red/attack/2": second, "red/again/1": None})
    assert [(one.severity, one.handling, one.closed) for one in found.attacks] == [("grave", "disputed", True)]
    assert (found.holds, result.summary.headline, result.summary.decided) == (holds, headline, holds is not None)


def test_a_red_team_that_fails_has_found_nothing_out(tmp_path: Path) -> None:
    found, result = redteam(tmp_path, from_attack(1) | {"red/attack/1": BAD, "red/again/1": None}, require=["holds"])
    assert (found.attacks, found.holds, result.summary.decided) == ([], None, False)
    assert "nothing_found" not in codes(result) and "requirement_not_met" in codes(result)


def test_a_check_that_fails_leaves_the_attack_to_be_mended(tmp_path: Path) -> None:
    _, model = demonstrated("redteam", tmp_path, {"red/check/1": BAD})
    asked = next(one for one in model.requests if one.key == "blue/plan").messages[-1].content
    assert "dies before it writes the vault" in asked and "usable reply" not in asked


def test_an_accepted_risk_is_open_whatever_red_says_of_it(tmp_path: Path) -> None:
    closed = {"reason": "It is worth it.", "closed": True}
    result, model = demonstrated("redteam", tmp_path, {"red/check/3": closed})
    assert isinstance(result.outcome, Reviewed)
    assert (result.outcome.attacks[2].closed, result.outcome.holds) == (False, False)
    asked = next(one for one in model.requests if one.key == "blue/plan").messages[-1].content
    assert "<<<red on attack 3 " in asked


def test_a_grave_finding_that_red_did_not_check_is_neither_open_nor_closed(tmp_path: Path) -> None:
    mended = {"thought": "x", "answer": "It is mended.", "handling": "mended"}
    disputed = {**mended, "handling": "disputed"}
    third = {"blue/defence/3": disputed, "red/check/3": {"reason": "It does not work.", "closed": True}}
    found, result = redteam(tmp_path, {"blue/defence/1": disputed, "red/check/1": BAD, **third})
    assert (found.attacks[0].closed, found.holds, result.summary.decided) == (None, None, False)
    assert result.summary.reached.endswith("Findings: 1 open, 1 fixed in the revision, 1 withdrawn.")
    found, _ = redteam(tmp_path / "mended", {"red/check/1": BAD, **third})
    assert (found.holds, found.holds_as_revised) == (False, None), "the plan needed a change, and it is not checked"
    found, _ = redteam(tmp_path / "open", {"red/check/1": BAD})
    assert found.holds is False, "another one is open"


def test_an_attack_that_blue_did_not_answer_is_told_when_the_plan_is_written_anew(tmp_path: Path) -> None:
    _, model = demonstrated("redteam", tmp_path, {"blue/defence/1": BAD, "red/check/1": None})
    asked = next(one for one in model.requests if one.key == "blue/plan").messages[-1].content
    assert "<<<red on attack 1 " in asked and "dies before it writes the vault" in asked


def test_an_attack_of_spaces_is_sent_back(tmp_path: Path) -> None:
    blank = {"thought": "x", "attack": " ", "severity": "grave"}
    said = {"thought": "x", "attack": "It fails on Mondays.", "severity": "grave"}
    result, model = demonstrated("redteam", tmp_path, {"red/attack/1": [blank, said]})
    assert isinstance(result.outcome, Reviewed)
    again = [one.messages[-1].content for one in model.requests if one.key == "red/attack/1"]
    assert "say what the `attack` is" in again[1]
    assert result.outcome.attacks[0].attack == "It fails on Mondays."


def test_a_plan_that_was_not_mended_is_not_called_so(tmp_path: Path) -> None:
    first = {
        "red/attack/1": {"thought": "x", "attack": "It is slow.", "severity": "minor"},
        "blue/defence/1": {"thought": "x", "answer": "It is not.", "handling": "disputed"},
        "red/check/1": {"reason": "It is.", "closed": False},
    }
    end = from_attack(2) | {"red/attack/2": {"thought": "x", "attack": "", "severity": "none"}}
    _, result = redteam(tmp_path, first | end | {"red/again/1": None})
    assert result.summary.headline == "Yes: 0 of 1 finding grave"
