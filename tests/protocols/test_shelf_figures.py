"""What oxford, socratic and six hats make of replies: swings, admissions, and what is missing."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.errors import EmptyReply
from moot.present import Brief
from moot.protocols.hats import Outcome as Concluded
from moot.protocols.oxford import Outcome as Swung
from moot.protocols.socratic import Outcome as Examined
from tests.kit.shelf import BAD, briefed, codes, demonstrated, report_rows


def oxford(folder: Path, replies: dict[str, Any] | None = None) -> tuple[Swung, moot.Result, Any]:
    result, model = demonstrated("oxford", folder, replies)
    assert isinstance(result.outcome, Swung), result.reason
    return result.outcome, result, model.requests


def test_the_swing_wins_and_not_the_majority(tmp_path: Path) -> None:
    found, result, requests = oxford(tmp_path)
    assert (found.winner, found.carried, found.swing) == ("Proposer", False, {"for": 1, "against": 0})
    assert result.summary.headline == "No, by 3 votes to 2 after the debate"
    assert result.summary.reached == "The proposer gained more votes: the swing is +1 for and 0 against."
    votes, brief = {entry.seq: entry for entry in result.stored.entries()}, result.summary.brief
    assert [votes[point.entries[0]].speaker for point in brief.because] == ["Listener 1", "Listener 4", "Listener 5"]
    assert [one.who for one in brief.dissent] == ["Listener 3", "Listener 2"], "first whom the debate won over"
    assert brief.firmness == "Narrow: 3 of 5 listeners are against it."
    last = next(one for one in requests if one.key == "listener-1@after/vote/after")
    assert len(last.messages) == 2, "nobody is reminded of the own first vote"
    assert last.messages[-1].content.count("<<<speech ") == 6 and "Proposer" not in last.messages[-1].content


UNDECIDED = {"reason": "x", "vote": "undecided"}


@pytest.mark.parametrize(
    ("after", "winner", "carried", "headline", "raised"),
    [
        ({3: UNDECIDED}, None, False, "No, by 3 votes to 1 after the debate (1 undecided)", ["no_swing"]),
        ({1: UNDECIDED}, "Proposer", None, "No majority after the debate: 2 for, 2 against, 1 undecided", []),
        ({1: BAD}, "Proposer", None, "No majority after the debate: 2 for, 2 against", ["replies_missing"]),
        (dict.fromkeys(range(1, 6), BAD), None, None, "No answer: no votes after the debate", ["replies_missing"]),
    ],
    ids=["an even swing", "an even vote", "a vote that is missing", "no vote"],
)
def test_votes_and_swings_are_counted_apart(
    after: dict[int, Any], winner: str | None, carried: bool | None, headline: str, raised: list[str], tmp_path: Path
) -> None:
    """A vote that is missing once is no swing, and where nobody voted twice there is none, not an even one."""
    found, result, _ = oxford(tmp_path, {f"listener-{n}@after/vote/after": reply for n, reply in after.items()})
    assert (found.winner, found.carried, result.summary.headline, codes(result)) == (winner, carried, headline, raised)
    assert result.summary.decided is (carried is not None)
    if carried is None:
        assert result.summary.brief == Brief()
    if not found.voters:
        assert (result.summary.reached, result.summary.change) == ("There is no swing: nobody voted both times.", None)


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
    assert result.summary.headline.endswith(" (the thesis was restated)")
    answers = {entry.seq for entry in result.stored.entries() if entry.type == "answer"}
    assert all(set(point.entries) <= answers for point in result.summary.brief.because)
    heard = "\n".join(message.content for one in requests for message in one.messages if message.role == "user")
    assert "weak word" not in heard and "The purpose is trust" not in heard, "thoughts are private"
    assert "weak word" not in result.stored.log_path.read_text("utf-8")


AMENDED = {"thought": "x", "answer": "On Mondays.", "admits": "amendment", "admitted": "Only on Mondays."}


@pytest.mark.parametrize(
    "answers", [{}, {f"defender/answer/{n}": AMENDED for n in range(1, 5)}], ids=["a contradiction", "an amendment"]
)
def test_a_thesis_against_which_something_was_admitted_cannot_be_upheld(
    answers: dict[str, Any], tmp_path: Path
) -> None:
    upheld = briefed("Yes.", verdict="upheld", thesis="The same.")
    closings = [upheld, {**upheld, "verdict": "amended"}]
    found, _, requests = socratic(tmp_path, answers | {"defender/closing": closings})
    asked = [one.messages[-1].content for one in requests if one.key == "defender/closing"]
    assert len(asked) == 2 and "it does not stand as it was" in asked[0]
    assert (found.verdict, found.thesis) == ("amended", "The same.")


def test_each_hat_sees_what_was_said_before_it(tmp_path: Path) -> None:
    result, model = demonstrated("hats", tmp_path)
    assert isinstance(result.outcome, Concluded)
    seen = [one.messages[-1].content.count("<<<end ") for one in model.requests]
    assert seen == [0, 1, 2, 3, 4, 5]
    brief = result.summary.brief
    assert result.summary.headline == (brief.answer or "").removesuffix(".")
    assert brief.next is not None and result.outcome.next_steps[0] == brief.next.text
    assert len(result.outcome.next_steps) == 4
    said = {entry.seq: entry.phase for entry in result.stored.entries()}
    assert [[said[seq] for seq in point.entries] for point in brief.because] == [
        ["black", "white"],
        ["green"],
        ["red", "yellow"],
    ]


def test_a_hat_that_says_nothing_is_left_out(tmp_path: Path) -> None:
    result, _ = demonstrated("hats", tmp_path, {"red/think": EmptyReply("nothing was said")})
    assert isinstance(result.outcome, Concluded)
    assert "Red hat" not in result.outcome.hats and result.summary.decided
    assert "replies_missing" in codes(result)


@pytest.mark.usefixtures("reports_are_read")
def test_what_is_said_of_the_audience_is_of_those_who_voted_both_times(tmp_path: Path) -> None:
    found, result, _ = oxford(tmp_path, {f"listener-{n}@after/vote/after": BAD for n in (1, 4)})
    assert (found.voters, found.moved) == (3, 1)
    assert result.summary.change == "1 of 3 listeners changed their vote."
    assert ["Before", "34%", "33%", "33%"] in report_rows(result) and ["After", "67%", "0%", "33%"] in report_rows(
        result
    )


def test_a_thesis_that_nobody_examined_is_not_upheld(tmp_path: Path) -> None:
    later = [f"{who}/{n}" for who in ("questioner/question", "defender/answer") for n in range(1, 5)]
    script = dict.fromkeys([*later, "defender/closing"]) | {"questioner/question/1": BAD}
    found, result, requests = socratic(tmp_path, script)
    assert (found.verdict, found.questions, result.summary.decided) == (None, 0, False)
    assert {one.agent for one in requests} == {"questioner"}, "there is nothing to close"
    upheld = briefed(verdict="upheld", thesis="The same.")
    script = {f"defender/answer/{n}": BAD for n in range(1, 5)} | {"defender/closing": upheld}
    found, result, _ = socratic(tmp_path / "silent", script)
    assert (found.verdict, found.questions, result.summary.decided) == (None, 0, False)


def test_the_reason_of_a_failure_is_no_answer(tmp_path: Path) -> None:
    _, _, requests = socratic(tmp_path, {"defender/answer/1": BAD})
    asked = next(one for one in requests if one.key == "questioner/question/2").messages[-1].content
    assert "No answer has been given." in asked and "usable reply" not in asked


def test_a_contradiction_that_is_not_named_is_the_answer(tmp_path: Path) -> None:
    empty = {"thought": "x", "answer": "Yes.", "admits": "contradiction", "admitted": " "}
    found, result, _ = socratic(tmp_path, {"defender/answer/1": empty})
    assert "Yes." in found.admissions["contradiction"] and codes(result) == []


def test_a_conclusion_of_spaces_is_none(tmp_path: Path) -> None:
    blank = briefed(" ", in_full=" ", sureness="low", further_steps=[])
    result, _ = demonstrated("hats", tmp_path, {"blue/conclusion": [blank] * 3})
    assert result.summary.headline == "The blue hat drew no conclusion" and not result.summary.decided


def test_a_conclusion_that_is_not_summed_up_stands_in_full(tmp_path: Path) -> None:
    said = briefed("", in_full="Rewrite it where it is slow.", sureness="low", further_steps=[])
    del said["answer"]
    result, model = demonstrated("hats", tmp_path, {"blue/conclusion": said})
    assert (result.summary.headline, result.summary.decided) == ("Rewrite it where it is slow", True)
    asked = [one for one in model.requests if one.key == "blue/conclusion"]
    assert len(asked) == 1 and "answer" in (asked[0].schema or {})["required"], "it is asked for all the same"


def test_nothing_is_concluded_from_nothing(tmp_path: Path) -> None:
    silent = {f"{hat}/think": EmptyReply("nothing was said") for hat in ("white", "red", "yellow", "black", "green")}
    result, _ = demonstrated("hats", tmp_path, {**silent, "blue/conclusion": None})
    assert (result.status, result.summary.decided) == ("done", False)
    assert result.summary.reached == "The blue hat concluded nothing from what was said under 0 hats."


def test_a_next_step_of_spaces_is_none(tmp_path: Path) -> None:
    said = briefed("Yes.", in_full="Yes.", sureness="low", further_steps=[" ", "Ask the team."])
    result, _ = demonstrated("hats", tmp_path, {"blue/conclusion": said})
    assert isinstance(result.outcome, Concluded)
    assert result.outcome.next_steps == ["Ask the team."]


@pytest.mark.usefixtures("reports_are_read")
def test_what_was_admitted_stands_apart_from_its_kind(tmp_path: Path) -> None:
    result, _ = demonstrated("socratic", tmp_path)
    report = (result.stored.path / "report.md").read_text("utf-8")
    assert "Gap:" in report and "Contradiction:" in report
    assert "The defender admitted: 1 gap, 1 contradiction and 1 amendment." in (result.summary.reached or "")
