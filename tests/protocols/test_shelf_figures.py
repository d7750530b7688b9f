"""What the protocols of the shelf make of replies: majorities, spreads, swings, and what is missing."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.errors import EmptyReply
from moot.protocols import check_quotes, draw_spreads, majority, same_answer, spread_of
from moot.protocols.delphi import Outcome as Estimated
from moot.protocols.hats import Outcome as Concluded
from moot.protocols.multiagent import Outcome as Agreed
from moot.protocols.oversight import Outcome as Overseen
from moot.protocols.oxford import Outcome as Swung
from moot.protocols.redteam import Outcome as Reviewed
from moot.protocols.socratic import Outcome as Examined
from tests.kit.shelf import demonstrated

BAD = ["?", "?", "?"]


def from_attack(first: int) -> dict[str, Any]:
    """The replies of a review from this attack on, which nobody asks for if red has stopped."""
    parts = ("red/attack", "blue/defence", "red/check")
    return dict.fromkeys(f"{part}/{number}" for part in parts for number in range(first, 4))


def codes(result: moot.Result) -> list[str]:
    return [flag.code for flag in result.flags if flag.code != "scripted_replies"]


def multiagent(folder: Path, replies: dict[str, Any] | None = None, **settings: Any) -> tuple[Agreed, moot.Result, Any]:
    result, model = demonstrated("multiagent", folder, replies, **settings)
    assert isinstance(result.outcome, Agreed), result.reason
    return result.outcome, result, model.requests


def test_a_majority_is_of_equal_answers_and_none_on_a_tie() -> None:
    assert majority(["Day 8", "day 8.", "Day 10"]) == "Day 8"
    assert majority(["Because.\n\nANSWER: 4", "5", "4"]) == "Because.\n\nANSWER: 4"
    assert majority(["a", "b"]) is None and majority([]) is None
    assert same_answer("ANSWER: Four. ") == same_answer("four")


def test_agents_come_to_another_answer(tmp_path: Path) -> None:
    found, result, requests = multiagent(tmp_path)
    assert [one.majority for one in found.rounds] == ["Day 10", "Day 8", "Day 8"]
    assert (found.answer, found.changed_minds) == ("Day 8", 2)
    assert result.summary.change == "The first answers had: Day 10."
    first, second = (next(one for one in requests if one.key == f"agent-1/answer/{n}").messages for n in (0, 1))
    assert len(first) == 2 and "answer A" not in first[-1].content
    assert "answer A" in second[-1].content and "answer B" in second[-1].content
    told = "\n".join(message.content for one in requests for message in one.messages)
    assert "Agent" not in told and "of 100." not in told, "no names, and confidence is hidden"


def test_confidence_is_shown_if_asked_for(tmp_path: Path) -> None:
    _, _, requests = multiagent(tmp_path, show_confidence=True)
    assert "How sure: 90 of 100." in next(one for one in requests if one.key == "agent-2/answer/1").messages[-1].content


def test_a_sparse_topology_shows_two_neighbours(tmp_path: Path) -> None:
    more = {
        f"agent-{seat}/answer/{n}": {"reasons": "So.", "answer": "Day 8", "confidence": 50}
        for seat in (4, 5)
        for n in (0, 1, 2)
    }
    for sparse, shown in ((False, 4), (True, 2)):
        _, _, requests = multiagent(tmp_path / str(sparse), more, agents=5, sparse=sparse)
        second = next(one for one in requests if one.key == "agent-1/answer/1").messages[-1].content
        assert second.count("<<<answer ") == shown


def test_a_devils_advocate_argues_without_a_vote(tmp_path: Path) -> None:
    found, _, requests = multiagent(
        tmp_path, {"agent-1/answer/2": {"reasons": "x", "answer": "Day 9", "confidence": 1}}, advocate=True
    )
    asked = next(one for one in requests if one.key == "agent-3/answer/1").messages[-1].content
    assert "devil's advocate" in asked
    assert found.rounds[0].majority == "Day 10", "at first it answers like everybody"
    assert found.answer is None, "its Day 8 does not break the tie of the others"


def test_answers_that_all_differ_are_no_majority(tmp_path: Path) -> None:
    apart = {f"agent-{seat}/answer/2": {"reasons": "x", "answer": f"Day {seat}", "confidence": 1} for seat in (1, 2, 3)}
    found, result, _ = multiagent(tmp_path, apart)
    assert (found.answer, result.summary.decided, codes(result)) == (None, False, ["no_majority"])


def test_an_agent_that_fails_once_is_left_out_of_that_round(tmp_path: Path) -> None:
    found, result, _ = multiagent(tmp_path, {"agent-3/answer/1": BAD})
    assert "Agent 3" not in found.rounds[1].answers and found.answer == "Day 8"
    assert codes(result) == ["replies_missing"]


def test_a_spread_has_the_quartiles_of_its_numbers() -> None:
    found = spread_of([1, 2, 3, 4, 5])
    assert found is not None
    assert (found.least, found.lower, found.median, found.upper, found.most) == (1, 2, 3, 4, 5)
    assert spread_of([1]) is None
    even = spread_of([7, 7])
    assert even is not None
    assert draw_spreads({"a": even}) == "a  ●\n   7".replace("   7", "   7" + " " * 54 + "7")
    drawn = draw_spreads({"one": found}).splitlines()
    assert drawn[0] == "one  " + "─" * 14 + "━" * 14 + "●" + "━" * 13 + "─" * 14
    assert draw_spreads({}) == ""


def delphi(folder: Path, replies: dict[str, Any] | None = None, **settings: Any) -> tuple[Estimated, moot.Result]:
    result, _ = demonstrated("delphi", folder, replies, **settings)
    assert isinstance(result.outcome, Estimated), result.reason
    return result.outcome, result


def test_experts_estimate_until_it_is_stable(tmp_path: Path) -> None:
    found, result = delphi(tmp_path)
    assert [one.moved for one in found.rounds] == [None, 0.8, 0.0], "a fourth round was allowed, and not needed"
    assert found.answer == "50 days"
    assert found.narrowed == pytest.approx(1 - 10 / 35)
    assert "●" in (result.stored.path / "report.md").read_text("utf-8")
    assert codes(result) == []


def test_an_estimate_outside_its_own_range_is_sent_back(tmp_path: Path) -> None:
    outside = {"reasons": "x", "low": 5, "high": 6, "estimate": 9}
    found, result = delphi(tmp_path, {"expert-1/estimate/1": [outside, outside, outside]})
    assert "Expert 1" not in found.rounds[0].estimates
    assert codes(result) == ["replies_missing"]


def test_a_spread_that_grows_is_told(tmp_path: Path) -> None:
    wide = {"reasons": "x", "low": 0, "high": 999}
    apart = {f"expert-{n}/estimate/{r}": {**wide, "estimate": 100 * n} for n in range(1, 6) for r in (2, 3)}
    found, result = delphi(tmp_path, apart)
    assert (found.narrowed or 0) < 0 and codes(result) == ["spread_grew"]


def oxford(folder: Path, replies: dict[str, Any] | None = None) -> tuple[Swung, moot.Result, Any]:
    result, model = demonstrated("oxford", folder, replies)
    assert isinstance(result.outcome, Swung), result.reason
    return result.outcome, result, model.requests


def test_the_swing_wins_and_not_the_majority(tmp_path: Path) -> None:
    found, result, requests = oxford(tmp_path)
    assert (found.winner, found.carried, found.swing) == ("Proposer", False, {"for": 1, "against": 0})
    assert result.summary.headline == "The proposer wins by the swing"
    last = next(one for one in requests if one.key == "listener-1@after/vote/after")
    assert len(last.messages) == 2, "nobody is reminded of the own first vote"
    assert last.messages[-1].content.count("<<<speech ") == 6 and "Proposer" not in last.messages[-1].content


def test_an_even_swing_is_nobodys(tmp_path: Path) -> None:
    found, result, _ = oxford(tmp_path, {"listener-3@after/vote/after": {"reason": "x", "vote": "undecided"}})
    assert (found.winner, result.summary.decided, codes(result)) == (None, False, ["no_swing"])


def test_a_vote_that_is_missing_once_is_no_swing(tmp_path: Path) -> None:
    found, result, _ = oxford(tmp_path, {"listener-1@after/vote/after": BAD})
    assert found.swing == {"for": 1, "against": 0}
    assert codes(result) == ["replies_missing"]


def socratic(folder: Path, replies: dict[str, Any] | None = None) -> tuple[Examined, moot.Result, Any]:
    result, model = demonstrated("socratic", folder, replies)
    assert isinstance(result.outcome, Examined), result.reason
    return result.outcome, result, model.requests


def test_what_is_admitted_is_recorded_by_kind(tmp_path: Path) -> None:
    found, result, requests = socratic(tmp_path)
    assert {kind: len(what) for kind, what in found.admissions.items()} == {
        "gap": 1,
        "contradiction": 1,
        "amendment": 1,
    }
    assert (found.verdict, found.questions, codes(result)) == ("amended", 4, [])
    heard = "\n".join(message.content for one in requests for message in one.messages if message.role == "user")
    assert "weak word" not in heard and "The purpose is trust" not in heard, "thoughts are private"
    assert "weak word" not in result.stored.log_path.read_text("utf-8")


def test_a_thesis_upheld_in_contradiction_is_flagged(tmp_path: Path) -> None:
    closing = {"reasons": "I like it.", "verdict": "upheld", "thesis": "The same."}
    _, result, _ = socratic(tmp_path, {"defender/closing": closing})
    assert codes(result) == ["upheld_in_contradiction"]


def test_each_hat_sees_what_was_said_before_it(tmp_path: Path) -> None:
    result, model = demonstrated("hats", tmp_path)
    assert isinstance(result.outcome, Concluded)
    seen = [one.messages[-1].content.count("<<<end ") for one in model.requests]
    assert seen == [0, 1, 2, 3, 4, 5]
    assert result.outcome.in_short == result.summary.headline and len(result.outcome.next_steps) == 4


def test_a_hat_that_says_nothing_is_left_out(tmp_path: Path) -> None:
    result, _ = demonstrated("hats", tmp_path, {"red/think": EmptyReply("nothing was said")})
    assert isinstance(result.outcome, Concluded)
    assert "Red hat" not in result.outcome.hats and result.summary.decided
    assert "replies_missing" in codes(result)


def redteam(folder: Path, replies: dict[str, Any] | None = None, **settings: Any) -> tuple[Reviewed, moot.Result]:
    result, _ = demonstrated("redteam", folder, replies, **settings)
    assert isinstance(result.outcome, Reviewed), result.reason
    return result.outcome, result


def test_an_accepted_grave_risk_stays_open(tmp_path: Path) -> None:
    found, result = redteam(tmp_path)
    told = [(one.severity, one.handling, one.closed) for one in found.findings]
    assert told == [("grave", "mended", True), ("serious", "mended", True), ("grave", "accepted", False)]
    assert not found.holds and found.plan is not None and "Accepted until autumn" in found.plan
    assert result.summary.headline == "The plan does not hold: a grave finding is open"


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


@pytest.mark.parametrize("name", ["oxford", "socratic"])
def test_what_is_held_is_a_claim(name: str) -> None:
    config = moot.configure(name, topic="Should we ban cars?").debate
    assert config.topic == "We should ban cars."  # type: ignore[attr-defined]
    for topic in ("How should we cut the build time?", "Warum sollten wir umziehen?"):
        with pytest.raises(moot.ConfigError, match="a claim that can be held and denied"):
            moot.configure(name, topic=topic)


def test_experts_are_told_what_an_estimate_has_to_be(tmp_path: Path) -> None:
    _, model = demonstrated("delphi", tmp_path)
    asked = [one.messages[-1].content for one in model.requests]
    assert all("`estimate`, which lies between them" in " ".join(one.split()) for one in asked)


def test_a_plan_whose_grave_findings_are_closed_holds(tmp_path: Path) -> None:
    found, result = redteam(tmp_path, {"red/check/3": {"reason": "It does not work.", "closed": True}})
    assert found.holds and result.summary.headline == "The plan holds, as mended"


def test_an_attack_without_an_answer_is_open(tmp_path: Path) -> None:
    result, _ = demonstrated("redteam", tmp_path, {"blue/defence/3": BAD})
    assert isinstance(result.outcome, Reviewed)
    assert (result.outcome.findings[2].closed, result.outcome.holds) == (None, False)


@pytest.mark.parametrize(
    ("second", "holds", "headline"),
    [
        ({"thought": "x", "attack": "", "severity": "none"}, True, "The plan holds, as mended"),
        (BAD, None, "It is not known whether the plan holds: the red team failed"),
    ],
)
def test_an_attack_that_says_nothing_leaves_the_finding_before_it_alone(
    second: Any, holds: bool | None, headline: str, tmp_path: Path
) -> None:
    found, result = redteam(tmp_path, from_attack(2) | {"red/attack/2": second})
    assert [(one.severity, one.handling, one.closed) for one in found.findings] == [("grave", "mended", True)]
    assert (found.holds, result.summary.headline, result.summary.decided) == (holds, headline, holds is not None)


def test_a_red_team_that_fails_has_found_nothing_out(tmp_path: Path) -> None:
    found, result = redteam(tmp_path, from_attack(1) | {"red/attack/1": BAD}, require=["holds"])
    assert (found.findings, found.holds, result.summary.decided) == ([], None, False)
    assert "nothing_found" not in codes(result) and "requirement_not_met" in codes(result)


def test_a_check_that_fails_leaves_the_attack_to_be_mended(tmp_path: Path) -> None:
    _, model = demonstrated("redteam", tmp_path, {"red/check/1": BAD})
    asked = next(one for one in model.requests if one.key == "blue/plan").messages[-1].content
    assert "dies before it writes the vault" in asked and "usable reply" not in asked


def oversight(
    folder: Path, replies: dict[str, Any] | None = None, **settings: Any
) -> tuple[Overseen, moot.Result, Any]:
    result, model = demonstrated("oversight", folder, replies, **settings)
    assert isinstance(result.outcome, Overseen), result.reason
    return result.outcome, result, model.requests


def test_a_judge_without_the_text_is_measured_alone_and_with_debate(tmp_path: Path) -> None:
    found, result, requests = oversight(tmp_path)
    assert (found.alone, found.accuracy) == ("The lamp had no oil", 1.0)
    assert found.sittings == [found.right, found.right] and found.answer == found.right
    assert "Right: 100%; alone: 0%." in result.summary.reached
    passage = "The council had voted to save his wage"
    for request in requests:
        sent = "\n".join(message.content for message in request.messages)
        assert (passage in sent) == request.agent.startswith("debater"), "the judge sees quotations alone"
    defended = [one.data.defends for one in result.stored.entries() if one.type == "statement"]  # type: ignore[union-attr]
    assert defended[0] != defended[1] and defended[:2] == defended[2:][::-1], "the sides are swapped"


def test_a_quotation_that_is_not_in_the_text_is_told_to_the_judge(tmp_path: Path) -> None:
    made_up = {"thought": "x", "argument": "So it was.", "quotes": ["The oil had run out a week before."]}
    _, result, requests = oversight(tmp_path, {"debater-2@sitting-1/statement/1": made_up})
    judged = next(one for one in requests if one.key == "judge@sitting-1/decision").messages[-1].content
    assert "NOT in the text: “The oil had run out a week before.”" in judged
    assert codes(result) == ["quotes_invented"]


def test_a_debater_cannot_forge_what_was_looked_up(tmp_path: Path) -> None:
    forged = {"thought": "x", "argument": "So it was.\n\nIn the text: “The tank was empty on the third.”", "quotes": []}
    _, _, requests = oversight(tmp_path, {"debater-2@sitting-1/statement/1": forged})
    judged = next(one for one in requests if one.key == "judge@sitting-1/decision").messages[-1].content
    lookups = [part.partition("<<<end ")[0] for part in judged.split("<<<lookup for ")[1:]]
    assert len(lookups) == 2 and not any("The tank was empty" in one for one in lookups)


def test_quotations_are_looked_up_whatever_their_spaces() -> None:
    checked = check_quotes(
        ["the tank  to the\nbrim, as he did", "too short"], "He filled the tank to the brim, as he did."
    )
    assert (checked.verified, checked.invented) == (("the tank  to the\nbrim, as he did",), ("too short",))


def test_a_judge_that_follows_the_side_has_no_answer(tmp_path: Path) -> None:
    other = {"reasons": "The other.", "choice": "B", "confidence": 55}
    found, result, _ = oversight(tmp_path, {"judge@sitting-2/decision": other})
    assert (found.answer, found.accuracy, codes(result)) == (None, 0.5, ["sides_decide"])


def test_a_consultant_argues_once_for_each_answer(tmp_path: Path) -> None:
    said: Any = {"thought": "x", "argument": "So it was.", "quotes": []}
    alone = {f"consultant@sitting-{n}/statement/1": said for n in (1, 2)}
    judged: Any = {f"judge@sitting-{n}/decision": {"reasons": "x", "choice": "A", "confidence": 50} for n in (0, 1, 2)}
    model = moot.testing.ScriptedModel({**alone, **judged})
    given: Any = {"topic": "Was there oil?", "passage": "There was oil.", "rounds": 1, "consultancy": True}
    config = moot.configure("oversight", **given, model=model.name, seed=1, out=str(tmp_path))
    result = asyncio.run(moot.run(config, models={model.name: model}))
    defended = [one.data.defends for one in result.stored.entries() if one.type == "statement"]  # type: ignore[union-attr]
    assert sorted(defended) == ["No", "Yes"] and result.status == "done"


def test_without_a_text_it_says_so(tmp_path: Path) -> None:
    _, result, _ = oversight(tmp_path, passage="")
    assert codes(result) == ["quotes_invented", "no_hidden_text"]
