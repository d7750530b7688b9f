"""A duel whose model is known not to judge: no contradiction between scores and winner, and no form letter."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.protocols.duel.result import DuelOutcome
from moot.testing import ScriptedModel
from tests.kit.duels import assert_sound, full_script, play, small_config

JUDGING = ("judge@verdict/confirm", "judge@verdict/extract")
LEVEL = "No winner: the scores are level, 8 to 8"


@pytest.mark.parametrize(
    ("scores", "named", "winner", "headline", "flags"),
    [
        ((3, 4), None, "Bo", "Not upheld: It is so (4 to 3)", {"winner_by_scores"}),
        ((8, 8), {"winner": "Ada"}, "Ada", "Upheld: It is so (8 to 8)", {"winner_by_scores", "scores_level"}),
        ((8, 8), ["nobody"] * 3, None, LEVEL, {"winner_by_scores"}),
    ],
    ids=["the higher score wins", "a name is asked for where they are level", "no name"],
)
def test_a_small_judge_is_asked_for_scores(
    scores: tuple[int, int], named: Any, winner: str | None, headline: str, flags: set[str], tmp_path: Path
) -> None:
    script = {key: reply for key, reply in full_script(2).items() if key not in JUDGING}
    script |= {f"judge/score/{n}": {"score": score, "reasoning": f"{n}."} for n, score in enumerate(scores, 1)}
    model = ScriptedModel({**script, **({"judge/break-tie": named} if named else {})}, small=True)
    result = play(small_config(tmp_path), model)
    assert isinstance(result.outcome, DuelOutcome)
    assert (result.outcome.winner, result.outcome.scores_from) == (winner, "scores_alone")
    assert result.outcome.scores == dict(zip(("Ada", "Bo"), scores, strict=True))
    assert result.outcome.upheld is (None if winner is None else winner == "Ada")
    assert result.summary.headline == headline
    codes = {flag.code for flag in result.flags}
    against = {"scores_contradict_winner", "winner_not_confirmed", "answer_missing", "winner_by_scores", "scores_level"}
    assert codes & against == flags
    assert not {request.key for request in model.requests} & set(JUDGING)
    assert_sound(moot.find_run(result.run))
