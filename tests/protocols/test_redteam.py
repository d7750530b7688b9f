"""Red team and blue team: what holds as submitted and as revised, and teams that fail."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.protocols.redteam import Outcome
from tests.kit.shelf import BAD, briefed, codes, demonstrated

GRAVE = {"thought": "x", "attack": "It fails on Mondays.", "severity": "grave"}
NOTHING = {"thought": "x", "attack": "", "severity": "none"}
RAN = {"red/attack/3": NOTHING, "blue/defence/3": None}
"""Red stops after two attacks."""


def answered(handling: str) -> dict[str, Any]:
    return {"thought": "x", "answer": "This is what we do.", "handling": handling}


def last(go_ahead: str, *residuals: str, severity: str = "minor", answer: str = "Not yet.") -> dict[str, Any]:
    """Red's last reply, with what is left of each attack."""
    left = {f"A{number}": one for number, one in enumerate(residuals, 1)}
    return briefed(answer, thought="x", residuals=left, attack="It is slow.", severity=severity, go_ahead=go_ahead)


def redteam(
    folder: Path, replies: dict[str, Any] | None = None, **settings: Any
) -> tuple[Outcome, moot.Result, list[moot.Request]]:
    result, model = demonstrated("redteam", folder, replies, **settings)
    assert isinstance(result.outcome, Outcome), result.reason
    return result.outcome, result, model.requests


def sent(requests: list[moot.Request], key: str) -> list[str]:
    return [one.messages[-1].content for one in requests if one.key == key]


def test_the_demonstration(tmp_path: Path) -> None:
    found, result, requests = redteam(tmp_path)
    told = [(one.severity, one.handling, one.residual, one.state) for one in found.attacks]
    assert told == [
        ("grave", "mended", "none", "mended"),
        ("serious", "mended", "none", "mended"),
        ("grave", "accepted", "grave", "accepted"),
    ]
    assert (found.holds, found.holds_as_revised, len(found.attacks)) == (False, False, 3)
    assert [point.entries for point in result.summary.brief.because] == [[1], [5]], "the attacks that it cites"
    assert result.summary.brief.firmness == "Firm: blue grants 2 of 2 grave findings."
    assert "Each of the eight databases has two users" in sent(requests, "red/again/1")[0]
    assert "The order is turned round." in sent(requests, "red/attack/2")[0], "red hears what blue answered"
    assert {one.key for one in requests if one.schema and next(iter(one.schema["properties"])) != "thought"} == set()


CASES: dict[str, tuple[dict[str, Any], tuple[bool | None, bool | None], list[str]]] = {
    "all closed holds as revised alone": (
        {"blue/defence/3": answered("mended"), "red/again/1": last("revised", "none", "none", "none")},
        (False, True),
        ["mended", "mended", "mended"],
    ),
    "what was mended in part is judged by what is left": (
        {"blue/defence/3": answered("partly"), "red/again/1": last("revised", "none", "none", "moderate")},
        (False, True),
        ["mended", "mended", "open"],
    ),
    "what was promised and is not in the new plan": (
        {"blue/defence/3": answered("mended"), "red/again/1": last("neither", "grave", "none", "none")},
        (False, False),
        ["open", "mended", "mended"],
    ),
    "a new attack on the new plan": (
        {
            "blue/defence/3": answered("mended"),
            "red/again/1": last("neither", "none", "none", "none", severity="fatal"),
        },
        (False, False),
        ["mended", "mended", "mended"],
    ),
    "an accepted risk stays, whatever red says of it": (
        {"red/again/1": last("neither", "none", "none", "none")},
        (False, False),
        ["mended", "mended", "accepted"],
    ),
    "rightly disputed": (
        {
            **RAN,
            "blue/defence/1": answered("disputed"),
            "blue/defence/2": answered("disputed"),
            "red/again/1": last("submitted", "none", "minor"),
        },
        (True, True),
        ["withdrawn", "open"],
    ),
    "red does not check": (
        {**RAN, "blue/defence/1": answered("disputed"), "red/again/1": BAD},
        (None, None),
        ["open", "open"],
    ),
    "red does not check what had to be mended": ({"red/again/1": BAD}, (False, False), ["open", "open", "accepted"]),
    "an attack that failed": (
        {"red/attack/2": BAD, "blue/defence/2": None, "red/attack/3": None, "blue/defence/3": None}
        | {"blue/defence/1": answered("disputed"), "red/again/1": last("neither", "none")},
        (None, None),
        ["withdrawn"],
    ),
    "blue does not answer": (
        {"blue/defence/3": BAD, "red/again/1": last("neither", "none", "none", "grave")},
        (False, False),
        ["mended", "mended", "open"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_holds(name: str, tmp_path: Path) -> None:
    replies, holds, states = CASES[name]
    found, result, _ = redteam(tmp_path, replies, require=["holds"])
    assert (found.holds, found.holds_as_revised) == holds
    assert [one.state for one in found.attacks] == states == [one.state for one in result.findings]
    assert result.summary.decided == (found.holds is not None)
    assert result.gate is not None and result.gate.passed == (found.holds is True)


def test_an_answer_against_the_findings_is_sent_back_once_and_then_flagged(tmp_path: Path) -> None:
    wrong = last("submitted", "none", "none", "grave", answer="Go ahead.")
    _, result, requests = redteam(tmp_path, {"red/again/1": [wrong, wrong]}, require=["holds"])
    asked = sent(requests, "red/again/1")
    assert len(asked) == 2 and "`go_ahead` is submitted" in asked[1]
    assert "answer_contradicts_verdict" in codes(result)
    assert result.summary.headline == "It does not hold as it is, nor as revised: 2 of 3 findings grave", "counted"
    better = last("neither", "none", "none", "grave")
    _, result, _ = redteam(tmp_path / "better", {"red/again/1": [wrong, better]})
    assert (result.summary.headline, codes(result)) == ("Not yet", [])


def test_findings_need_no_answer_beside_them(tmp_path: Path) -> None:
    said = last("neither", "none", "none", "grave")
    del said["answer"]
    found, result, requests = redteam(tmp_path, {"red/again/1": said})
    assert (len(sent(requests, "red/again/1")), found.holds_as_revised) == (1, False)
    assert result.summary.headline == "It does not hold as it is, nor as revised: 2 of 3 findings grave", "counted"


@pytest.mark.parametrize("first", [NOTHING, {**GRAVE, "attack": "  "}, BAD])
def test_a_red_team_that_says_nothing(first: Any, tmp_path: Path) -> None:
    rest = {f"{key}/{number}": None for key in ("red/attack", "blue/defence") for number in (1, 2, 3)}
    given = {**rest, "red/attack/1": first, "blue/plan": None, "red/again/1": None}
    found, result, requests = redteam(tmp_path, given, require=["holds"])
    failed = first is BAD
    assert (found.attacks, found.holds, found.plan) == ([], None if failed else True, None)
    assert ("nothing_found" in codes(result)) is not failed
    assert {one.agent for one in requests} == {"red"}, "there is nothing to rewrite"


def test_a_gate_can_take_the_rewritten_plan(tmp_path: Path) -> None:
    mended = {"blue/defence/3": answered("mended"), "red/again/1": last("revised", "none", "none", "none")}
    for takes in (False, True):
        _, result, _ = redteam(tmp_path / str(takes), mended, require=["holds"], accept_revised=takes)
        assert result.gate is not None and result.gate.passed is takes
