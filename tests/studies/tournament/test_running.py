"""Tournaments as batches: sides, juries, refusals, and what is never a loss."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.play.limits import Limits
from moot.errors import Rejected
from moot.studies.batch import Design, read_batch
from moot.studies.batch.documents import read_study
from moot.testing import ScriptedModel
from tests.kit.leagues import CALLS, JURY, MODELS, MOTIONS, cast, hold, league, write_league

ADA, BO, CY = MODELS
KIM, LEE = JURY


def requests(models: dict[str, ScriptedModel]) -> list[moot.Request]:
    return [one for model in models.values() for one in model.requests]


def test_a_league_with_a_clear_order(tmp_path: Path) -> None:
    models = cast()
    held, board = hold(write_league(tmp_path), tmp_path / "held", models=models)
    assert len(requests(models)) == 3 * 2 * 8 * CALLS
    assert [(one.model, one.best, one.worst) for one in board.places] == [(ADA, 1, 1), (BO, 2, 2), (CY, 3, 3)]
    assert (board.counted, board.ties, board.level) == (48, 0, 0.05)
    rows = held.rows()
    assert Counter((row.factors["for"], row.factors["against"]) for row in rows).most_common()[-1][1] == 8
    openers = Counter((row.topic, one.side) for row in rows for one in row.contestants if one.place == 1)
    assert len(openers) == 8, "all debates on a motion are opened by the same side"
    assert Counter(side for _, side in openers) == {"for": 4, "against": 4}
    assert {"leaderboard", "pairs", "juries", "judges"} <= {one.id for one in read_study(held, "held")[1].parts}
    for request in requests(models):
        mine = [message.content for message in request.messages if message.role != "assistant"]
        assert "scripted/" not in " ".join(mine).replace("Spoken by scripted/", ""), "nobody is told which model speaks"


def test_an_outage_is_never_a_loss(tmp_path: Path) -> None:
    models: dict[str, Any] = cast()
    models[CY] = ScriptedModel(lambda _: Rejected("not here"), name=CY)
    file = write_league(tmp_path, motions=MOTIONS[:3])
    _, board = hold(file, tmp_path / "held", models=models)
    first = board.places[0]
    assert (first.model, first.points, first.debates, first.missing) == (ADA, 6, 6, 6)
    gone = next(one for one in board.places if one.model == CY)
    assert (gone.points, gone.debates, gone.missing, gone.strength) == (0, 0, 12, None)
    assert hold(file, tmp_path / "held", retry_failed=True)[1].counted == 18


def test_who_looks_before_all_debates_are_held_finds_no_more(tmp_path: Path) -> None:
    """A tournament that a budget stops halfway, and again, is looked at twice: at the level of an early look."""
    file = write_league(tmp_path, models=[ADA, BO], jury=[KIM])
    models = cast(models=(ADA, BO, KIM))
    _, board = hold(file, tmp_path / "held", models=models, limits=Limits(max_calls=14 * (CALLS - 2)))
    assert (board.planned - board.unfinished, board.level) == (14, 0.001)
    assert board.pairs[0].ahead is None, "seven motions show it at 0.05, and not at 0.001"
    asked = len(requests(models))
    hold(file, tmp_path / "held", models=models)
    assert len(requests(models)) == asked <= 14 * (CALLS - 2), "it keeps its limits"
    _, board = hold(file, tmp_path / "held", models=models, limits=Limits())
    assert (board.level, board.pairs[0].ahead) == (0.05, ADA)
    assert len(requests(models)) == 16 * (CALLS - 2), "nothing is asked twice"


def test_who_cannot_be_judged_is_refused_before_the_first_call(tmp_path: Path) -> None:
    families = {ADA: "one", BO: "two", CY: "three", KIM: "one", LEE: "two"}
    with pytest.raises(moot.ConfigError, match="nobody is left to judge scripted/ada against scripted/bo") as found:
        read_batch(write_league(tmp_path, families=families))
    assert found.value.key == "tournament.jury"
    design = league(families={ADA: "one", KIM: "one"})
    assert (design.jury_for((ADA, BO)), design.left_out((ADA, BO))) == ([LEE], [KIM])


def test_families_are_known_by_name() -> None:
    models = ["openai/gpt-5", "anthropic/claude-sonnet-4-5", "google/gemini-3-pro"]
    assert league(models=models, jury=None).jury_for((models[0], models[1])) == [models[2]]
    with pytest.raises(ValueError, match="Add models of other families"):
        league(models=models[:2], jury=["openrouter/anthropic/claude-haiku-4-5"])
    distilled = "openrouter/deepseek/deepseek-r1-distill-qwen-32b"
    jury = ["ollama/qwen3:8b", "ollama/deepseek-r1:671b", "mistral/mistral-small"]
    kin = league(models=[distilled, models[0]], jury=jury).jury_for((distilled, models[0]))
    assert kin == jury[2:], "it is kin to both that it was made of"


@pytest.mark.parametrize("given", ["claude", "Claude", " Anthropic "])
def test_a_given_family_is_known_however_it_is_written(given: str) -> None:
    models, jury = ["lab/x1", "openai/gpt-5"], ["anthropic/claude-sonnet-4-5", "google/gemini-3-pro"]
    assert league(models=models, jury=jury, families={"lab/x1": given}).jury_for((models[0], models[1])) == jury[1:]


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"models": [ADA]}, "tournament.models"),
        ({"models": [ADA, ADA]}, "tournament.models"),
        ({"families": {"lab/x2": "claude"}}, "tournament.families"),
        ({"grid": {"turns": [2, 4]}}, "grid"),
        ({"protocol": "panel"}, "protocol"),
        ({"claim": "It is so."}, "claim"),
        ({"turns": 1}, "turns"),
    ],
)
def test_what_cannot_be_held_is_refused(tmp_path: Path, settings: dict[str, Any], key: str) -> None:
    with pytest.raises(moot.ConfigError) as found:
        read_batch(write_league(tmp_path, **settings))
    assert found.value.key == key


def test_a_design_of_pairs_is_no_tournament(tmp_path: Path) -> None:
    with pytest.raises(moot.ConfigError, match="swaps sides by itself"):
        read_batch(write_league(tmp_path), Design(swap_sides=True))
