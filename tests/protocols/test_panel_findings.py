"""The validator rules on every finding and grades what it requires."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.protocols.panel.payloads import Position
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


def test_a_finding_that_the_validator_leaves_out_stays_open(tmp_path: Path) -> None:
    result, _, again = judged(tmp_path, ruling(findings=[{**ON_F2, "holds": False}]))
    assert (again, states(result)) == ([], {"F1": "open", "F2": "withdrawn"})
    assert result.gate is not None and [one.code for one in result.gate.refused] == ["findings_stand"]
    ruled = next(entry for entry in result.stored.entries() if entry.type == "synthesis")
    assert "Left open:\n- F1" in ruled.content
    assert moot.verify(result.stored).faults == []


@pytest.mark.parametrize("lacking", [{"finding": "F1"}, {"holds": False}, {"finding": "F9", "holds": False}, "F1"])
def test_a_ruling_that_cannot_be_read_costs_no_other(lacking: Any, tmp_path: Path) -> None:
    result, _, again = judged(tmp_path, ruling(findings=[lacking, {**ON_F2, "holds": False}]))
    assert (again, states(result)) == ([], {"F1": "open", "F2": "withdrawn"})
    calls = (result.stored.path / "calls.jsonl").read_text("utf-8")
    assert "an item is left out" in calls, "it is on record"


def test_a_position_is_read_without_the_items_that_cannot_be(tmp_path: Path) -> None:
    to = {"to": "Critic", "text": "It will not."}
    said = opinion(
        responses=[{**to, "stance": "torn"}, {**to, "stance": "disagree"}],
        findings=[{"claim": "It is dear."}, {"claim": "It is late.", "severity": "minor"}],
        confirms=["F7", "F1"],
    )
    result, model = panel(tmp_path, {**RAISED, "advocate/round/2": said})
    assert sum(one.key == "advocate/round/2" for one in model.requests) == 1
    entries = [one for one in result.stored.entries() if one.speaker == "Advocate" and one.type == "position"]
    data = entries[-1].data
    assert isinstance(data, Position) and data.confirms == ["F1"]
    assert [one.stance for one in data.responses] == ["disagree"]
    assert [one.claim for one in data.findings] == ["It is late."]


def test_what_is_beyond_the_bounds_of_a_list_is_kept_if_it_can_be_read(tmp_path: Path) -> None:
    raised = [{"claim": f"It lacks part {number}.", "severity": "minor"} for number in range(14)]
    said = opinion(findings=[*raised[:12], {"claim": "It is dear."}, *raised[12:]])
    result, _ = panel(tmp_path, {"advocate/round/1": said})
    assert [one.claim for one in result.findings] == [one["claim"] for one in raised]


def test_a_label_counts_without_reasoning(tmp_path: Path) -> None:
    said = ruling(findings=[ON_F1, ON_F2])
    del said["reasoning"]
    result, model, again = judged(tmp_path, said)
    assert (again, result.status, states(result)) == ([], "done", {"F1": "withdrawn", "F2": "open"})
    schema = next(one.schema for one in model.requests if one.key == "validator/rule/2") or {}
    asked = schema["properties"]["findings"]
    assert (asked["minItems"], asked["maxItems"]) == (2, 2), "a ruling on each is asked for"
    assert moot.verify(result.stored).faults == []


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
