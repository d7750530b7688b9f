"""Changes voted one by one, ideas sent back and revised, and how good the debate was."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.play.structured import json_schema
from moot.protocols.panel.findings import groups_of
from moot.protocols.panel.payloads import Change, Idea, Revision
from moot.protocols.panel.shapes import merger_shape, proposals_in
from moot.testing import Scripted
from tests.kit.duels import assert_sound
from tests.kit.panels import PANELLISTS, Said, labels, opinion, outcome, panel, rules, ruling
from tests.kit.runs import entries

YAML = "name: Queue\nsize: large\nowner: nobody"
BETTER = "name: Queue\nsize: small\nowner: nobody"


def proposing(**texts: str) -> dict[str, Said]:
    """What each of them proposes, in both rounds."""
    return {
        f"{who}/round/{number}": opinion(None, modifications=[texts[who]] if who in texts else [])
        for who in PANELLISTS
        for number in (1, 2, 3)
    }


def ballots(number: int = 2, **votes: dict[str, str]) -> dict[str, Said]:
    return {f"{who}/ballot/{number}": {"votes": given, "confidence": 1} for who, given in votes.items()}


@pytest.mark.usefixtures("reports_are_read")
def test_proposals_that_say_the_same_are_merged_and_the_merge_is_shown(tmp_path: Path) -> None:
    said = proposing(innovator="Add a cache.", pragmatist="Write tests.", critic="add a  cache", advocate="Cache it.")
    said |= {"validator/merge/2": {"pairs": [{"proposal": "P3", "same_as": "P1"}]}}
    said |= {f"{who}/ballot/2": {"votes": {"M1": "yes", "M2": "no"}} for who in PANELLISTS}
    said |= {"validator/rule/2": ruling(None, votes={"M1": "yes", "M2": "no"})}
    result, model = panel(tmp_path, said, kind="improvement")
    changes = [entry for entry in entries(result) if isinstance(entry.data, Change)]
    assert [entry.content for entry in changes] == ["M1: Add a cache.", "M2: Write tests."]
    first = changes[0].data
    assert isinstance(first, Change)
    # The same words count as one proposal without anybody being asked; other words only where the Validator says so.
    assert [(one.number, one.persona) for one in first.proposals] == [
        ("P1", "Innovator"),
        ("P1", "Critic"),
        ("P3", "Advocate"),
    ]
    assert changes[0].call == "validator/merge/2"
    found = outcome(result)
    assert (found.decision, found.carried, found.modifications_required) == ("yes", True, ["Add a cache."])
    assert [(one.number, one.decision) for one in found.changes] == [("M1", "yes"), ("M2", "no")]
    assert (found.votes, found.rounds_taken) == ([], 2)
    assert found.metrics.constructiveness.proposals == 3
    assert found.metrics.constructiveness.adopted == pytest.approx(2 / 3, abs=1e-4)
    # Innovator, Critic and Advocate proposed it at once: 2.8 of the panellists' 4.0.
    assert (found.first_decision, found.changed) == (None, None)
    shown = next(request for request in model.requests if request.key == "critic/ballot/2").messages[-1].content
    assert "M1: Add a cache." in shown
    page = (Path(result.run) / "report.html").read_text("utf-8")
    assert "Advocate: Cache it." in page
    assert_sound(moot.find_run(result.run))


def test_every_proposal_is_in_exactly_one_change_whatever_the_merger_says() -> None:
    numbers = ["P1", "P2", "P3", "P4", "P5"]
    same = [("P5", "P3"), ("P4", "P2"), ("P2", "P1"), ("P1", "P4"), ("P3", "P3")]
    assert groups_of(numbers, same) == [["P1", "P2", "P4"], ["P3", "P5"]]
    assert groups_of(numbers, []) == [[number] for number in numbers]


def test_the_prompt_of_the_merge_grows_with_the_proposals_and_not_with_their_square() -> None:
    sizes = [len(json.dumps(json_schema(merger_shape(tuple(f"P{one}" for one in range(1, n)))))) for n in (10, 100)]
    assert sizes[1] < 10 * sizes[0]


def test_nothing_is_merged_where_the_merger_fails(tmp_path: Path) -> None:
    said: dict[str, Any] = proposing(innovator="Add a cache.", critic="Cache it.") | {"validator/merge/2": ["?"] * 3}
    result, _ = panel(tmp_path, said, kind="improvement")
    changes = [entry.data for entry in entries(result) if isinstance(entry.data, Change)]
    assert [change.number for change in changes] == ["M1", "M2"]
    assert "may stand apart" in (changes[0].failure or "")
    assert any("may stand apart" in failure.reason for failure in result.failures)
    assert outcome(result).modifications_required == ["Add a cache.", "Cache it."]


def test_a_change_without_the_validator_does_not_carry_and_another_round_is_held(tmp_path: Path) -> None:
    said = proposing(innovator="Add a cache.")
    said |= {f"validator/rule/{number}": ruling(None, votes={"M1": "no"}) for number in (2, 3)}
    result, _ = panel(tmp_path, said, kind="improvement")
    found = outcome(result)
    assert (found.decision, found.carried, found.rounds_taken) == ("no_consensus", False, 3)
    assert found.modifications_required == []
    assert "M1: yes needs a validator" in (found.short_of or "")
    assert_sound(moot.find_run(result.run))


@pytest.mark.parametrize(("label", "decision"), [("no", "no"), ("yes", "no_consensus")])
def test_without_proposals_the_validator_says_whether_that_is_right(tmp_path: Path, label: str, decision: str) -> None:
    result, model = panel(tmp_path, proposing() | rules(label), kind="improvement")
    assert outcome(result).decision == decision
    assert not any("/ballot/" in request.key or "/merge/" in request.key for request in model.requests)
    assert_sound(moot.find_run(result.run))


def test_a_yes_without_any_change_does_not_carry_whatever_its_weight(tmp_path: Path) -> None:
    said = proposing() | rules("yes")
    result, _ = panel(tmp_path, said, kind="improvement", persona_weights={"Validator": 9}, require="yes")
    found = outcome(result)
    assert (found.decision, found.carried, result.gate and result.gate.passed) == ("no_consensus", False, False)
    assert found.short_of == "yes has the most weight, and nobody proposed a change"


def test_votes_on_changes_can_tip_by_weight(tmp_path: Path) -> None:
    said = proposing(innovator="Add a cache.") | {"validator/rule/2": ruling(None, votes={"M1": "yes"})}
    said |= ballots(innovator={"M1": "yes"}, pragmatist={"M1": "no"}, critic={"M1": "no"}, advocate={"M1": "no"})
    result, _ = panel(tmp_path, said, kind="improvement", persona_weights={"Validator": 9})
    found = outcome(result)
    assert found.decision == "yes"
    assert [(one.persona, one.opinion) for one in found.dissenting_opinions] == [
        ("Pragmatist", "M1: no"),
        ("Critic", "M1: no"),
        ("Advocate", "M1: no"),
    ]


MODIFY = labels(*["modify"] * 4) | rules("modify", modifications_required=["Make it small."])


@pytest.mark.usefixtures("reports_are_read")
def test_a_modified_idea_is_revised_and_debated_afresh(tmp_path: Path) -> None:
    result, model = panel(tmp_path, MODIFY | {"reviser/revise": {"idea": BETTER}}, idea=YAML)
    found = outcome(result)
    assert (found.decision, found.idea) == ("accept", BETTER)
    assert [(one.version, one.decision, one.rounds) for one in found.revisions] == [(1, "modify", 2), (2, "accept", 2)]
    assert (found.first_decision, found.changed) == ("modify", True)
    second = found.revisions[1]
    assert second.sent_back_with == ["Make it small."]
    assert (
        second.diff
        == "--- version 1\n+++ version 2\n@@ -1,3 +1,3 @@\n name: Queue\n-size: large\n+size: small\n owner: nobody"
    )
    # The second panel is another: it has no memory of the first, and its calls have keys of their own.
    fresh = next(request for request in model.requests if request.key == "critic@2/round/1")
    assert len(fresh.messages) == 2
    assert "size: small" in fresh.messages[-1].content
    assert not any("size: large" in message.content for message in fresh.messages)
    assert "Make it small." in next(one for one in model.requests if one.key == "reviser/revise").messages[-1].content
    ideas = [entry for entry in entries(result) if isinstance(entry.data, Idea)]
    assert [entry.speaker for entry in ideas] == ["moot", "Reviser"]
    assert result.spent_by["Critic"].calls == 4, "both versions' calls are the Critic's"
    run = moot.find_run(result.run)
    assert len(moot.seen_by(run, "Critic")) == 3, "no request needs the memory of another"
    assert "size: small" in moot.seen_by(run, "critic")[1].content
    assert "size: large" in moot.seen_by(run, "critic", 10)[1].content
    page = (run.path / "report.html").read_text("utf-8")
    assert "+size: small" in page
    assert "critic@2/round/1" in page
    assert_sound(run)


def test_at_most_so_many_revisions(tmp_path: Path) -> None:
    said: dict[str, Said] = dict(MODIFY)
    for version in (2, 3):
        said |= {f"{key.replace('/', f'@{version}/', 1)}": value for key, value in MODIFY.items()}
    said |= {"reviser/revise": {"idea": "Second."}, "reviser@2/revise": {"idea": "Third."}}
    result, _ = panel(tmp_path, said)
    found = outcome(result)
    assert [(one.idea, one.decision) for one in found.revisions[1:]] == [("Second.", "modify"), ("Third.", "modify")]
    assert (found.decision, found.accepted) == ("modify", False)
    assert found.metrics.efficiency.rounds == 6
    assert found.metrics.efficiency.calls == 3 * 9 + 2
    assert [one.version for one in found.metrics.convergence.by_round] == [1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize(
    "idea", ["name: Queue\nsize: large\nowner: nobody", "  name:  Queue size: large\n\nowner: nobody\n"]
)
def test_an_idea_that_comes_back_unchanged_stops_the_loop(tmp_path: Path, idea: str) -> None:
    result, _ = panel(tmp_path, MODIFY | {"reviser/revise": {"idea": idea}}, idea=YAML)
    found = outcome(result)
    assert (found.decision, found.idea) == ("modify", YAML)
    assert [one.stopped for one in found.revisions] == ["the idea came back unchanged"]
    revision = entries(result)[-1].data
    assert isinstance(revision, Revision)
    assert revision.unchanged
    assert_sound(moot.find_run(result.run))


def test_a_reviser_that_fails_is_no_decision_and_is_asked_again(tmp_path: Path) -> None:
    bad: list[Scripted] = ["?", "?", "?"]
    result, model = panel(tmp_path, {**MODIFY, "reviser/revise": bad})
    assert (result.status, "the Reviser is needed" in (result.reason or "")) == ("failed", True)
    taken_up = asyncio.run(moot.resume(moot.find_run(result.run), models={model.name: model}))
    assert (taken_up.status, outcome(taken_up).decision) == ("done", "accept")
    assert len(outcome(taken_up).revisions) == 2
    assert_sound(moot.find_run(result.run))


def test_what_has_to_change_may_come_from_the_panellists(tmp_path: Path) -> None:
    said = {f"{who}/round/2": opinion("modify", modifications=[f"Ask {who}.", "Be brief"]) for who in PANELLISTS}
    result, model = panel(tmp_path, said | rules("modify") | {"reviser/revise": {"idea": BETTER}})
    asked = next(one for one in model.requests if one.key == "reviser/revise").messages[-1].content
    assert asked.count("- Be brief") == 1
    assert "- Ask critic." in asked
    assert outcome(result).decision == "accept"


def test_when_nobody_says_what_to_change_the_loop_stops(tmp_path: Path) -> None:
    result, model = panel(tmp_path, labels(*["modify"] * 4) | rules("modify"))
    assert outcome(result).revisions[0].stopped == "nobody said what has to change"
    assert not any(request.agent == "reviser" for request in model.requests)
    assert outcome(result).metrics.efficiency.calls == len(model.requests)
    assert "replies_missing" not in {flag.code for flag in result.flags}, "nobody was asked who could have failed"
    assert result.failures == []


def test_the_metrics(tmp_path: Path) -> None:
    same = opinion("accept", claim="red green", evidence=["blue"])
    said: dict[str, Any] = {f"{who}/round/{number}": same for who in PANELLISTS for number in (1, 2)}
    for number in (1, 2):
        said[f"critic/round/{number}"] = opinion(
            "reject" if number == 1 else "accept",
            claim="yellow",
            acknowledged_weaknesses=["It is slow."],
            modifications=["Make it fast."] if number == 2 else [],
        )
        said[f"advocate/round/{number}"] = ["?", "?", "?"]
    said["innovator/round/2"] = {**same, "responses": [{"to": "Critic", "stance": "partial", "text": "Perhaps."}]}
    said["validator/rule/2"] = ruling("accept", modifications_required=["Be fast."], adopted=["P1"])
    result, _ = panel(tmp_path, said, truth="accept")
    figures = outcome(result).metrics
    assert figures.diversity.perspectives == 0.8
    # Innovator and Pragmatist use the same words, the Critic none of them: distances 0, 1 and 1.
    assert figures.diversity.distance == pytest.approx(2 / 3, abs=1e-4)
    assert (figures.constructiveness.criticisms, figures.constructiveness.with_fix) == (3, 0.3333)
    assert (figures.constructiveness.proposals, figures.constructiveness.adopted) == (1, 1.0)
    assert [(one.round, one.leading, one.agreement) for one in figures.convergence.by_round] == [
        (1, "accept", 0.55),
        (2, "accept", 0.8),
    ]
    assert figures.convergence.change == pytest.approx(0.25)
    assert figures.accuracy is not None
    assert figures.accuracy.correct
    spent = figures.efficiency
    assert (spent.rounds, spent.rounds_least, spent.calls, spent.calls_least) == (2, 2, 9, 9)
    assert spent.tokens == (result.spent.input or 0) + (result.spent.output or 0)
    assert spent.tokens == spent.tokens_least


def test_constructiveness_is_over_all_versions(tmp_path: Path) -> None:
    said: dict[str, Said] = {
        f"{who}/round/{n}": opinion("modify", modifications=["A.", "B."]) for who in PANELLISTS for n in (1, 2)
    }
    said |= {"validator/rule/2": ruling("modify", modifications_required=["A."], adopted=["P1"])}
    said |= {"critic@2/round/2": opinion("accept", acknowledged_weaknesses=["w"], modifications=["C."])}
    result, _ = panel(tmp_path, said | {"reviser/revise": {"idea": BETTER}})
    helpful = outcome(result).metrics.constructiveness
    assert (helpful.proposals, helpful.adopted) == (3, 0.3333)
    assert (helpful.criticisms, helpful.with_fix) == (1, 1.0)


def test_the_changes_to_vote_on_are_those_that_are_still_asked_for(tmp_path: Path) -> None:
    said: dict[str, Any] = proposing(innovator="Add a cache.", critic="Write tests.")
    said |= {"critic/round/2": opinion(None, modifications=[]), "pragmatist/round/2": ["?", "?", "?"]}
    said |= {"pragmatist/round/1": opinion(None, modifications=["Say who pays."])}
    result, _ = panel(tmp_path, said, kind="improvement")
    changes = [entry.data for entry in entries(result) if isinstance(entry.data, Change)]
    asked = [(one.persona, one.round, one.text) for change in changes for one in change.proposals]
    assert asked == [("Innovator", 2, "Add a cache."), ("Pragmatist", 1, "Say who pays.")], (
        "one withdraws, one is missing"
    )
    assert proposals_in([]) == []
