"""The validator rules on every finding and grades what it requires."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.testing import ScriptedModel
from tests.kit.panels import labels, opinion, panel, rules, ruling

RAISED: dict[str, Any] = {
    "critic/round/1": opinion(findings=[{"claim": "It loses orders.", "severity": "grave"}]),
    "advocate/round/1": opinion(findings=[{"claim": "It is slow.", "severity": "minor"}]),
}
ON_F1, ON_F2 = {"finding": "F1", "holds": False}, {"finding": "F2", "holds": True}


def judged(folder: Path, *rulings: Any) -> tuple[moot.Result, ScriptedModel, list[str]]:
    """A panel with two findings, the replies of its validator, and what is asked for again."""
    result, model = panel(folder, {**RAISED, "validator/rule/2": [*rulings]}, require="accept")
    asked = [one.messages[-1].content for one in model.requests if one.key == "validator/rule/2"]
    return result, model, asked[1:]


def states(result: moot.Result) -> dict[str, str]:
    return {one.id: one.state for one in result.findings}


def test_a_finding_that_the_validator_leaves_out_is_asked_for_by_its_number(tmp_path: Path) -> None:
    result, _, again = judged(tmp_path, ruling(findings=[ON_F2]), ruling(findings=[ON_F1, ON_F2]))
    assert len(again) == 1 and "no ruling on F1:" in again[0]
    assert states(result) == {"F1": "withdrawn", "F2": "open"}
    assert result.gate is not None and result.gate.passed
    assert moot.verify(result.stored).faults == []


def test_one_that_is_left_out_again_stands(tmp_path: Path) -> None:
    result, _, again = judged(tmp_path, ruling(findings=[]), ruling(findings=[ON_F2]))
    assert len(again) == 1 and "no ruling on F1 and F2:" in again[0]
    assert states(result) == {"F1": "open", "F2": "open"}
    assert result.gate is not None and [one.code for one in result.gate.refused] == ["findings_stand"]


def test_the_request_asks_for_a_ruling_on_each(tmp_path: Path) -> None:
    _, model, again = judged(tmp_path, ruling(findings=[ON_F1, ON_F2]))
    schema = next(one.schema for one in model.requests if one.key == "validator/rule/2") or {}
    asked = schema["properties"]["findings"]
    assert (again, asked["minItems"], asked["maxItems"]) == ([], 2, 2)


@pytest.mark.parametrize("severity", ["minor", "fatal"])
def test_what_the_validator_requires_has_the_severity_that_it_gives(severity: str, tmp_path: Path) -> None:
    required = [{"change": "Say where.", "severity": severity}]
    said = labels(*["modify"] * 4) | rules("modify", modifications_required=required)
    result, _ = panel(tmp_path, said, max_revisions=0)
    assert [(one.claim, one.severity, one.raised_by) for one in result.findings] == [
        ("Say where.", severity, ["Validator"])
    ]


def test_what_only_panellists_ask_for_is_what_they_would_not_let_pass_without(tmp_path: Path) -> None:
    asked = {f"{who}/round/{n}": opinion("modify", modifications=["Say where."]) for who in ("critic",) for n in (1, 2)}
    others = labels("modify", "modify", "modify", by=("innovator", "pragmatist", "advocate"))
    result, _ = panel(tmp_path, {**others, **asked, **rules("modify")}, max_revisions=0)
    assert [(one.claim, one.severity, one.raised_by) for one in result.findings] == [
        ("Say where.", "grave", ["Critic"])
    ]


def test_a_change_that_is_voted_on_has_the_validators_severity(tmp_path: Path) -> None:
    said = {
        f"{who}/round/{n}": opinion(None, modifications=[])
        for who in ("innovator", "pragmatist", "advocate")
        for n in (1, 2)
    }
    said |= {f"critic/round/{n}": opinion(None, modifications=["Add a cache."]) for n in (1, 2)}
    said["validator/rule/2"] = ruling(None, votes={"M1": "yes"}, severities={"M1": "minor"})
    result, _ = panel(tmp_path, said, kind="improvement")
    assert [(one.claim, one.severity) for one in result.findings] == [("Add a cache.", "minor")]
