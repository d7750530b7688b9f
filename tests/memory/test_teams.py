"""Who is chosen and why, and what their votes weigh."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

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


def test_votes_weigh_by_the_odds_of_the_rating_and_by_calibration() -> None:
    even = [Candidate("a", "x"), Candidate("b", "y", 1500, 9)]
    assert vote_weights(even) == {"a": Decimal(1), "b": Decimal(1)}
    apart = vote_weights([Candidate("a", "x", 1700), Candidate("b", "y", 1300)])
    assert round(apart["a"] / apart["b"], 2) == Decimal(10), "400 points of Elo are ten to one"
    trusted = vote_weights([Candidate("a", "x", 1500, 20, 0.0), Candidate("b", "y", 1500, 20, 0.25)])
    assert trusted == {"a": Decimal("1.3333"), "b": Decimal(1)}
    assert vote_weights([Candidate("a", "x", 9000), Candidate("b", "y", 1000)])["a"] == HEAVIEST
    assert vote_weights([]) == {}
