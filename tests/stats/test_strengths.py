"""Strengths after Bradley and Terry: known answers, other fits of the same, and what happens at the edge."""

from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from moot.stats import Meeting, strengths_of
from moot.stats.strengths import fit

BASEBALL = [
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
]
"""The American League of 1987, a worked example of Agresti's Categorical Data Analysis: wins of rows over columns."""


def fitted(points: Any, *, penalised: bool) -> Any:
    won = np.array(points, dtype=float)
    return fit(won[None], (won + won.T)[None], penalised=penalised)[0]


def test_the_worked_example_of_agresti() -> None:
    found = fitted(BASEBALL, penalised=False)
    published = [1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0.0]
    assert found - found[-1] == pytest.approx(published, abs=0.001)


def log_likelihood(values: Any, won: Any) -> float:
    """Written down independently of the fit, one pair after another."""
    strengths = np.append(values, 0.0)
    total, information = 0.0, np.zeros((len(strengths), len(strengths)))
    for one, other in combinations(range(len(strengths)), 2):
        chance = 1 / (1 + np.exp(strengths[other] - strengths[one]))
        total += won[one][other] * np.log(chance) + won[other][one] * np.log(1 - chance)
        direction = np.zeros(len(strengths))
        direction[one], direction[other] = 1, -1
        games = won[one][other] + won[other][one]
        information += games * chance * (1 - chance) * np.outer(direction, direction)
    return -float(total + 0.5 * np.linalg.slogdet(information[:-1, :-1])[1])


LEAGUES = [
    BASEBALL,
    [[0, 3, 5], [1, 0, 2.5], [0, 1.5, 0]],  # ties, and a pair in which one took nothing
    [[0, 4, 4, 4], [0, 0, 3, 2], [0, 1, 0, 2], [0, 2, 2, 0]],  # the first never lost
]


@pytest.mark.parametrize("won", LEAGUES)
def test_an_independent_maximum_of_the_penalised_likelihood_is_the_same(won: list[list[float]]) -> None:
    start = np.zeros(len(won) - 1)
    other = minimize(lambda values: log_likelihood(values, won), start, method="BFGS", options={"gtol": 1e-8})
    expected = np.append(other.x, 0.0)
    assert fitted(won, penalised=True) == pytest.approx(expected - expected.mean(), abs=1e-4)


def test_ties_are_half_a_win_for_each() -> None:
    tied = [Meeting(motion, "A", "B", 1.0, 2) for motion in range(10)]
    found = strengths_of(["A", "B"], tied)
    assert [(one.value, one.points, one.games) for one in found] == [(0.0, 10.0, 20)] * 2
    split = [Meeting(motion, "A", "B", 2.0 * (motion % 2), 2) for motion in range(10)]
    assert strengths_of(["A", "B"], split)[0].value == pytest.approx(0.0)


def rounds(number: int, outcome: Any) -> list[Meeting]:
    pairs = list(combinations("ABC", 2))
    return [Meeting(motion, *pair, outcome(motion, *pair), 2) for motion in range(number) for pair in pairs]


def test_who_never_lost_has_a_finite_strength_and_an_interval_that_is_open_above() -> None:
    found = strengths_of("ABC", rounds(12, lambda motion, one, _: 2.0 if one == "A" else float(motion % 3)))
    first, *others = found
    assert first.value is not None and first.low is not None
    assert (first.points, first.games, first.open, first.high) == (48, 48, "above", None)
    assert 0 < first.low < first.value < 10
    assert [one.open for one in others] == [None, None], "those below are compared with each other"


def test_a_strict_order_leaves_the_middle_open_on_both_sides() -> None:
    found = strengths_of("ABC", rounds(12, lambda *_: 2.0))
    assert [one.open for one in found] == ["above", "both", "below"]
    assert found[1].value == pytest.approx(0.0)


def test_where_all_clusters_are_alike_nothing_is_certain() -> None:
    """Ties do not vary, but nobody knows from eight of them that two are of exactly the same strength."""
    widths: list[float] = []
    for number in (6, 12, 48):
        for one in strengths_of("AB", [Meeting(motion, "A", "B", 1.0, 2) for motion in range(number)]):
            assert one.value == 0.0 and one.low is not None and one.high is not None
            assert one.high == pytest.approx(-one.low)
            widths.append(one.high)
    assert widths == sorted(widths, reverse=True) and widths[0] > 0.8 and widths[-1] > 0.2


def test_a_contestant_of_one_cluster_has_an_interval_that_is_open() -> None:
    """Somebody who failed on all motions but one costs nobody the leaderboard."""
    meetings = [Meeting(motion, "A", "B", 2.0 * (motion % 3 == 0), 2) for motion in range(12)]
    found = strengths_of("ABC", [*meetings, Meeting(0, "A", "C", 1.0, 2)])
    assert found[2].value is not None and (found[2].open, found[2].low, found[2].high) == ("both", None, None)
    assert all(one.value is not None for one in found)


def test_who_was_in_few_clusters_has_an_open_interval() -> None:
    names = "ABCDEFGHIJKL"
    chain = [Meeting(motion, *pair, 1.0, 2) for motion, pair in enumerate(pairwise(names))]
    assert [one.open for one in strengths_of(names, chain)] == ["both"] * len(names)
