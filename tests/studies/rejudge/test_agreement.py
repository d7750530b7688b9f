"""What re-judgings say of their judges, over many debates: what is missing, and intervals that cover what they say."""

from collections.abc import Sequence

import pytest

from moot.stats import Rate, rate
from moot.studies.rejudge import judge_agreement
from moot.studies.rejudge.agreement import rate_over
from tests.kit.rejudging import judged

SEATS = ["Ada", "Bo"]


def rate_over_debates(hits: Sequence[Sequence[bool | None]]) -> Rate:
    """Each debate has a topic of its own."""
    return rate_over((str(place), hit) for place, several in enumerate(hits) for hit in several)


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


def test_where_there_is_no_case_there_is_no_rate() -> None:
    found = rate_over_debates([[None, None], []])
    assert (found.n, found.clusters, found.missing, found.rate, found.low) == (0, 0, 2, None, None)


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


def test_a_case_told_twice_is_one_case() -> None:
    once = [[number < 15] for number in range(40)]
    twice = [hits * 2 for hits in once]
    found, single = rate_over_debates(twice), rate_over_debates(once)
    assert (found.count, found.n, found.clusters, found.rate) == (30, 80, 40, 0.375)
    assert single == rate(15, 40).model_copy(update={"clusters": 40})
    assert (found.low, found.high) == pytest.approx((single.low, single.high), abs=0.02)
