"""Votes, judgements and what follows from them."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.deliver.delivery import as_text
from moot.errors import Rejected
from moot.protocols.arena.judging import assess
from moot.protocols.arena.payloads import ArenaVote, JudgeReading, Tally
from moot.record.payloads import Switch
from moot.testing import Scripted, ScriptedModel
from tests.kit.arenas import (
    AGENTS,
    CAST,
    LEVEL,
    OWN,
    TASK,
    arena,
    each_for,
    letter_of,
    outcome,
    payloads,
    plain_reply,
    reading,
    shown,
)
from tests.kit.duels import assert_sound
from tests.kit.runs import asked, entries


def test_votes_are_blind_shuffled_and_mapped(tmp_path: Path) -> None:
    result, model = arena(tmp_path, seed=5)
    votes = payloads(result, ArenaVote)
    assert [vote.ranking for vote in votes[1:]] == [["Ada"]] * 2
    assert [sorted(vote.labels.values()) for vote in votes] == [["Bo", "Cy"], ["Ada", "Cy"], ["Ada", "Bo"]]
    assert any([*vote.labels.values()] != sorted(vote.labels.values()) for vote in votes)
    for part in ("ada", "bo", "cy"):
        request = next(one for one in model.requests if one.key == f"{part}@7/vote")
        assert len(request.messages) == 2, "a voter remembers nothing of the debate"
        assert not any(name in request.messages[-1].content for name in ("Ada", "Bo", "Cy"))


def test_names_in_proposals_are_covered(tmp_path: Path) -> None:
    said = {"proposal": "As ADA said to bo, cache.", "decision": "Do as Ada says.", "changed_mind": False}
    result, model = arena(
        tmp_path,
        {"cy/revise/6": {**said, "because_of": "nobody", "new_evidence": ["Delete"]}},
        plain=each_for(dict.fromkeys(OWN, "Cache"), {"Cache": 8, "Buy": 5}),
    )
    prompt = asked(model, "bo@7/vote")
    assert "As [an agent] said to [an agent], cache." in prompt
    assert result.status == "done"


def test_who_has_changed_models_votes_through_the_new_one(tmp_path: Path) -> None:
    broken = ScriptedModel(lambda _: Rejected("out of order"), name="scripted/broken")
    good = ScriptedModel(plain_reply)
    cy = {"name": "Cy", "personality": "Cy is Cy.", "model": [broken.name, good.name]}
    settings: dict[str, Any] = {
        **CAST,
        "agents": [*AGENTS[:2], cy],
        "model": good.name,
        "out": str(tmp_path),
        "seed": 1,
    }
    result = asyncio.run(moot.arena(TASK, models={one.name: one for one in (broken, good)}, **settings))
    assert [request.key for request in broken.requests] == ["cy/propose"], "it is not tried again at every vote"
    assert [one.agent for one in payloads(result, Switch)] == ["Cy"]
    assert outcome(result).votes[-1].agent == "Cy" and outcome(result).votes[-1].failure is None
    assert_sound(moot.find_run(result.run))


def test_self_votes_and_a_tie(tmp_path: Path) -> None:
    result, _ = arena(tmp_path, plain=each_for(OWN), self_votes=True, max_extra_rounds=0, reports=True)
    found = outcome(result)
    assert found.tally is not None
    assert found.tally.winner is None
    assert "tied" in found.tally.reason
    assert (found.decided_by, found.winner, found.leading, found.verdict) == ("none", None, "Ada", "needs_review")
    assert found.decision is None
    ahead = "Ada is ahead: Cache the compiled modules between runs"
    assert f"Nothing was decided. {ahead}" in entries(result)[-1].content
    assert ahead in Path(result.run, "report.md").read_text("utf-8")
    assert [vote.own for vote in found.votes] == [True, True, True]
    assert {one.agent for one in found.dissent} == {"Bo", "Cy"}


def test_rankings_are_counted(tmp_path: Path) -> None:
    def reply(request: moot.Request) -> Scripted:
        if request.key.endswith("/vote"):
            order = [letter for word in ("Cache", "Buy") for letter, text in shown(request).items() if word in text]
            return {"reason": "So.", "ranking": [order[0], *order], "confidence": 50}
        return plain_reply(request)

    result, _ = arena(tmp_path, vote="borda", plain=reply)
    (tally,) = payloads(result, Tally)
    assert (tally.rule, tally.winner, tally.scores) == ("borda", "Ada", {"Ada": "6", "Bo": "3", "Cy": "0"})
    assert payloads(result, ArenaVote)[2].ranking == ["Ada", "Bo"]


def test_weights_count_where_they_are_to(tmp_path: Path) -> None:
    agents = [AGENTS[0], {**AGENTS[1], "weight": 5}, AGENTS[2]]
    plain = each_for(LEVEL, {"Cache": 5, "Buy": 4, "Delete": 8})
    weighted, _ = arena(tmp_path / "w", vote="weighted", agents=agents, plain=plain)
    simple, _ = arena(tmp_path / "m", agents=agents, plain=plain, max_extra_rounds=0)
    assert (outcome(weighted).winner, outcome(weighted).decided_by) == ("Cy", "vote and judge")
    assert outcome(simple).reasons == ["Ada, Bo and Cy are tied"]


def test_the_judge_reads_twice_in_opposite_orders_and_fresh(tmp_path: Path) -> None:
    result, model = arena(tmp_path)
    one, two = payloads(result, JudgeReading)
    assert list(one.labels.values()) == list(two.labels.values())[::-1]
    requests = [request for request in model.requests if request.key.endswith("/judging")]
    assert [request.key for request in requests] == ["judge@8-1/judging", "judge@8-2/judging"]
    assert all(len(request.messages) == 2 for request in requests)
    assert not any(name in request.messages[-1].content for request in requests for name in ("Ada", "Bo", "Cy"))


def test_a_sure_judge_chooses_among_those_that_are_level(tmp_path: Path) -> None:
    result, _ = arena(tmp_path, plain=each_for(LEVEL, {"Cache": 5, "Buy": 9, "Delete": 4}, 85))
    found = outcome(result)
    assert (found.winner, found.decided_by, found.verdict, found.extra_rounds) == (
        "Bo",
        "judge",
        "approved",
        0,
    )
    dissent = [(dissenter.agent, dissenter.reason.split(":")[0]) for dissenter in found.dissent]
    assert dissent == [("Cy", "voted for Ada")], "Bo could not vote for its own"
    assert found.confidence == pytest.approx((0.6 + 0.85) / 2)


def test_a_judge_that_is_just_not_sure_enough(tmp_path: Path) -> None:
    def reply(request: moot.Request) -> Scripted:
        if request.key.endswith("/judging"):
            return reading(request, {"Cache": 5, "Buy": 9, "Delete": 4}, 79 if "-1/" in request.key else 80)
        given: Scripted = each_for(LEVEL)(request)
        return given

    result, _ = arena(tmp_path, plain=reply, max_extra_rounds=0)
    found = outcome(result)
    assert found.assessment is not None
    assert (found.assessment.confidence, found.decided_by, found.leading) == (0.795, "none", "Bo")
    assert [doubt.code for doubt in found.doubts] == ["not_settled"]
    assert "with confidence 0.79." in next(entry.content for entry in entries(result) if entry.type == "assessment")


def test_a_score_that_just_misses_the_mark_does_not_read_as_if_it_met_it(tmp_path: Path) -> None:
    def reply(request: moot.Request) -> Scripted:
        given = plain_reply(request)
        if request.key.endswith("/judging") and isinstance(given, dict):
            given = {**reading(request, {"Cache": 5, "Buy": 2, "Delete": 2})}
            if request.key == "judge@8-1/judging":
                given[letter_of(request, "Cache")] = {"soundness": 5, "usefulness": 5, "candour": 4}
        return given

    result, _ = arena(tmp_path, plain=reply, pass_mark=5, max_extra_rounds=0)
    found = outcome(result)
    assert found.assessment is not None
    assert (found.assessment.scores["Ada"], found.verdict) == (4.8333, "rejected")
    assert [doubt.text for doubt in found.doubts] == ["the judge gives Ada 4.8; 5 is needed"]
    assert not any("5.0" in entry.content for entry in entries(result) if entry.type == "assessment")


def test_where_nothing_is_ahead_nobody_dissents(tmp_path: Path) -> None:
    def reply(request: moot.Request) -> Scripted:
        return Rejected("down") if request.key.endswith("/judging") else each_for(LEVEL)(request)

    result, _ = arena(tmp_path, plain=reply, max_extra_rounds=0)
    found = outcome(result)
    assert (found.decided_by, found.leading, found.verdict) == ("none", None, "needs_review")
    assert found.dissent == []
    assert "by none" not in as_text(moot.find_run(result.run), result, "key")
    assert result.summary.headline == "No decision: neither the vote nor the judge settles it"
    assert result.summary.reached.startswith("Needs review, not settled.")


def test_unsettled_debates_are_extended(tmp_path: Path) -> None:
    result, model = arena(tmp_path, plain=each_for(LEVEL))
    found = outcome(result)
    assert (found.extra_rounds, found.round, found.decided_by) == (2, 14, "none")
    assert len(payloads(result, Tally)) == 3
    prompt = asked(model, "bo/revise/9")
    assert "The judge: On Buy." in prompt
    assert "On Cache" not in prompt
    assert result.longest_chain == 14


def reading_of(scores: dict[str, float], order: list[str], number: int) -> JudgeReading:
    return JudgeReading(
        round=8,
        reading=1 if number == 1 else 2,
        labels=dict(zip("ABCDE", order, strict=False)),
        scores={name: {"one": score} for name, score in scores.items()},
        ranking=sorted(scores, key=lambda name: -scores[name]),
        reasons={},
        confidence=0.5,
        failure=None,
    )


def test_equal_scores_are_told_apart_by_the_rankings() -> None:
    one = reading_of({"x": 7, "y": 7}, ["x", "y"], 1)
    assert assess(8, {"Kim": (one, one.model_copy(update={"ranking": ["x"]}))}).first == "x"
    behind = one.model_copy(update={"ranking": ["y", "x"]})
    found = assess(8, {"Kim": (behind, behind)})
    assert (found.first, found.judges[0].ranking) == ("y", ["y", "x"]), "the first place is first in the list too"
    assert assess(8, {"Kim": (one, one.model_copy(update={"ranking": ["y", "x"]}))}).first is None


def test_one_judge_whose_order_matters_is_enough_to_be_unstable() -> None:
    one, two = reading_of({"x": 7, "y": 6}, ["x", "y"], 1), reading_of({"x": 6, "y": 7}, ["y", "x"], 2)
    lost = two.model_copy(update={"scores": {}, "ranking": [], "confidence": None, "failure": "down"})
    assert assess(8, {"Kim": (one, two), "Lu": (one, lost)}).unstable is True
    assert assess(8, {"Kim": (one, one), "Lu": (one, lost)}).unstable is None
    assert assess(8, {"Kim": (one, one), "Lu": (two, two)}).unstable is False
