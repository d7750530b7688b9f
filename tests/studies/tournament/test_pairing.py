"""Who meets whom in a Swiss tournament: equals who have not met, in all rounds, however many there are."""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import ceil, log2
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.studies.tournament.file import Pair, most_rounds
from moot.studies.tournament.pairing import swiss_pairs
from tests.kit.leagues import JURY, MOTIONS, cast, hold, write_league


def held(number: int, rounds: int, seed: int) -> list[list[Pair]]:
    """The rounds of a tournament in which lots decide who takes how many of four points."""
    lots, models, met = random.Random(seed), [str(place) for place in range(number)], list[list[Pair]]()
    points = dict.fromkeys(models, 0.0)
    for later in reversed(range(rounds)):
        met.append(swiss_pairs(models, [pair for pairs in met for pair in pairs], points, seed, later))
        for one, other in met[-1]:
            taken = lots.randint(0, 4)
            points[one] += taken
            points[other] += 4 - taken
    return met


@given(st.integers(2, 24), st.integers(0, 10**6))
def test_all_rounds_are_paired_and_nobody_meets_anybody_twice(number: int, seed: int) -> None:
    rounds = held(number, most_rounds(number), seed)
    for pairs in rounds:
        seated = [one for pair in pairs for one in pair]
        assert len(seated) == len(set(seated)) == number - number % 2, (
            "everybody but one of an odd number has a partner"
        )
        assert all(int(one) < int(other) for one, other in pairs)
    every = [pair for pairs in rounds for pair in pairs]
    assert len(every) == len(set(every))
    played = [sum(str(one) in pair for pair in every) for one in range(number)]
    assert max(played) - min(played) <= 1, "nobody is left out twice before everybody was"


@given(st.integers(0, 10**6))
def test_six_models_are_paired_in_four_rounds(seed: int) -> None:
    """After three rounds in which each of three met each of the others, nobody new is left for a pairing of all."""
    assert [len(pairs) for pairs in held(6, ceil(log2(6)) + 1, seed)] == [3] * 4


def test_many_models_are_paired_in_no_time() -> None:
    """A search that takes its choices back one by one needs hours for this."""
    models, points, met = [f"{place:02}" for place in range(64)], dict.fromkeys(map(str, range(64)), 0.0), list[Pair]()
    for _ in range(most_rounds(64)):
        pairs = swiss_pairs(models, met, points, 1)
        assert len(pairs) == 32
        met += pairs
        for pair in pairs:
            points[pair[0]] = points.get(pair[0], 0.0) + 1
    assert len(set(met)) == len(met)


def every_pairing(seats: Sequence[str]) -> Iterator[list[Pair]]:
    """All pairings in the order of the seats: those with the first against the second come first."""
    if not seats:
        yield []
    for other in seats[1:]:
        for rest in every_pairing([one for one in seats[1:] if one != other]):
            yield [(seats[0], other), *rest]


@given(st.permutations("abcdef"), st.integers(0, 3), st.integers(0, 10**6))
def test_the_best_meets_the_next_whom_it_has_not_met(order: list[str], rounds: int, seed: int) -> None:
    points = {one: float(6 - place) for place, one in enumerate(order)}
    lots, met = random.Random(seed), list[Pair]()
    for _ in range(rounds):
        free = [one for one in every_pairing("abcdef") if not {*map(frozenset, one)} & {*map(frozenset, met)}]
        met += lots.choice(free) if free else []
    known = {*map(frozenset, met)}
    best = next((one for one in every_pairing(order) if not known & {*map(frozenset, one)}), [])
    found = swiss_pairs("abcdef", met, points, seed)
    assert {*map(frozenset, found)} == {*map(frozenset, best)}


def test_who_is_left_out_has_the_fewest_points_of_those_who_never_were() -> None:
    models = list("abcde")
    points = {"a": 5.0, "b": 4.0, "c": 3.0, "d": 2.0, "e": 1.0}
    first = swiss_pairs(models, [], points, 0)
    assert first == [("a", "b"), ("c", "d")]
    second = swiss_pairs(models, first, points, 0)
    assert not any("d" in pair for pair in second), "e was left out before"


def test_being_left_out_is_no_loss_in_the_standing(tmp_path: Path) -> None:
    """Of seven, three win, three lose, and one is left out: it has neither won nor lost, and meets the third winner."""
    names = [f"scripted/{name}" for name in "abcdefg"]
    file = write_league(tmp_path, models=names, pairing="swiss", rounds=2, motions=MOTIONS[:1])
    held, _ = hold(file, tmp_path / "held", models=cast(models=(*names, *JURY)))
    first, second = (
        {frozenset((str(row.factors["for"]), str(row.factors["against"]))) for row in batch.rows()}
        for batch in held.stages()
    )
    winners, seated = {min(pair) for pair in first}, frozenset[str]().union(*first)
    out = next(name for name in names if name not in seated)
    assert [len(pair & winners) for pair in second if out in pair] == [1]
    assert sorted(len(pair & winners) for pair in second) == [0, 1, 2]


@pytest.mark.parametrize("number", [4, 5])
def test_each_pair_debates_each_motion_on_both_sides(number: int, tmp_path: Path) -> None:
    names = [f"scripted/{name}" for name in "abcde"[:number]]
    file = write_league(tmp_path, models=names, pairing="swiss", rounds=3, motions=MOTIONS[:2])
    held, ended = hold(file, tmp_path / "held", models=cast(models=(*names, *JURY)))
    debates = [(row.topic, row.factors["for"], row.factors["against"]) for row in held.rows()]
    assert len(debates) == len(set(debates)) == 3 * (number // 2) * 2 * 2 == ended.board.counted
    assert {(motion, against, side) for motion, side, against in debates} == set(debates), "the sides are swapped"
    assert {frozenset(pair) for _, *pair in debates} <= {frozenset(pair) for pair in combinations(names, 2)}
