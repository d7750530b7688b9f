"""A jury in the duel: blind, in both orders, by majority; what is split or hangs on the order is flagged."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.define.study import TRUTH
from moot.errors import Refused
from moot.protocols.duel.payloads import Ballot
from moot.protocols.duel.prompts import BANDS, LIKELY
from moot.protocols.duel.result import DuelOutcome, Jury
from moot.testing import ScriptedModel
from tests.kit.duels import KIM, MODEL, answer_for, assert_sound, full_script, play, small_config
from tests.kit.runs import asked, entries

ASKED_OF_ONE = ("judge/deliberate", "judge@verdict/confirm", "judge@verdict/extract")
REFUSED = Refused("policy")


def vote(winner: str, ada: int = 7, bo: int = 5) -> dict[str, Any]:
    return {"reasoning": f"{winner} answered.", "scores": {"Ada": ada, "Bo": bo}, "winner": winner}


ADA, BO = vote("Ada"), vote("Bo")


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
    without = "judge" if "judge" in settings else ASKED_OF_ONE
    script = {key: reply for key, reply in full_script(2).items() if not key.startswith(without)}
    winners = [given["winner"] for given, _ in votes if isinstance(given, dict)]
    if "judge" not in settings:
        script["judge/announce"] = answer_for(max(winners, key=winners.count, default="neither"))
    for number, (given, swapped) in enumerate(votes, 1):
        script |= cast(number, given, swapped)
    model = ScriptedModel(script)
    result = play(small_config(folder, **({"jury": len(votes)} | settings)), model)
    assert result.status == "done", result.reason
    return result, model


def jury(result: moot.Result) -> Jury:
    assert isinstance(result.outcome, DuelOutcome) and result.outcome.jury is not None
    return result.outcome.jury


def flags(result: moot.Result) -> dict[str, str]:
    return {flag.code: flag.text for flag in result.flags}


@pytest.mark.usefixtures("reports_are_read")
def test_a_jury_decides_by_majority(tmp_path: Path) -> None:
    votes = [(ADA, vote("Ada", 8, 6)), (vote("Ada", 6, 4), ADA), (vote("Bo", 4, 9), vote("Bo", 5, 8))]
    result, model = judged(tmp_path, *votes)
    assert len(model.requests) == 4 * 2 + 2 + 2 * 3 + 1
    found = jury(result)
    assert (found.winner, found.agreement, found.swayed) == ("Ada", 0.667, [])
    assert found.votes == {"Juror 1": "Ada", "Juror 2": "Ada", "Juror 3": "Bo"}
    assert (found.readings, found.first_shown) == (6, 3)
    assert found.scores == {"Ada": 6, "Bo": 5}, "the lower median: a score that a juror gave"
    assert result.summary.headline == "Yes, on the reasons given (6 to 5)"
    assert "By a jury of 3, each reading in both orders: 2 for Ada and 1 for Bo" in result.summary.reached
    assert "jury_split" in flags(result)
    assert "by the votes of a jury" in asked(model, "judge/announce")
    assert_sound(moot.find_run(result.run))
    receipt = json.loads((Path(result.run) / "receipt.json").read_bytes())
    assert (receipt["jury"]["votes"], receipt["jury"]["scores"]) == (found.votes, found.scores)


SWAYED = (ADA, BO)


@pytest.mark.parametrize(
    ("votes", "winner", "agreement", "readings", "raised"),
    [
        ([(BO, BO)] * 2, "Bo", 1, (4, 2), set()),
        ([SWAYED, SWAYED, (ADA, ADA)], "Ada", 0.333, (6, 5), {"jury_unstable", "jury_short"}),
        ([(ADA, ADA), (BO, BO)], None, 0.5, (4, 2), {"jury_split"}),
        ([(REFUSED, ADA), (BO, BO)], "Bo", 0.5, (2, 1), {"jury_short", "replies_missing"}),
        ([(REFUSED, REFUSED)] * 2, None, None, (0, 0), {"no_scores", "replies_missing"}),
    ],
    ids=["one mind", "swayed by the order", "a tie", "a vote that is missing", "no vote"],
)
def test_votes_are_counted_and_their_faults_flagged(
    votes: Any, winner: str | None, agreement: float | None, readings: Any, raised: set[str], tmp_path: Path
) -> None:
    """The agreement is that of all jurors; a reading without its pair tells no order."""
    result, _ = judged(tmp_path, *votes)
    found = jury(result)
    assert (found.winner, found.agreement, (found.readings, found.first_shown)) == (winner, agreement, readings)
    ruled = {"jury_split", "jury_unstable", "jury_short", "no_scores", "replies_missing", "winner_not_confirmed"}
    assert ruled & set(flags(result)) == raised
    missing = [one.data for one in entries(result) if isinstance(one.data, Ballot) and one.data.failure]
    assert len(missing) == [one for pair in votes for one in pair].count(REFUSED)
    if winner is None:
        assert result.summary.headline == "No winner: the jury came to no majority"


def test_jurors_are_blind_to_each_other_and_read_in_both_orders(tmp_path: Path) -> None:
    result, model = judged(tmp_path, (vote("Ada", 9, 2), vote("Ada", 8, 3)), (BO, BO))
    readings = [request for request in model.requests if request.agent.startswith("juror-")]
    assert len(readings) == 4
    for request in readings:
        text = " ".join(message.content for message in request.messages)
        assert len(request.messages) == 2, "nobody remembers another reading"
        assert not any(word in text for word in ("answered.", "weighed", "Thought", "plans", "Reason "))
        ada, bo = text.index("Statement 1, by A."), text.index("Statement 2, by B.")
        assert (ada < bo) is request.agent.endswith("@given")
        first, second = ("1", "2") if ada < bo else ("2", "1")
        assert f"<<<statement {first} by A " in text and f"<<<statement {second} by B " in text
        assert not {"Ada", "Bo"} & set(re.findall(r"\w+", text)), "no juror knows a name"
    ballots = [one for one in entries(result) if isinstance(one.data, Ballot)]
    assert [one.content[-18:] for one in ballots[:2]] == ["(A is Ada, B is Bo)"[-18:], "(A is Bo, B is Ada)"[-18:]]
    found = [(one.data.scores, one.data.confidence) for one in ballots[:2] if isinstance(one.data, Ballot)]
    assert found == [({"Ada": 9, "Bo": 2}, 0.75), ({"Bo": 3, "Ada": 8}, 0.75)]


def test_a_jury_on_a_question_with_a_right_answer_has_one_standard_and_one_scale(tmp_path: Path) -> None:
    settings = {"factual": True, "options": ["84", "82"], "claim": None}
    _, model = judged(tmp_path, *[(ADA, ADA)] * 2, **settings)
    juror = next(one for one in model.requests if one.agent == "juror-1@swapped")
    system, task = (message.content for message in juror.messages)
    assert TRUTH in system and LIKELY in system and BANDS not in system
    assert "B holds this answer: 84." in task
    judge = next(one for one in model.requests if one.agent == "judge").messages[0].content
    assert TRUTH in judge and KIM["judging_criteria"] not in judge
    assert "what you believe" not in judge + system


def test_the_models_of_a_jury_can_be_given(tmp_path: Path) -> None:
    other = ScriptedModel(lambda request: cast(1, ADA, ADA)[request.key], name="scripted/other")
    script = {key: reply for key, reply in full_script(2).items() if key not in ASKED_OF_ONE}
    script |= cast(2, ADA, ADA)
    result = play(small_config(tmp_path, jury=f"scripted/other, {MODEL}"), ScriptedModel(script), other)
    assert jury(result).winner == "Ada", result.reason
    assert {request.agent for request in other.requests} == {"juror-1@given", "juror-1@swapped"}


@pytest.mark.parametrize(("given", "count"), [("3", 3), (3, 3), ("a/b,c/d", 2), ("1", 0), (None, 0)])
def test_how_a_jury_is_given(given: Any, count: int) -> None:
    debate: Any = moot.configure("duel", topic="T", jury=given).debate
    assert len(debate.jurors) == count


@pytest.mark.parametrize("given", ["99", [], -1])
def test_a_jury_that_cannot_be(given: Any) -> None:
    with pytest.raises(moot.ConfigError, match="jury"):
        moot.configure("duel", topic="T", jury=given)


@pytest.mark.usefixtures("reports_are_read")
def test_a_jury_decides_without_a_judge(tmp_path: Path) -> None:
    result, model = judged(tmp_path / "two", (ADA, ADA), SWAYED, judge=None, jury=[MODEL] * 2)
    assert len(model.requests) == 2 * 2 + 2 + 2 * 2, "nobody scores turns, and nobody announces"
    assert (result.summary.headline, result.summary.decided) == ("Upheld: It is so (7 to 5)", True)
    assert {"jury_unstable", "jury_short"} <= set(flags(result))
    assert not {"answer_missing", "winner_not_confirmed"} & set(flags(result))
    assert "A jury, which reads the debate afterwards" in model.requests[0].messages[0].content
    assert entries(result)[-1].content == "The jury is for Ada."
    assert "the judge" not in (Path(result.run) / "report.md").read_text("utf-8").partition("## Transcript")[0]
    assert_sound(moot.find_run(result.run))
    alone, _ = judged(tmp_path / "one", SWAYED, judge=None, jury=[MODEL])
    assert jury(alone).winner is None, "one juror is a jury if its model is given"
