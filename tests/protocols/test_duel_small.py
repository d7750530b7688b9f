"""A duel whose model is known not to judge: no contradiction between scores and winner, and no form letter."""

import re
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.protocols.duel.result import DuelOutcome
from moot.studies.batch import read_batch
from moot.studies.batch.rows import row_of
from moot.testing import ScriptedModel
from tests.kit.duels import assert_sound, full_script, play, small_config
from tests.kit.terminal import printed

JUDGING = ("judge@verdict/confirm", "judge@verdict/extract")


@pytest.mark.parametrize(
    ("scores", "named", "winner"),
    [((3, 4), None, "Bo"), ((8, 8), {"winner": "Ada"}, "Ada"), ((8, 8), ["nobody"] * 3, None)],
    ids=["the higher score wins", "a name is asked for where they are level", "no name"],
)
def test_a_small_judge_is_asked_for_scores(
    scores: tuple[int, int], named: Any, winner: str | None, tmp_path: Path
) -> None:
    script = {key: reply for key, reply in full_script(2).items() if key not in JUDGING}
    script |= {f"judge/score/{n}": {"score": score, "reasoning": f"{n}."} for n, score in enumerate(scores, 1)}
    model = ScriptedModel({**script, **({"judge/break-tie": named} if named else {})}, small=True)
    result = play(small_config(tmp_path), model)
    assert isinstance(result.outcome, DuelOutcome)
    assert (result.outcome.winner, result.outcome.scores_from) == (winner, "scores_alone")
    assert result.outcome.scores == dict(zip(("Ada", "Bo"), scores, strict=True))
    assert result.outcome.upheld is (None if winner is None else winner == "Ada")
    about_replies = {"scripted_replies", "json_for_prose"}
    assert {flag.code for flag in result.flags} - about_replies == {"rehearsal"}, "nothing about a verdict"
    assert not {request.key for request in model.requests} & set(JUDGING)
    assert_sound(moot.find_run(result.run))


def test_nothing_that_a_toy_says_is_made_a_verdict(tmp_path: Path) -> None:
    """Every face shows a rehearsal; the terminal then shows what the hand-written debate comes to."""
    script = {key: reply for key, reply in full_script(2).items() if key not in JUDGING}
    script |= {"judge/score/2": {"score": 4, "reasoning": "So."}, "judge/announce": "VERDICT"}
    result = play(small_config(tmp_path, require="winner"), ScriptedModel(script, small=True), reports=True)
    assert isinstance(result.outcome, DuelOutcome) and result.outcome.winner
    assert result.gate and (result.gate.passed, result.gate.decision) == (False, None)
    assert (result.summary.decided, result.summary.brief.answer) == (False, None)
    held = tmp_path / "one.jsonl"
    held.write_text('{"protocol": "duel", "topic": "x", "model": "scripted/x"}', "utf-8")
    row = row_of(read_batch(held).items[0], result, result.stored.entries())
    assert (row.outcome, row.winner, row.upheld, row.scores) == ("no decision", None, None, {})
    faces = {
        name: (result.stored.path / name).read_text("utf-8") for name in ("report.md", "report.html", "result.json")
    }
    faces["terminal"], _, example = printed(result).partition("With a model that can judge, ")
    for name, text in faces.items():
        assert "A rehearsal, without a verdict" in text, name
        assert not re.search("is upheld|Ada wins", text), name
    assert "VERDICT" not in faces["report.md"] + faces["terminal"]
    told = " ".join(example.split())
    assert result.status == "done"
    assert "ends like this: Yes, but only for what nobody foresaw" in told
    assert "models fetch qwen && " in told and "-m embedded/qwen" in told
