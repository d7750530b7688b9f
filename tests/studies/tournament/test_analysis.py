"""The figures of a tournament from rows whose answer is known."""

import random
from itertools import product
from typing import Any

import pytest

from moot.studies.batch.rows import Row
from moot.studies.template import template_of
from moot.studies.tournament import Leaderboard, Tournament, analyse
from moot.studies.tournament.analysis import read_row
from tests.kit.leagues import JURY, MODELS, MOTIONS, league, row

ADA, BO, CY = MODELS
KIM, LEE = JURY
FOR, AGAINST, SWAYED, MISSING = (True, True), (False, False), (True, False), (True, None)


@pytest.mark.parametrize(
    ("votes", "points"),
    [
        ({KIM: FOR, LEE: FOR}, 1.0),
        ({KIM: FOR, LEE: AGAINST}, 0.5),
        ({KIM: FOR, LEE: SWAYED}, 1.0),
        ({KIM: SWAYED, LEE: SWAYED}, 0.5),
        ({KIM: AGAINST, LEE: MISSING}, 0.0),
        ({KIM: MISSING, LEE: (None, None)}, None),
    ],
)
def test_what_votes_come_to(votes: Any, points: float | None) -> None:
    found = read_row(row(league(), MOTIONS[0], ADA, BO, votes))
    assert (None if found is None else found.points) == points


def both(file: Tournament, motion: str, one: str, other: str, first_wins: Any) -> list[Row]:
    """Both debates of a pair; `first_wins` says for each whether the first of the pair wins."""
    return [
        row(file, motion, one, other, {KIM: FOR if first_wins[0] else AGAINST}),
        row(file, motion, other, one, {KIM: AGAINST if first_wins[1] else FOR}),
    ]


def whole(file: Tournament, wins: Any) -> list[Row]:
    return [
        debate
        for motion in file.topics
        for pair in file.pairs
        for debate in both(file, motion, *pair, wins(motion, pair))
    ]


def test_half_a_pair_does_not_count() -> None:
    file = league(models=[ADA, BO], jury=[KIM])
    rows = whole(file, lambda *_: (True, True))
    rows[1] = rows[1].model_copy(update={"status": "failed"})
    found = analyse(file, rows)
    assert (found.counted, found.unfinished, found.halves, found.unjudged) == (14, 1, 1, 0)
    assert [(one.points, one.debates, one.missing) for one in found.places] == [(14, 14, 2), (0, 14, 2)]


def test_the_exact_test_counts_motions_and_not_debates() -> None:
    file = league(models=[ADA, BO], jury=[KIM])
    found = analyse(file, whole(file, lambda *_: (True, True)))
    assert found.pairs[0].p == pytest.approx(2 / 2**8)
    tied = analyse(file, whole(file, lambda *_: (True, False)))
    assert (tied.pairs[0].p, tied.pairs[0].ahead, tied.places[0].strength) == (1.0, None, 0.0)


@pytest.mark.parametrize(
    ("failed", "ahead"), [([], ADA), ([0], ADA), ([0, 1, 2], ADA), ([0, 1, 2, 3], None), ([*range(14)], None)]
)
def test_no_two_are_told_apart_by_what_failed(failed: list[int], ahead: str | None) -> None:
    """Ada beats Bo on all of twelve motions that were debated; on some more a debate failed."""
    file = league(models=[ADA, BO], jury=[KIM], motions=[f"Motion {number}." for number in range(12 + len(failed))])
    rows = whole(file, lambda *_: (True, True))
    rows = [one.model_copy(update={"status": "failed"}) if place in [2 * at for at in failed] else one
            for place, one in enumerate(rows)]  # fmt: skip
    found = analyse(file, rows)
    pair = found.pairs[0]
    assert pair.p == pytest.approx(2 / 2**12)
    assert (pair.ahead, pair.motions) == (ahead, 12)
    assert ("failed" in {note.code for note in found.notes}) is bool(failed)


def test_a_debate_that_failed_against_a_common_opponent_counts_against_the_leader() -> None:
    file = league(jury=[KIM])
    rows = whole(file, lambda _, pair: (True, pair == (ADA, CY)) if CY in pair else (True, False))
    lost = [one.model_copy(update={"status": "limit"})
            if {one.factors["for"], one.factors["against"]} == {ADA, CY} and one.topic in MOTIONS[:2] else one
            for one in rows]  # fmt: skip
    pair = next(one for one in analyse(file, lost).pairs if (one.first, one.second) == (ADA, BO))
    # On six motions Ada leads by one point each; on the two others she would be one behind.
    assert pair.p == pytest.approx(2 / 2**6)
    assert pair.ahead is None
    assert pair.p_at_worst == pytest.approx(2 * (1 + 8 + 28) / 2**8)


def test_debates_against_the_same_opponents_count_in_the_test() -> None:
    """Ada and Bo are level with each other, but Ada beats Cy and Bo does not."""
    file = league(jury=[KIM])
    found = analyse(file, whole(file, lambda _, pair: (True, pair == (ADA, CY)) if CY in pair else (True, False)))
    pair = next(one for one in found.pairs if (one.first, one.second) == (ADA, BO))
    assert (pair.points, pair.debates) == (8, 16)
    assert pair.p == pytest.approx(2 / 2**8)
    assert pair.ahead == ADA


def test_a_judge_who_is_swayed_by_the_order_is_found() -> None:
    """Kim is always for whom is shown first; Lee is for the side for; and both read all debates."""
    file = league()
    rows = [
        row(file, motion, one, other, {KIM: (True, False), LEE: FOR})
        for motion in MOTIONS
        for one, other in product(MODELS, MODELS)
        if one != other
    ]
    found = analyse(file, rows)
    kim, lee = found.judges
    assert (kim.swayed.rate, lee.swayed.rate, kim.agrees.n) == (1.0, 0.0, 0)
    assert [one.strength for one in found.places] == [0.0] * 3, "sides are swapped, so no model profits"


def simulated(file: Tournament, strengths: dict[str, float], seed: int) -> Leaderboard:
    lots = random.Random(seed)
    return analyse(
        file,
        whole(
            file,
            lambda _, pair: [
                lots.random() < 1 / (1 + 10 ** (strengths[pair[1]] - strengths[pair[0]])) for _ in range(2)
            ],
        ),
    )


def test_known_strengths_are_recovered() -> None:
    motions = [f"Motion {number} is right." for number in range(60)]
    file = league(motions=motions, jury=[KIM])
    found = simulated(file, {ADA: 0.4, BO: 0.0, CY: -0.4}, seed=3)
    assert [one.model for one in found.places] == [ADA, BO, CY]
    for one, true in zip(found.places, (0.4, 0.0, -0.4), strict=True):
        assert one.low is not None and one.high is not None
        assert one.low < true * 2.302585 < one.high


def test_who_is_told_apart_from_whom_limits_the_places() -> None:
    found = analyse(
        league(jury=[KIM]), whole(league(jury=[KIM]), lambda _, pair: (True, True) if ADA in pair else (True, False))
    )
    assert [(one.best, one.worst) for one in found.places] == [(1, 1), (2, 3), (2, 3)]


def test_models_that_no_debates_connect_are_not_level() -> None:
    file = league(models=[*MODELS, "scripted/dan"])
    pairs = ((ADA, BO), (CY, "scripted/dan"))
    rows = [one for motion in MOTIONS for pair in pairs for one in both(file, motion, *pair, (True, True))]
    board = analyse(file, rows)
    assert {(one.place, one.strength) for one in board.places} == {(None, None)}
    assert (
        template_of("tournament").text("headline", file.values(board))
        == "The debates do not compare all models with each other"
    )
    assert any("connect scripted/cy with scripted/ada" in note.text for note in board.notes)
    assert {pair.ahead for pair in board.pairs} == {ADA, CY, None}, "those who met are still told apart"
