"""What re-judgings say of their judges, over many debates: what is missing, and intervals that cover what they say."""

import random
from collections.abc import Sequence
from itertools import combinations

import pytest

from moot.stats import Rate, rate, wilson
from moot.studies.rejudge import judge_agreement
from moot.studies.rejudge.agreement import rate_over
from tests.kit.rejudging import judged

SEATS = ["Ada", "Bo"]


def rate_over_debates(hits: Sequence[Sequence[bool | None]]) -> Rate:
    """Each debate has a topic of its own."""
    return rate_over(hits, [str(place) for place in range(len(hits))])


def test_pairs_of_which_one_names_nobody_are_missing() -> None:
    results = [
        judged(SEATS, "Ada", {"one": "Ada", "two": "Bo"}, {}),
        judged(SEATS, "Ada", {"one": "Ada", "two": None}, {}),
        judged(SEATS, "Ada", {"one": None, "two": None}, {}),
    ]
    same = judge_agreement(results).same_winner
    assert (same.count, same.n, same.missing, same.clusters) == (2, 4, 5, 2)


def test_a_debate_that_nobody_had_judged_has_no_original_judgement_to_miss() -> None:
    same = judge_agreement([judged(SEATS, None, {"one": "Ada", "two": "Ada"}, {})]).same_winner
    assert (same.count, same.n, same.missing) == (1, 1, 0)


def test_a_case_told_twice_is_one_case() -> None:
    once = [[number < 15] for number in range(40)]
    twice = [hits * 2 for hits in once]
    found, single = rate_over_debates(twice), rate_over_debates(once)
    assert (found.count, found.n, found.clusters, found.rate) == (30, 80, 40, 0.375)
    assert single == rate(15, 40).model_copy(update={"clusters": 40})
    assert (found.low, found.high) == pytest.approx(wilson(15, 40), abs=0.01)


def test_where_nothing_differs_there_are_as_many_cases_as_debates() -> None:
    for hit in (True, False):
        found, cases = rate_over_debates([[hit] * 10] * 6), rate(6 * hit, 6)
        assert (found.low, found.high) == (cases.low, cases.high)
    one = rate_over_debates([[True, True, False]])
    assert (one.low, one.high, one.clusters) == (None, None, 1), "one debate says nothing of others"


def test_where_there_is_no_case_there_is_no_rate() -> None:
    found = rate_over_debates([[None, None], []])
    assert (found.n, found.clusters, found.missing, found.rate, found.low) == (0, 0, 2, None, None)


@pytest.mark.parametrize("raters", [3, 5])
def test_an_interval_of_pairs_covers_the_truth_as_often_as_it_says(raters: int) -> None:
    """Debates differ in how clear they are, evenly, so that two raters agree in two of three."""
    lot = random.Random(raters)
    covered, times = 0, 600
    for _ in range(times):
        hits = []
        for _ in range(40):
            clear = lot.random()
            named = [lot.random() < clear for _ in range(raters)]
            hits.append([one == other for one, other in combinations(named, 2)])
        found = rate_over_debates(hits)
        assert found.low is not None and found.high is not None
        covered += found.low <= 2 / 3 <= found.high
    assert 0.92 <= covered / times <= 0.98


def test_debates_on_one_topic_are_related() -> None:
    """Forty debates on five topics: nothing is said of other topics."""
    results = [judged(SEATS, "Ada", {"one": "Ada" if n % 3 else "Bo"}, {}, topic=f"Topic {n % 5}") for n in range(40)]
    found = judge_agreement(results)
    upheld = found.judges[0].upheld
    assert (upheld.n, upheld.clusters, upheld.low, found.same_winner.low, found.winners.low) == (
        40,
        5,
        None,
        None,
        None,
    )
    apart = [judged(SEATS, "Ada", {"one": "Ada" if n % 3 else "Bo"}, {}, topic=f"Topic {n}") for n in range(40)]
    assert judge_agreement(apart).judges[0].upheld.low is not None
