"""A jury in the duel: blind, in both orders, by majority; what is split or hangs on the order is flagged."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.define.study import TRUTH
from moot.errors import Refused
from moot.protocols.duel.config import DuelConfig
from moot.protocols.duel.payloads import Ballot, Verdict
from moot.protocols.duel.prompts import BANDS, LIKELY
from moot.protocols.duel.result import DuelOutcome, Jury
from moot.testing import ScriptedModel
from tests.kit.duels import KIM, MODEL, answer_for, assert_sound, full_script, play, small_config
from tests.kit.runs import asked, entries

ASKED_OF_ONE = ("judge/deliberate", "judge@verdict/confirm", "judge@verdict/extract")


def vote(winner: str, ada: int = 7, bo: int = 5) -> dict[str, Any]:
    return {"reasoning": f"{winner} answered.", "scores": {"Ada": ada, "Bo": bo}, "winner": winner}


def cast(juror: int, given: Any, swapped: Any) -> dict[str, Any]:
    """The replies of a juror, who knows the debaters by letters: whoever is shown first is A."""
    return {
        f"juror-{juror}@given/vote": lettered(given, {"Ada": "A", "Bo": "B"}),
        f"juror-{juror}@swapped/vote": lettered(swapped, {"Bo": "A", "Ada": "B"}),
    }


def lettered(vote: Any, letters: dict[str, str]) -> Any:
    if not isinstance(vote, dict):
        return vote
    scores = {letters[name]: score for name, score in vote["scores"].items()}
    return {**vote, "scores": scores, "winner": letters[vote["winner"]], "confidence": 75}


def judged(folder: Path, *votes: tuple[Any, Any], **settings: Any) -> tuple[moot.Result, ScriptedModel]:
    """A duel with a jury whose members vote like that, in the order given and in the other."""
    script = {key: reply for key, reply in full_script(2).items() if key not in ASKED_OF_ONE}
    winners = [given["winner"] for given, _ in votes if isinstance(given, dict)]
    script["judge/announce"] = answer_for(max(winners, key=winners.count, default="neither"))
    for number, (given, swapped) in enumerate(votes, 1):
        script |= cast(number, given, swapped)
    model = ScriptedModel(script)
    return play(small_config(folder, **({"jury": len(votes)} | settings)), model), model


def jury(result: moot.Result) -> Jury:
    assert isinstance(result.outcome, DuelOutcome)
    assert result.outcome.jury is not None
    return result.outcome.jury


def codes(result: moot.Result) -> set[str]:
    return {flag.code for flag in result.flags}


@pytest.mark.usefixtures("reports_are_read")
def test_a_jury_decides_by_majority(tmp_path: Path) -> None:
    votes = [(vote("Ada"), vote("Ada", 8, 6)), (vote("Ada", 6, 4), vote("Ada")), (vote("Bo", 4, 9), vote("Bo", 5, 8))]
    result, model = judged(tmp_path, *votes)
    assert result.status == "done", result.reason
    assert len(model.requests) == 4 * 2 + 2 + 2 * 3 + 1
    found = jury(result)
    assert (found.winner, found.agreement, found.swayed) == ("Ada", 0.667, [])
    assert found.votes == {"Juror 1": "Ada", "Juror 2": "Ada", "Juror 3": "Bo"}
    assert (found.readings, found.first_shown) == (6, 3)
    assert found.scores == {"Ada": 6, "Bo": 5}, "the lower median: a score that a juror gave"
    assert result.summary.headline == "Yes, on the reasons given (6 to 5)"
    assert "By a jury of 3, each reading in both orders: 2 for Ada and 1 for Bo" in (result.summary.reached or "")
    assert "jury_split" in codes(result)
    assert "by the votes of a jury" in asked(model, "judge/announce")
    assert_sound(moot.find_run(result.run))
    receipt = json.loads((Path(result.run) / "receipt.json").read_bytes())
    assert (receipt["jury"]["votes"], receipt["jury"]["scores"]) == (found.votes, found.scores)


def test_one_mind_is_neither_split_nor_unstable(tmp_path: Path) -> None:
    result, _ = judged(tmp_path, *[(vote("Bo", 4, 6), vote("Bo", 4, 6))] * 2)
    assert jury(result).agreement == 1
    assert not {"jury_split", "jury_unstable", "winner_not_confirmed", "no_scores"} & codes(result)


def test_whoever_is_swayed_by_the_order_counts_for_nobody(tmp_path: Path) -> None:
    result, _ = judged(tmp_path, (vote("Ada"), vote("Bo")), (vote("Ada"), vote("Bo")), (vote("Ada"), vote("Ada")))
    found = jury(result)
    assert (found.winner, found.swayed) == ("Ada", ["Juror 1", "Juror 2"])
    assert (found.readings, found.first_shown) == (6, 5)
    [flag] = [flag for flag in result.flags if flag.code == "jury_unstable"]
    assert "Juror 1 and Juror 2" in flag.text
    assert found.agreement == 0.333, "of all jurors, not of those whose votes count"
    [flag] = [flag for flag in result.flags if flag.code == "jury_short"]
    assert "1 of 3 voted for Ada" in flag.text


def test_a_tie_has_no_winner(tmp_path: Path) -> None:
    result, model = judged(tmp_path, (vote("Ada"), vote("Ada")), (vote("Bo"), vote("Bo")))
    assert jury(result).winner is None
    assert result.summary.headline == "No winner: the jury came to no majority"
    assert "The jury came to no majority." in asked(model, "judge/announce")
    assert "jury_split" in codes(result)


def test_a_juror_who_does_not_vote_is_missing_and_the_others_decide(tmp_path: Path) -> None:
    result, _ = judged(tmp_path, (Refused("policy"), vote("Ada")), (vote("Bo"), vote("Bo")))
    assert result.status == "done"
    assert jury(result).votes == {"Juror 1": None, "Juror 2": "Bo"}
    assert jury(result).winner == "Bo"
    assert {"replies_missing", "jury_short"} <= codes(result)
    assert (jury(result).readings, jury(result).first_shown) == (2, 1), "a reading without its pair tells no order"
    assert "0 for Ada, 1 for Bo and 1 for nobody" in (result.summary.reached or "")
    missing = [one.data for one in entries(result) if isinstance(one.data, Ballot) and one.data.failure]
    assert [(one.juror, one.order) for one in missing] == [("Juror 1", "given")]


def test_a_jury_that_never_votes_is_told_as_such(tmp_path: Path) -> None:
    result, _ = judged(tmp_path, *[(Refused("policy"), Refused("policy"))] * 2)
    told = {flag.code: flag.text for flag in result.flags}
    assert told["no_scores"] == "No scores: no juror gave a usable vote."
    assert told["replies_missing"].startswith("4 replies"), "the judge has answered"
    assert jury(result).readings == 0


def test_jurors_are_blind_to_each_other_and_read_in_both_orders(tmp_path: Path) -> None:
    _, model = judged(tmp_path, (vote("Ada"), vote("Ada")), (vote("Bo"), vote("Bo")))
    readings = [request for request in model.requests if request.agent.startswith("juror-")]
    assert len(readings) == 4
    for request in readings:
        text = " ".join(message.content for message in request.messages)
        assert len(request.messages) == 2, "nobody remembers another reading"
        assert not any(word in text for word in ("answered.", "weighed", "Thought", "plans", "Reason "))
        ada, bo = text.index("Statement 1, by A."), text.index("Statement 2, by B.")
        assert (ada < bo) is request.agent.endswith("@given")
        first, second = ("1", "2") if ada < bo else ("2", "1")
        assert f"<<<statement {first} by A " in text
        assert f"<<<statement {second} by B " in text
        assert not {"Ada", "Bo"} & set(re.findall(r"\w+", text)), "no juror knows a name"


def test_a_ballot_says_how_sure_it_is_and_who_was_which_letter(tmp_path: Path) -> None:
    result, _ = judged(tmp_path, (vote("Ada", 9, 2), vote("Ada", 8, 3)), (vote("Bo"), vote("Bo")))
    ballots = [one for one in entries(result) if isinstance(one.data, Ballot)]
    assert ballots[0].content.endswith("(A is Ada, B is Bo)")
    assert ballots[1].content.endswith("(A is Bo, B is Ada)")
    [given, swapped] = [one.data for one in ballots[:2] if isinstance(one.data, Ballot)]
    assert (given.scores, swapped.scores) == ({"Ada": 9, "Bo": 2}, {"Bo": 3, "Ada": 8})
    assert given.confidence == 0.75


def test_a_jury_on_a_question_with_a_right_answer_has_one_standard_and_one_scale(tmp_path: Path) -> None:
    settings = {"factual": True, "options": ["84", "82"], "claim": None}
    _, model = judged(tmp_path, *[(vote("Ada"), vote("Ada"))] * 2, **settings)
    juror = next(one for one in model.requests if one.agent == "juror-1@swapped")
    system, task = (message.content for message in juror.messages)
    assert TRUTH in system
    assert BANDS not in system
    assert LIKELY in system
    assert "B holds this answer: 84." in task
    judge = next(one for one in model.requests if one.agent == "judge").messages[0].content
    assert TRUTH in judge
    assert KIM["judging_criteria"] not in judge
    assert "what you believe" not in judge + system


def test_the_models_of_a_jury_can_be_given(tmp_path: Path) -> None:
    other = ScriptedModel(lambda request: cast(1, vote("Ada"), vote("Ada"))[request.key], name="scripted/other")
    script = {key: reply for key, reply in full_script(2).items() if key not in ASKED_OF_ONE}
    script |= cast(2, vote("Ada"), vote("Ada"))
    result = play(small_config(tmp_path, jury=f"scripted/other, {MODEL}"), ScriptedModel(script), other)
    assert result.status == "done", result.reason
    assert {request.agent for request in other.requests} == {"juror-1@given", "juror-1@swapped"}
    assert isinstance(entries(result)[-1].data, Verdict)


@pytest.mark.parametrize(("given", "count"), [("3", 3), (3, 3), ("a/b,c/d", 2), ("1", 0), (None, 0)])
def test_how_a_jury_is_given(given: Any, count: int) -> None:
    config = moot.configure("duel", topic="T", jury=given).debate
    assert isinstance(config, DuelConfig)
    assert len(config.jurors) == count


@pytest.mark.parametrize("given", ["99", [], -1])
def test_a_jury_that_cannot_be(given: Any) -> None:
    with pytest.raises(moot.ConfigError, match="jury"):
        moot.configure("duel", topic="T", jury=given)


def without_judge(folder: Path, *votes: tuple[Any, Any]) -> tuple[moot.Result, ScriptedModel]:
    script = {key: reply for key, reply in full_script(2).items() if not key.startswith("judge")}
    for number, (given, swapped) in enumerate(votes, 1):
        script |= cast(number, given, swapped)
    model = ScriptedModel(script)
    return play(small_config(folder, judge=None, jury=[MODEL] * len(votes)), model), model


@pytest.mark.usefixtures("reports_are_read")
def test_a_jury_decides_without_a_judge(tmp_path: Path) -> None:
    result, model = without_judge(tmp_path, (vote("Ada"), vote("Ada")), (vote("Ada"), vote("Bo")))
    assert result.status == "done", result.reason
    assert len(model.requests) == 2 * 2 + 2 + 2 * 2, "nobody scores turns, and nobody announces"
    assert jury(result).winner == "Ada"
    assert (result.summary.headline, result.summary.decided) == ("Upheld: It is so (7 to 5)", True)
    assert {"jury_unstable", "jury_short"} <= codes(result)
    assert not {"answer_missing", "winner_not_confirmed"} & codes(result)
    assert "A jury reads the debate afterwards" in model.requests[0].messages[0].content
    assert entries(result)[-1].content == "The jury is for Ada."
    assert "the judge" not in (Path(result.run) / "report.md").read_text("utf-8").partition("## Transcript")[0]
    assert_sound(moot.find_run(result.run))


def test_one_juror_is_a_jury_if_its_model_is_given(tmp_path: Path) -> None:
    result, _ = without_judge(tmp_path, (vote("Ada"), vote("Bo")))
    assert (jury(result).winner, result.summary.headline) == (None, "No winner: the jury came to no majority")
