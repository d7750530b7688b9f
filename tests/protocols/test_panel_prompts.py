"""What the panel is shown and asked: the idea always, labels only after the round, questions by kind."""

from pathlib import Path
from typing import Any

from moot.engine.define.study import TRUTH
from moot.protocols.panel.payloads import Ballot
from tests.kit.panels import IDEA, PANELLISTS, opinion, outcome, panel
from tests.kit.runs import asked, entries

CACHE: dict[str, Any] = {
    f"{who}/round/{number}": opinion(None, modifications=[f"Ask the {who}."]) for who in PANELLISTS for number in (1, 2)
}


def test_every_request_has_the_idea_the_question_and_the_criteria(tmp_path: Path) -> None:
    for kind, question in (("improvement", "Which changes should be made?"), ("selection", "Does the idea go ahead?")):
        _, model = panel(tmp_path, CACHE if kind == "improvement" else {}, kind=kind, reports=False)
        assert {one.key.split("/")[1] for one in model.requests} >= ({"merge"} if kind == "improvement" else {"rule"})
        for request in model.requests:
            prompt = request.messages[-1].content
            assert IDEA in prompt, request.key
            assert question in prompt, request.key
            assert "What counts: " in prompt, request.key


def test_the_validator_who_merges_votes_without_memory_of_it(tmp_path: Path) -> None:
    _, model = panel(tmp_path, CACHE, kind="improvement", reports=False)
    assert all(len(request.messages) == 2 for request in model.requests if request.attempt == 1)
    merging = asked(model, "validator/merge/2")
    assert "have no vote" in merging
    assert "Innovator" not in merging, "a proposal is sorted for what it says"


def test_the_requests_of_a_round_begin_alike(tmp_path: Path) -> None:
    _, model = panel(tmp_path, reports=False)
    both = [asked(model, f"{who}/round/2") for who in ("innovator", "critic")]
    own = both[0].index("You are the Innovator.")
    assert both[0][:own] == both[1][:own]
    assert len({request.messages[0].content for request in model.requests}) == 1


def test_a_question_for_each_kind(tmp_path: Path) -> None:
    _, model = panel(tmp_path, kind="feasibility", reports=False)
    assert "Does what is new about it rest on means that exist?" in asked(model, "innovator/round/1")
    seats: list[dict[str, Any]] = [
        {
            "name": "Ann",
            "stands_for": "Ease.",
            "question": "Is it easy?",
            "questions": {"difficulty": "How hard is it?"},
        },
        {"name": "Val", "stands_for": "Truth.", "question": "Is it so?", "validator": True},
    ]
    personas = [{**one, "instructions": "Be brief."} for one in seats]
    _, model = panel(tmp_path, kind="difficulty", personas=personas, reports=False)
    assert "How hard is it?" in asked(model, "ann/round/1")
    assert "Is it so?" in asked(model, "val/rule/3")


def test_modifications_are_asked_for_where_a_label_needs_them(tmp_path: Path) -> None:
    _, model = panel(tmp_path, reports=False)
    assert "only with the label `modify`" in asked(model, "critic/round/1")
    _, model = panel(tmp_path, kind="difficulty", reports=False)
    request = next(one for one in model.requests if one.key == "critic/round/1")
    assert "modifications" not in (request.schema or {})["properties"]
    assert "modifications" not in request.messages[-1].content


def test_nothing_tells_a_label_until_the_round_is_over(tmp_path: Path) -> None:
    change = "Add a dead-letter queue."
    held = {"claim": "It needs an owner.", "modifications": [change], "confidence": 0.7}
    said = {"innovator/round/1": opinion("modify", **held)}
    result, model = panel(tmp_path, said, reports=False)
    during, after = asked(model, "critic/round/1"), asked(model, "critic/round/2")
    assert "It needs an owner." in during
    assert change not in during and "confidence 0.7" not in during
    assert "<<<labels after round 1 " in after and f"Innovator: modify, confidence 0.7\n- {change}" in after
    entry = next(one for one in entries(result) if one.speaker == "Innovator")
    assert change in entry.content


def test_a_question_with_a_right_answer_is_no_idea_and_has_no_angles(tmp_path: Path) -> None:
    kind = {"question": "Which answer is right?", "labels": {"a": "82", "b": "84"}, "criteria": TRUTH, "factual": True}
    _, model = panel(tmp_path, kind="answer", kinds={"answer": kind}, reports=False)
    for request in model.requests:
        told = "\n".join(message.content for message in request.messages)
        assert TRUTH in told and "The question:\n" in told and "Is each step right" in told, request.key
        assert ("each worked out and checked" in told) is ("/round/" in request.key), request.key
        assert "The idea:" not in told and "You stand for this" not in told, request.key


def test_the_number_of_responses_is_that_of_the_schema(tmp_path: Path) -> None:
    _, model = panel(tmp_path, reports=False)
    for key, most in (("pragmatist/round/1", 1), ("critic/round/1", 2), ("critic/round/2", 3)):
        request = next(one for one in model.requests if one.key == key)
        assert f"`responses`: at most {most}," in request.messages[-1].content
        assert (request.schema or {})["properties"]["responses"]["maxItems"] == most
    assert "`responses`" not in asked(model, "innovator/round/1")


def test_a_member_may_abstain_on_a_change(tmp_path: Path) -> None:
    votes = dict.fromkeys(("M1", "M2", "M3", "M4"), "yes")
    said = CACHE | {"critic/ballot/2": {"votes": {**votes, "M2": "abstain"}, "reason": "I cannot tell."}}
    result, _ = panel(tmp_path, said, kind="improvement", reports=False)
    ballot = next(one.data for one in entries(result) if one.speaker == "Critic" and isinstance(one.data, Ballot))
    assert ballot.votes == {"M1": "yes", "M3": "yes", "M4": "yes"}
    assert ballot.reason == "I cannot tell."
    held = {vote.persona: vote.label for vote in outcome(result).changes[1].votes}
    assert (held["Critic"], held["Advocate"]) == (None, "yes")
    [abstained] = outcome(result).abstained
    assert (abstained.persona, abstained.reason) == ("Critic", "on M2. I cannot tell.")
    assert "Critic abstained: on M2. I cannot tell." in [flag.text for flag in result.flags]
