"""Multiagent debate: majorities, the variants, and agents that fail."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.api.studies import majority, same_answer
from moot.protocols.multiagent import Outcome as Agreed
from tests.kit.shelf import BAD, codes, demonstrated, report_rows


def multiagent(folder: Path, replies: dict[str, Any] | None = None, **settings: Any) -> tuple[Agreed, moot.Result, Any]:
    result, model = demonstrated("multiagent", folder, replies, **settings)
    assert isinstance(result.outcome, Agreed), result.reason
    return result.outcome, result, model.requests


def test_a_majority_is_of_equal_answers_and_none_on_a_tie() -> None:
    assert majority(["Day 8", "day 8.", "Day 10"]) == "Day 8"
    assert majority(["Because.\n\nANSWER: 4", "5", "4"]) == "Because.\n\nANSWER: 4"
    assert majority(["a", "b"]) is None and majority([]) is None
    assert same_answer("ANSWER: Four. ") == same_answer("four!") == same_answer("four")
    assert majority(["5!", "5", "5!"]) == "5!", "the mark of a factorial is no full stop"
    assert majority([".", "!", "!"]) == "!", "answers of marks alone are not all the same"


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
    told = "\n".join(message.content for one in requests for message in one.messages)
    assert "Agent" not in told and "of 100." not in told, "no names, and confidence is hidden"


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


def test_answers_that_all_differ_are_no_majority(tmp_path: Path) -> None:
    apart = {f"agent-{seat}/answer/2": {"reasons": "x", "answer": f"Day {seat}", "confidence": 1} for seat in (1, 2, 3)}
    found, result, _ = multiagent(tmp_path, apart)
    assert (found.answer, result.summary.decided, codes(result)) == (None, False, ["no_majority"])
    assert result.summary.headline == "No answer: Day 1, Day 2 and Day 3 have 1 vote each"


def test_an_agent_that_fails_once_is_left_out_of_that_round(tmp_path: Path) -> None:
    found, result, _ = multiagent(tmp_path, {"agent-3/answer/1": BAD})
    assert "Agent 3" not in found.rounds[1].answers and found.answer == "Day 8"
    assert codes(result) == ["replies_missing"]


def answers(number: int, *given: str | None) -> dict[str, Any]:
    """The replies of a round, by agent; None is one that cannot be used."""
    return {
        f"agent-{seat}/answer/{number}": BAD if one is None else {"reasons": "x", "answer": one, "confidence": 50}
        for seat, one in enumerate(given, 1)
    }


def test_a_majority_is_told_with_its_votes(tmp_path: Path) -> None:
    few = [answers(number, "1", "2", "3", "9", "9") for number in range(3)]
    found, result, _ = multiagent(tmp_path, few[0] | few[1] | few[2], agents=5)
    assert (found.answer, found.rounds[-1].votes, codes(result)) == ("9", 2, ["less_than_half"])
    assert result.summary.headline == "9, by 2 of 5 votes"
    assert result.summary.brief.firmness == "Weak: 2 of 5 agents end on it."


def test_the_brief_has_the_reasons_of_the_majority_and_of_those_who_end_elsewhere(tmp_path: Path) -> None:
    given = answers(2, "7", "8", "7", "9")
    for seat, (because, sure) in enumerate([("So.", 60), ("Not so.", 50), ("Because.", 90), ("Never.", 99)], 1):
        given[f"agent-{seat}/answer/2"] |= {"because": because, "confidence": sure}
    first = answers(0, "7", "7", "7", "7") | answers(1, "7", "7", "7", "9")
    _, result, requests = multiagent(tmp_path, first | given, agents=4)
    entries, brief = {entry.seq: entry for entry in result.stored.entries()}, result.summary.brief
    assert [point.text for point in brief.because] == ["Because.", "So."], "the surest first"
    assert [entries[point.entries[0]].speaker for point in brief.because] == ["Agent 3", "Agent 1"]
    assert [(one.who, one.reason) for one in brief.dissent] == [("Agent 4", "9: Never."), ("Agent 2", "8: Not so.")]
    asked = [one.key for one in requests if "`because`" in one.messages[-1].content]
    assert asked == [f"agent-{seat}/answer/2" for seat in (1, 2, 3, 4)], "in the last round alone"


@pytest.mark.usefixtures("reports_are_read")
def test_an_agent_that_fails_at_first_is_in_the_table_and_a_gap_is_no_change(tmp_path: Path) -> None:
    given = answers(0, None, "7", "7") | answers(1, "6", "7", None) | answers(2, "6", "7", "6")
    found, result, _ = multiagent(tmp_path, given)
    assert (found.answer, found.changed_minds) == ("6", 1)
    assert ["Agent 1", "–", "6", "6"] in report_rows(result)


def test_a_last_round_that_nobody_answers_has_no_majority(tmp_path: Path) -> None:
    found, result, _ = multiagent(tmp_path, answers(2, None, None, None))
    assert (found.answer, codes(result)) == (None, ["no_majority", "replies_missing"])
    assert result.summary.headline == "No answer: nobody gave one in the last round"


def test_spaces_are_no_answer(tmp_path: Path) -> None:
    blank = {"reasons": "x", "answer": "  ", "confidence": 50}
    found, _, _ = multiagent(tmp_path, {"agent-1/answer/2": [blank] * 3})
    assert "Agent 1" not in found.rounds[2].answers
