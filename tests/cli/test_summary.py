"""The summary, printed from the results of real runs."""

from pathlib import Path

import pytest

import moot
from moot.engine.outcome.stored import Spent
from moot.testing import Scripted, ScriptedModel
from tests.kit.duels import Replies, answer_for, duel, full_script, play, small_config
from tests.kit.terminal import printed, told

NO_OBJECT: list[Scripted] = ["Let me think about it."] * 3
"""What the judge says when it gives no figures in any of its tries."""


def scored(*scores: int | None) -> Replies:
    """The judge's running scores, turn by turn."""
    return {
        f"judge/score/{turn}": NO_OBJECT if score is None else {"score": score, "reasoning": "So it is."}
        for turn, score in enumerate(scores, 1)
    }


def figures(winner: str, **scores: int) -> Replies:
    """A judge that names this winner and gives these final scores."""
    return {
        "judge@verdict/confirm": winner,
        "judge@verdict/extract": {"winner": winner, "scores": scores},
        "judge/announce": answer_for(winner),
    }


TURNED = scored(5, 7, 8, 6) | figures("Ada", Ada=8, Bo=6)
"""Four turns that Ada wins against the first impressions."""


def turned(folder: Path | str) -> moot.Result:
    """That duel, with figures that are the same every time."""
    result, _ = duel(folder, TURNED, turns=4)
    spent = Spent(calls=22, input=12000, cached=0, output=3000, cost=0.0123)
    return result.model_copy(update={"spent": spent, "seconds": 83.4})


def test_the_whole_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = turned("debates")
    assert (
        printed(result)
        == f"""\
Yes, on the reasons given (8 to 6)

1. Nothing that was said against it holds. (#4, #8)
· The best objection: It costs more than it seems.
· Accepted by all sides: Something has to be done.
· What would change it: A cheaper way.
· What to do next: Count what it costs.

Ada made the stronger case. The claim is upheld: It is so. Kim, the judge, named
the winner.

  Debater   Running score   Final score
  ─────────────────────────────────────
  Ada                   8             8
  Bo                    6             6

  Ada  ▅   ▇    5 8
  Bo     ▆   ▅  7 6

· Replies come from a script, not from a model.

22 calls · 15,000 tokens · $0.0123 · 1:23 min
Report: {result.run}/report.html
"""
    )


@pytest.mark.parametrize(
    ("replies", "code"),
    [
        ({"judge@verdict/extract": NO_OBJECT}, "scores_from_running"),
        (scored(None, None) | {"judge@verdict/extract": NO_OBJECT}, "no_scores"),
        (scored(5, None), "running_scores_missing"),
        ({"judge@verdict/confirm": "Both."}, "winner_not_confirmed"),
    ],
)
def test_scores_that_are_missing_are_flagged(tmp_path: Path, replies: Replies, code: str) -> None:
    result, _ = duel(tmp_path, replies)
    [flag] = [flag for flag in result.flags if flag.code == code]
    assert flag.text in told(result)


def test_what_is_unknown_is_said_to_be(tmp_path: Path) -> None:
    unknown = Spent(calls=1, input=None, cached=None, output=5, cost=None)
    result = duel(tmp_path)[0].model_copy(update={"spent": unknown, "seconds": 4000.0})
    assert "1 call · tokens unknown · cost unknown · 1:06:40 h" in told(result)


@pytest.mark.parametrize(
    ("out", "named"), [("debates", "{name}"), ("elsewhere", "elsewhere/{name}"), ("my runs", "'my runs/{name}'")]
)
def test_an_unfinished_run_can_be_taken_up_by_copying_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str, named: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = play(small_config(out, max_calls=9), ScriptedModel(full_script(2)))
    assert f"To continue: moot resume {named.format(name=Path(result.run).name)}\n" in printed(result, width=40)
