"""A duel whose model is known not to judge: no contradiction between scores and winner, and no form letter."""

from pathlib import Path
from typing import Any

import moot
from moot.protocols.duel.result import DuelOutcome
from moot.testing import ScriptedModel
from tests.kit.duels import Replies, assert_sound, full_script, play, small_config

JUDGING = ("judge@verdict/confirm", "judge@verdict/extract")


def small_duel(
    folder: Path, scores: tuple[int, int], more: Replies | None = None, **settings: Any
) -> tuple[moot.Result, ScriptedModel]:
    script = {key: reply for key, reply in full_script(2).items() if key not in JUDGING}
    for number, score in enumerate(scores, 1):
        script[f"judge/score/{number}"] = {"score": score, "reasoning": f"Reason {number}."}
    model = ScriptedModel(script | (more or {}), small=True)
    return play(small_config(folder, **settings), model), model


def outcome_of(result: moot.Result) -> DuelOutcome:
    assert isinstance(result.outcome, DuelOutcome)
    return result.outcome


def test_the_higher_score_wins_and_no_name_is_asked_for(tmp_path: Path) -> None:
    result, model = small_duel(tmp_path, (3, 4))
    outcome = outcome_of(result)
    assert (outcome.winner, outcome.scores, outcome.scores_from) == ("Bo", {"Ada": 3, "Bo": 4}, "scores_alone")
    assert outcome.upheld is False
    assert result.summary.headline == "Not upheld: It is so (4 to 3)"
    codes = {flag.code for flag in result.flags}
    assert "winner_by_scores" in codes
    assert not codes & {"scores_contradict_winner", "winner_not_confirmed", "answer_missing"}
    assert not {request.key for request in model.requests} & set(JUDGING)
    assert_sound(moot.find_run(result.run))


def test_a_name_is_asked_for_where_the_scores_are_level(tmp_path: Path) -> None:
    result, _ = small_duel(tmp_path, (8, 8), {"judge/break-tie": {"winner": "Ada"}})
    assert (outcome_of(result).winner, result.summary.headline) == ("Ada", "Upheld: It is so (8 to 8)")
    assert result.summary.reached.endswith("By the judge’s word alone.")
    assert {"scores_level", "winner_by_scores"} <= {flag.code for flag in result.flags}
    assert_sound(moot.find_run(result.run))


def test_without_a_name_level_scores_have_no_winner(tmp_path: Path) -> None:
    result, _ = small_duel(tmp_path, (8, 8), {"judge/break-tie": ["nobody"] * 3})
    assert (outcome_of(result).winner, result.summary.headline) == (None, "No winner: the scores are level, 8 to 8")
