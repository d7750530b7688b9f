"""`moot eval`, as it is typed."""

from pathlib import Path

import pytest
import yaml

from tests.kit.command import moot, refused
from tests.kit.duels import answer_for
from tests.kit.quiz import pairs, write

REPLIES = {"voter-1/answer": "ANSWER: B", "voter-2/answer": "ANSWER: A", "voter-3/answer": "Warm."}


@pytest.fixture
def command(place: Path) -> tuple[str, ...]:
    """A command whose replies are all in a file."""
    write(place, pairs(2))
    replies: dict[str, object] = dict(REPLIES)
    for part, last in (("A", 1), ("B", 2)):
        replies |= {
            f"{part}/plan": "Plan.",
            f"{part}/think/{last}": "Thought.",
            f"{part}/turn/{last}": f"Statement {last}.",
        }
    for number in (1, 2):
        replies |= {f"judge/evaluate/{number}": "Weighed.", f"judge/score/{number}": {"score": 5, "reasoning": "So."}}
    figures = {"winner": "Avery", "scores": {"Avery": 7, "Blake": 5}}
    replies |= {
        "judge/deliberate": "Avery.",
        "judge@verdict/confirm": "Avery",
        "judge@verdict/extract": figures,
        "judge/announce": answer_for("Avery"),
    }
    (place / "replies.yaml").write_text(yaml.safe_dump(replies), "utf-8")
    (place / "short.yaml").write_text("protocol: duel\nturns: 2\n", "utf-8")
    settings = ("--protocol", "short.yaml", "--baseline", "single,vote", "-m", "scripted/replies.yaml", "--seed", "3")
    return ("eval", "quiz.jsonl", *settings, "--out", "out")


def test_a_table_and_a_verdict(command: tuple[str, ...]) -> None:
    said = moot(*command)
    assert said.code == 0, said.err
    assert "Cannot tell whether debating paid here" in said.out
    assert "out/report.md" in said.out
    assert said.err.splitlines()[0] == "2 questions, in out"
    assert "2/2 Q" in said.err
    assert "vote right" in said.err


def test_a_limit_ends_with_its_code_and_can_be_lifted(command: tuple[str, ...]) -> None:
    stopped = moot(*command, "--max-calls", "20", "--concurrency", "1")
    assert stopped.code == 3
    assert "1 of 2 questions are done: the limit of 20 calls is reached (over the whole evaluation)." in stopped.out
    assert moot(*command, "--max-calls", "100").code == 0


def test_faults_are_one_line(command: tuple[str, ...]) -> None:
    Path("bad.jsonl").write_text('{"question": "?"}\n', "utf-8")
    assert "bad.jsonl, line 1: has no `answer`" in refused("eval", "bad.jsonl")
    assert "nowhere.jsonl cannot be read" in refused("eval", "nowhere.jsonl")
    assert "there is no baseline 'luck'" in refused("eval", "quiz.jsonl", "--baseline", "luck")
