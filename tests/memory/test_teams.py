"""Who is chosen and why, and what their votes weigh."""

import random
from decimal import Decimal
from statistics import median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.memory.ratings import Interval, bradley_terry, brier, brier_error, games_of
from moot.memory.teams import HEAVIEST, MOST_OF_ONE_FAMILY, Candidate, select, vote_weights


def test_rating_calibration_and_uncertainty_count_and_reasons_are_given() -> None:
    pool = [
        Candidate("strong", "x", 1700, 100, 0.25),
        Candidate("new", "y"),
        Candidate("weak", "z", 1400, 100, 0.25),
        Candidate("calibrated", "w", 1480, 100, 0.05),
    ]
    choices = select(pool, 3)
    assert [one.candidate.name for one in choices if one.taken] == ["strong", "new", "calibrated"]
    assert choices[-1].reason.endswith("the team is full")
    assert "not calibrated yet" in choices[1].reason


def test_at_most_two_of_one_family() -> None:
    pool = [Candidate(f"a{i}", "a", 1800 - i) for i in range(4)] + [Candidate("b", "b", 1000)]
    assert [one.candidate.name for one in select(pool, 3) if one.taken] == ["a0", "a1", "b"]
    assert sum(one.taken for one in select(pool[:4], 3)) == MOST_OF_ONE_FAMILY


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(1000, 2000)), max_size=8), st.integers(1, 5))
def test_everybody_is_accounted_for(pool: list[tuple[str, int]], size: int) -> None:
    candidates = [Candidate(f"{family}{i}", family, elo) for i, (family, elo) in enumerate(pool)]
    choices = select(candidates, size)
    assert {one.candidate for one in choices} == set(candidates)
    assert sum(one.taken for one in choices) <= size
    assert select(candidates[::-1], size) == choices


def known(name: str, rating: float, error: float = 0.0, **more: Any) -> Candidate:
    return Candidate(name, name, fit=Interval(rating, rating - error, rating + error), **more)


def test_votes_weigh_by_the_odds_of_the_strength_and_by_calibration() -> None:
    assert vote_weights([Candidate("a", "x", 1700), Candidate("b", "y", 1300)]) == {"a": Decimal(1), "b": Decimal(1)}
    apart = vote_weights([known("a", 1700), known("b", 1300)])
    assert round(apart["a"] / apart["b"], 2) == Decimal(10), "400 points are ten to one"
    trusted = vote_weights([known("a", 1500, brier=0.1), known("b", 1500, brier=0.3)])
    assert trusted == {"a": Decimal("1.1250"), "b": Decimal("0.8750")}
    assert vote_weights([known("a", 9000), known("b", 1000)])["a"] == HEAVIEST
    assert vote_weights([]) == {}


def test_only_what_lies_beyond_the_interval_is_power() -> None:
    assert vote_weights([known("a", 1600, 120), known("b", 1400, 120)]) == {"a": Decimal(1), "b": Decimal(1)}
    assert vote_weights([known("a", 1600, 40), known("b", 1400, 40)])["a"] == Decimal(f"{10 ** (60 / 400):.4f}")
    noisy = [known("a", 1500, brier=0.2, brier_error=0.05), known("b", 1500, brier=0.3, brier_error=0.05)]
    assert vote_weights(noisy) == {"a": Decimal(1), "b": Decimal(1)}


@pytest.mark.parametrize("agents", [3, 5, 26])
def test_equal_agents_weigh_the_same_after_sixty_debates(agents: int) -> None:
    """All are equally strong and equally well calibrated; the judge's scores are noise."""
    lot, ratios = random.Random(agents), []
    for _ in range(15):
        games: list[tuple[str, str, str, float]] = []
        votes: dict[str, list[tuple[float, float]]] = {str(name): [] for name in range(agents)}
        for number in range(60):
            ranking = [[name] for name in lot.sample(list(votes), agents)]
            games += [(str(number), one.one, one.other, one.score) for one in games_of(ranking)]
            for said in votes.values():
                sure = lot.uniform(0.4, 0.95)
                said.append((sure, float(lot.random() < 0.6)))
        fits = bradley_terry(games)
        team = [
            Candidate(name, name, fit=fits[name], brier=brier(said), brier_error=brier_error(said))
            for name, said in votes.items()
        ]
        weights = vote_weights(team).values()
        ratios.append(max(weights) / min(weights))
    assert median(ratios) <= Decimal("1.15")
    assert max(ratios) <= Decimal("1.5")


def test_a_far_stronger_agent_does_weigh_more() -> None:
    lot = random.Random(1)
    games = [
        (str(number), one.one, one.other, one.score)
        for number in range(60)
        for one in games_of([["strong"], ["b"], ["c"]] if lot.random() < 0.85 else [["b"], ["c"], ["strong"]])
    ]
    fits = bradley_terry(games)
    weights = vote_weights([Candidate(name, name, fit=fits[name]) for name in fits])
    assert weights["strong"] > 2 * max(weights["b"], weights["c"])
