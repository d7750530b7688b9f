"""Whatever a reader must know before relying on a panel is a flag of its result, by its code."""

from pathlib import Path
from typing import Any

import pytest

from moot.errors import Rejected
from moot.present import Flag
from tests.kit.panels import PANELLISTS, labels, opinion, outcome, panel, rules, ruling

SPLIT = labels("accept", "reject", "accept", "reject")
EQUAL = dict.fromkeys(("Innovator", "Pragmatist", "Critic", "Advocate", "Validator"), 1)
SENT_BACK = labels(*["modify"] * 4) | rules("modify", modifications_required=["Do it in two steps."])
AGAIN = {key.replace("/", "@2/", 1): said for key, said in SENT_BACK.items()}


def flags(folder: Path, said: dict[str, Any] | None = None, **settings: Any) -> dict[str, Flag]:
    result, _ = panel(folder, said, reports=False, **settings)
    assert result.status == "done", result.reason
    document = result.document()
    assert document["flags"] == [flag.model_dump(mode="json") for flag in result.flags]
    return {flag.code: flag for flag in result.flags}


def two_validators() -> list[dict[str, Any]]:
    told = {"stands_for": "Sense.", "question": "Is it sound?", "instructions": "Be brief."}
    return [
        {"name": "Ada", **told},
        {"name": "Bo", "validator": True, **told},
        {"name": "Kim", "validator": True, **told},
    ]


def votes(**by_change: str) -> dict[str, Any]:
    return {"votes": by_change, "confidence": 0.5}


def open_change() -> dict[str, Any]:
    """One change is proposed, and the panel is divided over it."""
    halved = opinion(None, modifications=["Halve it."])
    said: dict[str, Any] = {f"{who}/round/{number}": halved for who in PANELLISTS for number in (1, 2, 3)}
    for number in (2, 3):
        said |= {f"{who}/ballot/{number}": votes(M1="yes") for who in PANELLISTS[:2]}
        said |= {f"{who}/ballot/{number}": votes(M1="no") for who in PANELLISTS[2:]}
        said[f"validator/rule/{number}"] = ruling(None, votes={"M1": "no"})
    return said


CASES: list[tuple[str, str, str, dict[str, Any], dict[str, Any]]] = [
    ("requirement_not_met", "warning", "“accept” was required", rules("reject"), {"require": "accept"}),
    ("no_consensus_validator_missing", "warning", "accept needs a validator and has none", rules("reject"), {}),
    (
        "no_consensus_tied",
        "warning",
        "have the same weight",
        {**SPLIT, **rules("modify")},
        {"persona_weights": EQUAL, "max_revisions": 0},
    ),
    (
        "no_consensus_below_threshold",
        "warning",
        "of the weight and needs 0.6",
        {**labels("accept", "reject", "accept", "modify"), **rules("accept")},
        {"persona_weights": {**EQUAL, "Validator": 0.5}},
    ),
    (
        "no_consensus_nobody_voted",
        "warning",
        "nobody whose vote has any weight voted",
        {**labels(*["abstain"] * 4), **rules("abstain")},
        {},
    ),
    ("abstained", "warning", "Innovator abstained: It is worth it.", {"innovator/round/2": opinion("abstain")}, {}),
    (
        "personas_missing",
        "warning",
        "4 of 5 answers. No answer from: Innovator (down)",
        {"innovator/round/2": Rejected("down")},
        {},
    ),
    ("known_to_be_wrong", "warning", "known to be right: reject", {}, {"truth": "reject"}),
    (
        "validators_disagree",
        "note",
        "Bo for accept and Kim for reject",
        {f"kim/rule/{number}": ruling("reject") for number in (2, 3)},
        {"personas": two_validators()},
    ),
    (
        "revision_stopped",
        "warning",
        "came back unchanged",
        {**SENT_BACK, "reviser/revise": {"idea": "Same."}},
        {"idea": "Same."},
    ),
    (
        "revisions_ran_out",
        "warning",
        "the limit of 1 revision was reached",
        {**SENT_BACK, **AGAIN},
        {"max_revisions": 1},
    ),
    (
        "change_open",
        "warning",
        "M1 stays undecided",
        open_change(),
        {"kind": "improvement", "persona_weights": {**EQUAL, "Validator": 0}},
    ),
    (
        "no_consensus_nothing_proposed",
        "warning",
        "nobody proposed a change",
        {
            **{f"{who}/round/{n}": opinion(None, modifications=[]) for who in PANELLISTS for n in (1, 2, 3)},
            **rules("yes"),
        },
        {"kind": "improvement", "persona_weights": {**EQUAL, "Validator": 10}},
    ),
    (
        "changes_not_merged",
        "note",
        "may stand apart: down",
        {"validator/merge/2": Rejected("down")},
        {"kind": "improvement"},
    ),
]


@pytest.mark.parametrize(("code", "severity", "text", "said", "settings"), CASES, ids=[one[0] for one in CASES])
def test_it_is_flagged(
    tmp_path: Path, code: str, severity: str, text: str, said: dict[str, Any], settings: dict[str, Any]
) -> None:
    found = flags(tmp_path, said, **settings)
    assert code in found, found
    assert (found[code].severity, text in found[code].text) == (severity, True), found[code]


def test_the_docs_name_every_code() -> None:
    page = (Path(__file__).parents[2] / "docs" / "panel.md").read_text("utf-8")
    assert [code for code, *_ in CASES if f"`{code}`" not in page] == []


def test_a_plain_panel_has_no_warning(tmp_path: Path) -> None:
    result, _ = panel(tmp_path, reports=False, require="accept", truth="accept")
    assert [flag.code for flag in result.flags] == ["scripted_replies"]
    summary = result.summary
    assert (summary.kind, summary.decided) == ("Decision", True)
    assert summary.headline == "The answer is accept (100% of the weight)"
    assert summary.reached == (
        "Does the idea go ahead? By weighted vote of 5 of 5 after 2 rounds: accept 5, confidence 0.58. The requirement "
        "is met: “accept” was required."
    )


def test_where_two_labels_are_level_nobody_dissents(tmp_path: Path) -> None:
    said = {**labels("reject", "accept", "reject", "accept"), **rules("modify")}
    result, _ = panel(tmp_path, said)
    assert (outcome(result).decision, outcome(result).leading) == ("no_consensus", None)
    assert (outcome(result).dissenting_opinions, result.summary.brief.dissent) == ([], [])
