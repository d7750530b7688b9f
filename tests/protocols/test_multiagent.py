"""Multiagent debate: majorities, changes of mind, early ends, and agents that fail."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.api.studies import majority, marked, same_answer
from moot.errors import EmptyReply
from moot.protocols.multiagent import Outcome
from tests.kit.shelf import BAD, codes, demo_config, demonstrated, report_rows


def multiagent(
    folder: Path, replies: dict[str, Any] | None = None, last: int = 2, **settings: Any
) -> tuple[Outcome, moot.Result, list[moot.Request]]:
    """A run of the demonstration that has its last round at this number."""
    later = {f"agent-{seat}/answer/{number}": None for seat in (1, 2, 3) for number in range(last + 1, 3)}
    result, model = demonstrated("multiagent", folder, {**(replies or {}), **later}, **settings)
    assert isinstance(result.outcome, Outcome), result.reason
    return result.outcome, result, model.requests


def reply(number: int, answer: str | None, moved_by: str = "A slip.", because: str = "So.") -> Any:
    """What an agent says in a round; None is a reply that cannot be used."""
    if answer is None:
        return BAD if number else EmptyReply("nothing was said")
    if number == 0:
        return f"Step by step.\n\nBECAUSE: {because}\n\nANSWER: {answer}"
    return {"reasons": "Compared.", "moved_by": moved_by, "because": because, "answer": answer}


def answers(number: int, *given: str | None, **more: str) -> dict[str, Any]:
    """The replies of a round, by agent."""
    return {f"agent-{seat}/answer/{number}": reply(number, one, **more) for seat, one in enumerate(given, 1)}


def test_a_majority_is_of_equal_answers_and_none_on_a_tie() -> None:
    assert majority(["Day 8", "day 8.", "Day 10"]) == "Day 8"
    assert majority(["Because.\n\nANSWER: 4", "5", "4"]) == "Because.\n\nANSWER: 4"
    assert majority(["a", "b"]) is None and majority([]) is None
    assert same_answer("ANSWER: Four. ") == same_answer("four!") == same_answer("four")
    assert majority(["5!", "5", "5!"]) == "5!", "the mark of a factorial is no full stop"
    assert majority([".", "!", "!"]) == "!", "answers of marks alone are not all the same"
    assert marked("ANSWER: 3\n\n**Answer:** 4 m\n") == "4 m" and marked("The answer: 4") is marked("ANSWER:") is None


def test_agents_come_to_another_answer(tmp_path: Path) -> None:
    found, result, requests = multiagent(tmp_path)
    assert [one.majority for one in found.rounds] == ["Day 10", "Day 8", "Day 8"]
    assert (found.answer, found.changed_minds) == ("Day 8", 2)
    assert result.summary.change == "The first answers had another majority: Day 10."
    assert result.summary.headline == "Day 8, by 3 of 3 votes"
    assert result.summary.brief.firmness == "Firm: all 3 agents end on it."
    first, second = (next(one for one in requests if one.key == f"agent-1/answer/{n}").messages for n in (0, 1))
    assert len(first) == 2 and "answer A" not in first[-1].content
    assert "answer A" in second[-1].content and "answer B" in second[-1].content
    third = next(one for one in requests if one.key == "agent-2/answer/2").messages[-1].content
    assert "let the snail slip back from outside" in third, "a change of mind is shown with its reason"
    assert "Agent" not in "".join(message.content for one in requests for message in one.messages)


def test_the_same_in_other_spelling_is_no_change_of_mind(tmp_path: Path) -> None:
    given = answers(0, "Day 8", "Day 8", "Day 10") | answers(1, "day 8.", "Day 8", "Day 10")
    assert multiagent(tmp_path, given, 1, rounds=1)[0].changed_minds == 0


def test_a_change_of_mind_without_a_reason_does_not_count(tmp_path: Path) -> None:
    swayed, firm = reply(1, "Day 10", moved_by=" "), reply(1, "day 8.", moved_by="")
    given = {"agent-2/answer/1": swayed, "agent-1/answer/1": [reply(1, "Day 8", moved_by=""), firm]}
    found, _, requests = multiagent(tmp_path, given | answers(2, "Day 10", "Day 8", "Day 10"), rounds=2)
    assert found.rounds[1].answers == {"Agent 1": "Day 10", "Agent 2": "Day 8", "Agent 3": "Day 10"}
    assert len([one for one in requests if one.key == "agent-2/answer/1"]) == 1


@pytest.mark.parametrize("rounds", [0, 1])
def test_it_ends_when_all_agree(rounds: int, tmp_path: Path) -> None:
    agree = [answers(number, "Day 8", "day 8", "Day 8.") for number in range(3)]
    early, _, _ = multiagent(tmp_path, agree[rounds], rounds)
    assert (len(early.rounds), early.answer) == (rounds + 1, "Day 8")
    full, _, _ = multiagent(tmp_path / "full", agree[0] | agree[1] | agree[2], full=True)
    assert len(full.rounds) == 3
    plan = asyncio.run(moot.plan(demo_config("multiagent", tmp_path)))
    assert (plan.calls, plan.at_most) == (9, True)


def test_an_answer_without_its_line_is_asked_for_alone(tmp_path: Path) -> None:
    given = {"agent-2/answer/0": "It is out on the eighth day.", "agent-2/alone/0": {"answer": "Day 8"}}
    found, _, _ = multiagent(tmp_path, given)
    assert found.rounds[0].answers["Agent 2"] == "Day 8"
    given["agent-2/alone/0"] = BAD
    found, result, _ = multiagent(tmp_path / "none", given)
    assert "Agent 2" not in found.rounds[0].answers and codes(result) == ["replies_missing"]


def test_a_sparse_topology_shows_two_neighbours(tmp_path: Path) -> None:
    more = {f"agent-{seat}/answer/{n}": reply(n, "Day 8") for seat in (4, 5) for n in (0, 1, 2)}
    for sparse, shown in ((False, 4), (True, 2)):
        _, _, requests = multiagent(tmp_path / str(sparse), more, agents=5, sparse=sparse)
        second = next(one for one in requests if one.key == "agent-1/answer/1").messages[-1].content
        assert second.count("<<<answer ") == shown


ENDS: dict[str, tuple[tuple[str | None, ...], str | None, str, list[str]]] = {
    "all differ": (
        ("Day 1", "Day 2", "Day 3"),
        None,
        "No answer: Day 1, Day 2 and Day 3 have 1 vote each",
        ["no_majority"],
    ),
    "nobody answers": (
        (None, None, None),
        None,
        "No answer: the last round has none",
        ["no_majority", "replies_missing"],
    ),
    "less than half": (("1", "2", "3", "9", "9"), "9", "9, by 2 of 5 votes", ["less_than_half"]),
    "one is missing": (("7", None, "7"), "7", "7, by 2 of 2 votes", ["replies_missing"]),
}


@pytest.mark.parametrize("name", ENDS)
def test_how_the_last_round_is_told(name: str, tmp_path: Path) -> None:
    last, answer, headline, flags = ENDS[name]
    first = [*("7", "8", "7", "8", "6")[: len(last)]]
    found, result, _ = multiagent(tmp_path, answers(0, *first) | answers(1, *last), 1, agents=len(last), rounds=1)
    assert (found.answer, result.summary.headline, codes(result)) == (answer, headline, flags)
    assert result.summary.decided == (answer is not None)


@pytest.mark.usefixtures("reports_are_read")
def test_the_brief_has_the_reasons_of_the_majority_and_of_those_who_end_elsewhere(tmp_path: Path) -> None:
    given = answers(0, None, "7", "7", "9") | answers(1, "6", "7", None, "7", because="It is odd.")
    given |= answers(2, "6", "7", "7", "9", because="It is odd.")
    found, result, _ = multiagent(tmp_path, given, agents=4)
    brief, entries = result.summary.brief, {entry.seq: entry for entry in result.stored.entries()}
    assert [(point.text, entries[point.entries[0]].speaker) for point in brief.because] == [("It is odd.", "Agent 2")]
    assert [(one.who, one.reason) for one in brief.dissent] == [
        ("Agent 1", "6: It is odd."),
        ("Agent 4", "9: It is odd."),
    ]
    assert found.changed_minds == 2, "Agent 4 changed twice; a gap is no change"
    assert ["Agent 1", "–", "6", "6"] in report_rows(result)
