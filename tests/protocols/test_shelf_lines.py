"""How debates of the shelf are told, entry by entry."""

from pathlib import Path

import moot
from moot.engine.outcome.material import Spoken, gather, transcript
from tests.kit.shelf import BAD, demonstrated


def told(name: str, folder: Path, replies: dict[str, object] | None = None) -> list[Spoken]:
    result, _ = demonstrated(name, folder, replies)
    return transcript(gather(result.stored, result))[1:]


def test_every_vote_of_an_oxford_debate_is_told(tmp_path: Path) -> None:
    votes = [one for one in told("oxford", tmp_path) if one.entry.type == "vote"]
    data = [one.entry.data for one in votes]
    assert [one.line.badge for one in votes] == [f"votes {one.vote}" for one in data]  # type: ignore[union-attr]
    assert [one.group for one in votes] == ["The vote before the debate"] * 5 + ["The vote after the debate"] * 5
    assert [one.line.early for one in votes] == [True] * 5 + [False] * 5, "only the last ones give the end away"


def test_a_failure_stays_below_the_heading_of_its_question(tmp_path: Path) -> None:
    spoken = told("socratic", tmp_path, {"defender/answer/2": BAD})
    failed = next(one for one in spoken if one.line.tone == "bad")
    assert failed.group == "Question 2"
    assert isinstance(failed.entry, moot.Entry)
