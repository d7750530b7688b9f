"""Tournaments as they are held: stages, looks, restarts, one budget, and what is never a loss."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.play.limits import Limits
from moot.errors import Rejected
from moot.studies.tournament import Tournament, create_tournament, read_tournament
from moot.studies.tournament.report import headline
from moot.testing import ScriptedModel
from tests.kit.batches import replies, runs_of
from tests.kit.command import run_script
from tests.kit.killed_leagues import DEBATES
from tests.kit.leagues import CALLS, JURY, MODELS, MOTIONS, cast, hold, write_league
from tests.kit.processes import in_process

ADA, BO, CY = MODELS
KIM, LEE = JURY


def asked(models: dict[str, ScriptedModel]) -> int:
    return sum(len(model.requests) for model in models.values())


def test_a_league_with_a_clear_order(tmp_path: Path) -> None:
    models = cast()
    held, ended = hold(write_league(tmp_path), tmp_path / "held", models=models)
    assert ended.status == "done"
    assert asked(models) == 3 * 2 * 8 * CALLS
    board = ended.board
    assert [one.model for one in board.places] == [ADA, BO, CY]
    assert [(one.best, one.worst) for one in board.places] == [(1, 1), (2, 2), (3, 3)]
    assert (board.counted, board.ties, board.settled) == (48, 0, True)
    rows = held.rows()
    assert Counter((row.factors["for"], row.factors["against"]) for row in rows).most_common()[-1][1] == 8
    openers = Counter((row.topic, one.side) for row in rows for one in row.contestants if one.place == 1)
    assert len(openers) == 8, "all debates on a motion are opened by the same side"
    assert Counter(side for _, side in openers) == {"for": 4, "against": 4}


def test_nobody_is_told_which_model_speaks(tmp_path: Path) -> None:
    models = cast()
    hold(write_league(tmp_path, motions=MOTIONS[:1]), tmp_path / "held", models=models)
    for request in (one for model in models.values() for one in model.requests):
        mine = [message for message in request.messages if message.role != "assistant"]
        told = " ".join(message.content for message in mine).replace("Spoken by scripted/", "")
        assert "scripted/" not in told


def test_every_figure_can_be_computed_anew_from_the_rows(tmp_path: Path) -> None:
    file = write_league(tmp_path, motions=MOTIONS[:3])
    hold(file, tmp_path / "held", lambda judge, one, other: max(one, other) if judge == KIM else one)
    script = tmp_path / "held" / "recompute.py"
    said = run_script(script)
    assert (said.code, said.out) == (0, "All figures of 18 rows are the same.\n"), said.err
    rows = tmp_path / "held" / "rows.jsonl"
    rows.write_text("\n".join(rows.read_text("utf-8").splitlines()[2:]), "utf-8")
    said = run_script(script)
    assert said.code == 1 and "places" in said.out


def test_a_look_ends_a_tournament_that_is_settled(tmp_path: Path) -> None:
    motions = [f"Motion {number} is right." for number in range(30)]
    models = cast(models=(ADA, BO, KIM))
    file = write_league(tmp_path, models=[ADA, BO], motions=motions, jury=[KIM], looks=[5, 12, 20])
    held, ended = hold(file, tmp_path / "held", models=models)
    assert ended.board.settled and ended.board.level == 0.001
    assert ended.board.motions == 12, "five motions cannot show it at that level, and twelve can: 2 × ½¹² < 0.001"
    assert len(held.stages()) == 2
    before = asked(models)
    assert hold(file, tmp_path / "held", models=models)[1].board == ended.board
    assert asked(models) == before, "a tournament that has ended asks nothing again"


def test_without_a_difference_all_motions_are_debated(tmp_path: Path) -> None:
    file = write_league(tmp_path, models=MODELS[:2], jury=[KIM], looks=[6])
    _, ended = hold(file, tmp_path / "held", lambda _judge, one, _other: one)
    assert (ended.status, ended.board.settled, ended.board.motions) == ("done", False, 8)
    assert ended.board.ties == 16, "the order decides every vote, so every debate is a tie"
    assert ended.board.level == pytest.approx(0.049)


@pytest.mark.parametrize(
    ("moment", "every", "pairing"),
    [("middle", 31, "round-robin"), ("after", 37, "round-robin"), ("middle", 41, "swiss")],
)
def test_killed_anywhere_it_goes_on_and_nothing_is_paid_twice(
    tmp_path: Path, moment: str, every: int, pairing: str
) -> None:
    in_process(tmp_path, moment, every, pairing, module="tests.kit.killed_leagues")
    steps = sorted(tmp_path.iterdir())
    assert len(steps) > 6
    for step in steps:
        held = Tournament(step / "held")
        known = held.stages() if (held.path / "tournament.json").is_file() else []
        before = {run.path: replies(run) for batch in known for run in runs_of(batch)}
        models = cast(models=(ADA, BO, CY, KIM))
        _, ended = hold(step / "league.yaml", step / "held", models=models)
        assert (ended.status, ended.board.counted) == ("done", DEBATES), step
        assert asked(models) == DEBATES * (CALLS - 2) - sum(map(len, before.values())), step
        for run in (run for batch in held.stages() for run in runs_of(batch)):
            assert replies(run)[: len(before.get(run.path, []))] == before.get(run.path, [])
            assert max(Counter(replies(run)).values()) == 1


def test_a_budget_is_one_of_all_stages_and_what_is_left_out_is_told(tmp_path: Path) -> None:
    file = write_league(tmp_path, motions=MOTIONS[:4], looks=[2], budget={"max_calls": 125})
    models = cast()
    held, ended = hold(file, tmp_path / "held", models=models)
    assert (ended.status, asked(models) <= 125) == ("limit", True)
    assert ended.board.unfinished > 0
    _, ended = hold(file, tmp_path / "held", models=models, limits=Limits(max_calls=240))
    assert (ended.status, asked(models)) == ("done", 240)
    assert len(held.stages()) == 2


def test_an_outage_is_never_a_loss(tmp_path: Path) -> None:
    models: dict[str, Any] = cast()
    models[CY] = ScriptedModel(lambda _: Rejected("not here"), name=CY)
    file = write_league(tmp_path, motions=MOTIONS[:3])
    _, ended = hold(file, tmp_path / "held", models=models)
    assert ended.status == "failed"
    first = ended.board.places[0]
    assert (first.model, first.points, first.debates, first.missing) == (ADA, 6, 6, 6)
    gone = next(one for one in ended.board.places if one.model == CY)
    assert (gone.points, gone.debates, gone.missing, gone.strength) == (0, 0, 12, None)
    assert "12 of 18 debates do not count; they are neither won nor lost." in ended.board.notes
    _, ended = hold(file, tmp_path / "held", retry_failed=True)
    assert (ended.status, ended.board.counted) == ("done", 18)


def test_who_cannot_be_judged_is_refused_before_the_first_call(tmp_path: Path) -> None:
    families = {ADA: "one", BO: "two", CY: "three", KIM: "one", LEE: "two"}
    with pytest.raises(moot.ConfigError, match="nobody is left to judge scripted/ada against scripted/bo"):
        read_tournament(write_league(tmp_path, families=families))
    file = read_tournament(write_league(tmp_path, families={ADA: "one", KIM: "one"}))
    assert file.jury_for((ADA, BO)) == [LEE]
    assert file.left_out((ADA, BO)) == [KIM]


def test_families_are_known_by_name(tmp_path: Path) -> None:
    models = ["openai/gpt-5", "anthropic/claude-sonnet-4-5", "google/gemini-3-pro"]
    file = read_tournament(write_league(tmp_path, models=models, jury=None))
    assert file.jury_for((models[0], models[1])) == [models[2]]
    with pytest.raises(moot.ConfigError, match="Add models of other families"):
        read_tournament(write_league(tmp_path, models=models[:2], jury=["openrouter/anthropic/claude-haiku-4-5"]))
    distilled = "openrouter/deepseek/deepseek-r1-distill-qwen-32b"
    jury = ["ollama/qwen3:8b", "ollama/deepseek-r1:671b", "mistral/mistral-small"]
    file = read_tournament(write_league(tmp_path, models=[distilled, models[0]], jury=jury))
    assert file.jury_for((distilled, models[0])) == jury[2:], "it is kin to both that it was made of"


@pytest.mark.parametrize("given", ["claude", "Claude", " Anthropic "])
def test_a_given_family_is_known_however_it_is_written(given: str, tmp_path: Path) -> None:
    models, jury = ["lab/x1", "openai/gpt-5"], ["anthropic/claude-sonnet-4-5", "google/gemini-3-pro"]
    file = read_tournament(write_league(tmp_path, models=models, jury=jury, families={"lab/x1": given}))
    assert file.jury_for(("lab/x1", "openai/gpt-5")) == jury[1:]
    with pytest.raises(moot.ConfigError, match="'lab/x2' is neither among"):
        read_tournament(write_league(tmp_path, models=models, jury=jury, families={"lab/x2": given}))


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"models": [ADA]}, "models"),
        ({"models": [ADA, ADA]}, "twice"),
        ({"looks": [4, 2]}, "looks"),
        ({"looks": [99]}, "up to 8"),
        ({"rounds": 2}, "swiss"),
        ({"pairing": "swiss", "looks": [4]}, "fixed beforehand"),
        ({"pairing": "swiss", "rounds": 4}, "3 rounds at most"),
        ({"protocol": "panel"}, "no two sides"),
        ({"claim": "It is so."}, "take it out"),
        ({"turns": 1}, "turns"),
    ],
)
def test_what_cannot_be_held_is_refused(tmp_path: Path, settings: dict[str, Any], told: str) -> None:
    with pytest.raises(moot.ConfigError, match=told):
        read_tournament(write_league(tmp_path, **settings)).items([(ADA, BO)], [0])


def test_a_folder_holds_one_tournament(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first, same, other = (
        create_tournament(read_tournament(write_league(tmp_path, turns=turns)), "league.yaml") for turns in (2, 2, 4)
    )
    assert first.path == same.path != other.path
    with pytest.raises(moot.ConfigError, match="holds another tournament"):
        create_tournament(read_tournament(write_league(tmp_path, turns=4)), "league.yaml", first.path)


def test_a_swiss_tournament_pairs_equals_who_have_not_met(tmp_path: Path) -> None:
    names = [f"scripted/{name}" for name in "abcde"]
    file = write_league(tmp_path, models=names, motions=MOTIONS[:1], pairing="swiss", rounds=3)
    held, ended = hold(file, tmp_path / "held", models=cast(models=(*names, *JURY)))
    assert (ended.status, len(held.stages())) == ("done", 3)
    met = [
        {
            (str(row.factors["for"]), str(row.factors["against"]))
            for row in batch.rows()
            if row.design["sides"] == "given"
        }
        for batch in held.stages()
    ]
    assert [len(pairs) for pairs in met] == [2, 2, 2]
    assert len(set().union(*met)) == 6, "nobody meets anybody twice"
    idle = [next(name for name in names if all(name not in pair for pair in pairs)) for pairs in met]
    assert len(set(idle)) == 3, "nobody is left out twice before everybody was"
    assert ended.board.places[0].model == "scripted/a"
    assert all(pair.p is None for pair in ended.board.pairs)


def test_a_swiss_tournament_goes_on_to_its_last_round_however_clear_the_order_is(tmp_path: Path) -> None:
    """Its pairs depend on results, so that no test says when it may stop."""
    names = [f"scripted/{name}" for name in "abcd"]
    for until in ("order", "leader"):
        file = write_league(tmp_path, models=names, motions=MOTIONS[:1], pairing="swiss", until=until)
        held, ended = hold(file, tmp_path / until, models=cast(models=(*names, *JURY)))
        assert (ended.status, len(held.stages()), ended.board.settled) == ("done", 3, False)
        assert [one.model for one in ended.board.places] == names
        assert {(one.best, one.worst) for one in ended.board.places} == {(None, None)}
        assert headline(ended.board) == "scripted/a is ahead, but not told apart from all others"
        assert ended.board.counted == 3 * 2 * 2, "three rounds are all pairs of four"


def test_who_looks_before_all_debates_are_held_finds_no_more(tmp_path: Path) -> None:
    """A tournament that a budget stops halfway, and again, is looked at twice: at the level of an early look."""
    motions = [f"Motion {number} is right." for number in range(8)]
    file = write_league(tmp_path, models=[ADA, BO], motions=motions, jury=[KIM])
    models = cast(models=(ADA, BO, KIM))
    calls = CALLS - 2
    _, ended = hold(file, tmp_path / "held", models=models, limits=Limits(max_calls=14 * calls))
    assert (ended.status, ended.board.motions, ended.board.level) == ("limit", 7, 0.001)
    assert ended.board.pairs[0].ahead is None, "seven motions show it at 0.05, and not at 0.001"
    _, ended = hold(file, tmp_path / "held", models=models)
    assert (ended.status, ended.board.level, ended.board.pairs[0].ahead) == ("done", 0.05, ADA)
