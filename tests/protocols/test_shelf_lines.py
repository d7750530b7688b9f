"""How the debates of the shelf are told, entry by entry: what was voted, admitted and estimated, and under which
headings."""

from pathlib import Path

import pytest

import moot
from moot.engine.outcome.material import Spoken, gather, transcript
from tests.kit.shelf import BAD, demonstrated


def told(name: str, folder: Path, replies: dict[str, object] | None = None) -> list[Spoken]:
    result, _ = demonstrated(name, folder, replies)
    return transcript(gather(result.stored, result))[1:]


def labels(spoken: list[Spoken]) -> list[str]:
    return [" ".join(filter(None, (one.line.label, one.line.badge))) for one in spoken]


def test_every_vote_of_an_oxford_debate_is_told(tmp_path: Path) -> None:
    votes = [one for one in told("oxford", tmp_path) if one.entry.type == "vote"]
    data = [one.entry.data for one in votes]
    assert [one.line.badge for one in votes] == [f"votes {one.vote}" for one in data]  # type: ignore[union-attr]
    assert [one.group for one in votes] == ["The vote before the debate"] * 5 + ["The vote after the debate"] * 5
    assert [one.line.early for one in votes] == [True] * 5 + [False] * 5, "only the last ones give the end away"


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        ("socratic", ["Question 1", "Question 2", "Question 3", "Question 4", "Closing"]),
        ("redteam", ["Attack 1", "Attack 2", "Attack 3", "Plan", "The rewritten plan"]),
        ("delphi", ["Round 1", "Round 2", "Round 3"]),
        ("multiagent", ["Round 0", "Round 1", "Round 2"]),
        (
            "oversight",
            [
                *("Before anybody argued", "First sitting", "Second sitting, with the sides swapped"),
                *("Decision on the first sitting", "Decision on the second sitting"),
            ],
        ),
    ],
)
def test_no_heading_is_repeated(name: str, groups: list[str], tmp_path: Path) -> None:
    spoken = told(name, tmp_path)
    met = [
        one.group
        for one, before in zip(spoken, [None, *spoken], strict=False)
        if not before or before.group != one.group
    ]
    assert met == groups


def test_what_a_move_comes_to_is_said_beside_its_author(tmp_path: Path) -> None:
    assert labels(told("socratic", tmp_path / "a"))[1:4] == ["answers", "asks", "answers, and admits: gap"]
    assert labels(told("redteam", tmp_path / "b"))[:3] == [
        "attacks, severity: grave",
        "answers: mended",
        "checks: closed",
    ]
    first = told("multiagent", tmp_path / "c")[0]
    assert first.line.label == "answers" and "votes" not in str(first.line.body)


def test_a_failure_stays_below_the_heading_of_its_question(tmp_path: Path) -> None:
    spoken = told("socratic", tmp_path, {"defender/answer/2": BAD})
    failed = next(one for one in spoken if one.line.tone == "bad")
    assert failed.group == "Question 2"
    assert isinstance(failed.entry, moot.Entry)
