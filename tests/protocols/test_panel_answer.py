"""What a panel answers to whoever asked: the headline, the brief, how firm it is, and what debating changed."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.present import Brief
from tests.kit.panels import PANELLISTS, Said, labels, opinion, panel, rules, ruling
from tests.kit.shelf import codes

SILENT: dict[str, Any] = {"because": [], "next": "", "answer": ""}
"""A validator that writes no brief, as a small model or a person does."""


def brief_of(result: moot.Result) -> Brief:
    return result.summary.brief


def seq_of(result: moot.Result, speaker: str, kind: str) -> int:
    """The number of the last entry of this kind by a speaker."""
    return [entry.seq for entry in result.stored.entries() if (entry.speaker, entry.type) == (speaker, kind)][-1]


def test_the_validator_writes_the_brief_in_its_ruling(tmp_path: Path) -> None:
    parts = {
        "objection": "It is new.",
        "agreed": "It is small.",
        "would_change_it": "A failed trial.",
        "next": "Begin.",
    }
    reasons = [{"reason": "It was tried.", "rests_on": [5, "nonsense"]}, "It costs nothing."]
    said = rules("accept", **parts, because=reasons, answer="Yes, build it.")
    result, model = panel(tmp_path, said, reports=False)
    assert result.summary.headline == "Yes, build it (100% of the weight)"
    found = brief_of(result)
    assert found.source == seq_of(result, "Validator", "synthesis")
    fifth = [entry.seq for entry in result.stored.entries() if entry.type == "position"][4]
    assert [(one.text, one.entries) for one in found.because] == [("It was tried.", [fifth]), ("It costs nothing.", [])]
    told = {name: getattr(found, name).text for name in parts}
    assert (told, found.firmness) == (parts, "Firm: all 5 voted for it.")
    assert len(model.requests) == 9, "no request is made for the brief"
    document = result.document()
    assert (document["key_points"], document["next_steps"]) == (["It was tried.", "It costs nothing."], ["Begin."])


def test_an_answer_against_the_vote_is_sent_back_once_and_then_left_out(tmp_path: Path) -> None:
    wrong, right = ruling("accept", answer="No: reject it.", follows="reject"), ruling("accept", answer="Yes.")
    mended, model = panel(tmp_path, {"validator/rule/2": [wrong, right]}, reports=False, require=["accept"])
    assert "`answer` comes to reject, and your label is accept" in model.requests[-1].messages[-1].content
    assert (mended.summary.headline, mended.gate and mended.gate.passed) == ("Yes (100% of the weight)", True)
    stubborn, _ = panel(tmp_path, {"validator/rule/2": [wrong, wrong]}, reports=False, require=["accept"])
    assert stubborn.summary.headline == "Yes: accept (100% of the weight)"
    assert "answer_contradicts_verdict" in codes(stubborn)
    assert stubborn.gate is not None and not stubborn.gate.passed


SENT_BACK: dict[str, Said] = labels(*["modify"] * 4)
CHANGES = ["Do it in two steps.", "Tell the users."]
NO_ANSWER = {**SILENT, "modifications_required": CHANGES}
HEADLINES: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (rules("accept", **SILENT), {}, "Yes: accept (100% of the weight)"),
    (labels(*["reject"] * 4) | rules("reject", **SILENT), {}, "No: reject (100% of the weight)"),
    (
        SENT_BACK | rules("modify", **NO_ANSWER),
        {"max_revisions": 0},
        "Only with these changes: Do it in two steps; Tell the users (not as submitted; 100% of the weight)",
    ),
    (
        SENT_BACK | rules("modify", answer="Only in two steps."),
        {"max_revisions": 0},
        "Only in two steps (not as submitted; 100% of the weight)",
    ),
    (
        rules("accept", answer="Yes.", modifications_required=["Tell the users."]),
        {},
        "Only with these changes: Tell the users. Yes (100% of the weight)",
    ),
    (
        SENT_BACK | {"validator/rule/2": ruling("modify", **NO_ANSWER), "validator@2/rule/2": ruling(**SILENT)},
        {},
        "Not as submitted; accepted as revised (100% of the weight)",
    ),
    (rules("reject"), {}, "No answer: accept needs a validator and has none"),
    ({}, {"kind": "difficulty"}, "The answer is easy (100% of the weight)"),
    (rules("easy", **SILENT), {"kind": "difficulty"}, "Easy (100% of the weight)"),
]


@pytest.mark.parametrize(("said", "settings", "headline"), HEADLINES, ids=[one[2] for one in HEADLINES])
def test_the_headline_answers_whatever_was_decided(
    said: dict[str, Any], settings: dict[str, Any], headline: str, tmp_path: Path
) -> None:
    result, _ = panel(tmp_path, said, reports=False, **settings)
    assert result.summary.headline == headline


def test_without_a_brief_the_votes_give_the_reasons(tmp_path: Path) -> None:
    said: dict[str, Any] = {f"{who}/round/2": opinion(claim=f"As the {who} sees it.") for who in PANELLISTS}
    said |= {f"critic/round/{n}": opinion("reject", claim="It breaks.") for n in (1, 2)}
    result, _ = panel(tmp_path, said | rules("accept", **SILENT), reports=False)
    found = brief_of(result)
    assert [one.text for one in found.because] == [
        "All things weighed.",
        "As the pragmatist sees it.",
        "As the innovator sees it.",
    ], "the heaviest first"
    assert found.because[0].entries == [seq_of(result, "Validator", "synthesis")]
    assert found.objection is not None
    assert (found.objection.text, found.objection.entries) == ("It breaks.", [seq_of(result, "Critic", "position")])


def test_a_validator_who_was_outvoted_answers_for_nobody(tmp_path: Path) -> None:
    result, _ = panel(tmp_path, rules("reject", answer="No."), required_validators=0, reports=False)
    found = brief_of(result)
    assert result.summary.headline == "Yes: accept (72.72% of the weight)"
    assert found.source is None
    assert found.objection is not None and found.objection.text == "All things weighed."


def test_without_consensus_the_brief_says_only_what_is_agreed_and_what_comes_next(tmp_path: Path) -> None:
    result, _ = panel(tmp_path, rules("reject", agreed="It is small.", answer="No."), reports=False)
    found = brief_of(result)
    assert (found.answer, found.because, found.firmness) == (None, [], "")
    assert found.agreed is not None and found.next is not None
    assert (found.agreed.text, found.next.text) == ("It is small.", "Begin.")


def test_how_firm_a_decision_is_depends_on_whose_vote_could_undo_it(tmp_path: Path) -> None:
    narrow, _ = panel(tmp_path / "a", labels("accept", "accept", "reject", "accept"), reports=False)
    assert brief_of(narrow).firmness == (
        "Narrow: 81.81% of the weight is behind it, and 60% were needed. One vote could undo it: that of Validator."
    )
    weights = {"Critic": "0.1"}
    firm, _ = panel(
        tmp_path / "b", labels("accept", "accept", "reject", "accept"), persona_weights=weights, reports=False
    )
    assert brief_of(firm).firmness.endswith("No single vote could undo it.")


def voting(answer: str, **votes: str) -> dict[str, Any]:
    ballots = {f"{who}/ballot/2": {"reason": f"So says the {who}.", "votes": votes} for who in PANELLISTS}
    proposed = {f"innovator/round/{n}": opinion(None, modifications=["Add a cache."]) for n in (1, 2)}
    proposed |= {f"pragmatist/round/{n}": opinion(None, modifications=["Write tests."]) for n in (1, 2)}
    others = {f"{who}/round/{n}": opinion(None, modifications=[]) for who in ("critic", "advocate") for n in (1, 2)}
    return {**proposed, **others, **ballots, "validator/rule/2": ruling(None, votes=votes, answer=answer)}


def test_which_changes_to_make_is_answered_by_whoever_voted_as_it_was_decided(tmp_path: Path) -> None:
    said = voting("Add the cache alone.", M1="yes", M2="no")
    result, _ = panel(tmp_path / "a", said, kind="improvement", reports=False)
    assert result.summary.headline == "Add the cache alone (1 of 2 changes)"
    assert brief_of(result).firmness.startswith("Of the change with the least support, 100% of the weight")
    outvoted = said | {"validator/rule/2": ruling(None, votes={"M1": "no", "M2": "yes"}, answer="Only tests.")}
    result, _ = panel(tmp_path / "b", outvoted, kind="improvement", required_validators=0, reports=False)
    assert result.summary.headline == "Make these changes: Add a cache (1 of 2 changes)"
    assert [one.text for one in brief_of(result).because] == [
        f"So says the {who}." for who in ("pragmatist", "innovator", "critic")
    ]
    none = voting("", M1="no", M2="no")
    result, _ = panel(tmp_path / "c", none, kind="improvement", reports=False)
    assert result.summary.headline == "Change nothing (0 of 2 changes)"


def test_what_debating_changed_compares_the_first_answers_with_the_last(tmp_path: Path) -> None:
    moved, _ = panel(tmp_path / "a", labels("reject", "accept", "modify", "accept", round=1), reports=False)
    assert moved.summary.change == (
        "2 of 4 changed their answer while they debated: Innovator from reject to accept; Critic from modify to accept."
    )
    same, _ = panel(tmp_path / "b", reports=False)
    assert same.summary.change == "None of 4 changed their answer while they debated."
    changes, _ = panel(tmp_path / "c", kind="improvement", reports=False)
    assert changes.summary.change is None, "there are no labels to compare"
