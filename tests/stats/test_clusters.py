"""Figures over clusters: the plain ones where nothing is related, and honest ones where something is."""

import math
import random
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import binomtest, t

from moot.stats import (
    FEWEST,
    lean_test,
    paired_shares,
    rate,
    rate_of,
    sign_test,
    tango,
)
from moot.stats.clusters import sign_flip_test
from moot.stats.rates import exact_of
from tests.kit.examples import tries

TIMES = min(1000, tries(250))
"""How often studies with a known truth are drawn."""


def test_unrelated_cases_give_the_plain_figures() -> None:
    values = [True] * 12 + [False] * 8 + [None]
    each = [list(range(21))]
    plain, found = rate(12, 20, 1), rate_of(values, each)
    assert found.model_dump(exclude={"clusters"}) == plain.model_dump(exclude={"clusters"})
    assert found.clusters == 20
    assert lean_test([1] * 9 + [-1] * 2, [list(range(11))]) == sign_test(9, 2)


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_of_a_rate_is_that_of_clopper_and_pearson(case: tuple[int, int]) -> None:
    found, expected = rate(*case), binomtest(*case).proportion_ci()
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_related_cases_say_as_much_as_fewer_independent_ones() -> None:
    """Ten topics of which six are won five times of ten: their variance is that of the shares, by the textbook."""
    topics = [topic for topic in range(10) for _ in range(10)]
    values = [topic < 6 and place % 10 < 5 for place, topic in enumerate(topics)]
    variance = np.var([0.5] * 6 + [0.0] * 4, ddof=1) / 10
    degrees = (t.ppf(0.975, 99) / t.ppf(0.975, 9)) ** 2
    expected = exact_of(0.3 * (n := 0.3 * 0.7 / variance * degrees), n)
    found = rate_of(values, [topics])
    assert (found.low, found.high) == pytest.approx(expected)


def test_the_test_of_signs_is_that_of_all_signs() -> None:
    for sums in ([3, -1, 4, 1, -5, 9], [2, 2, 2, 2, 2, 2, 2], [1, 0, 0, -1, 1, 1], [0, 0, 0]):
        every = [
            abs(sum(sign * one for sign, one in zip(signs, sums, strict=True)))
            for signs in product((1, -1), repeat=len(sums))
        ]
        expected = sum(one >= abs(sum(sums)) for one in every) / len(every)
        assert sign_flip_test(sums) == pytest.approx(expected)
    assert sign_flip_test([]) is None


def test_few_clusters_have_no_interval_and_no_test() -> None:
    topics = [[place % (FEWEST - 1) for place in range(40)]]
    found = rate_of([True, False] * 20, topics)
    assert (found.rate, found.low, found.high, found.clusters) == (0.5, None, None, FEWEST - 1)
    assert lean_test([1] * 40, topics) is None
    assert paired_shares([True] * 40, [False] * 40, topics[0]).p is None


def test_two_ways_to_be_related_are_never_narrower_than_one() -> None:
    lot = random.Random(3)
    topics, casts = [place % 10 for place in range(100)], [place // 10 for place in range(100)]
    values = [lot.random() < 0.3 + 0.04 * casts[place] for place in range(100)]
    one, both = rate_of(values, [topics]), rate_of(values, [topics, casts])
    assert one.low is not None and both.low is not None
    assert both.low < one.low


def test_tangos_interval() -> None:
    """T. Tango, Statistics in Medicine 17 (1998), 891-908: 12 and 2 of 50."""
    assert tango(12, 2, 50) == pytest.approx((0.0611, 0.3447), abs=5e-5)
    assert tango(0, 0, 50) == pytest.approx((-0.0713, 0.0713), abs=5e-5)
    assert tango(5, 0, 5)[1] == 1.0


def test_a_worthwhile_gain_is_ruled_out_where_the_interval_says_so() -> None:
    found = paired_shares([True] * 73, [True] * 73, list(range(73)))
    assert found.high is not None
    below = found.p_below(found.high)
    assert below == pytest.approx(0.025, abs=1e-6)


def test_a_few_clusters_with_most_of_the_cases_have_no_interval_and_no_test() -> None:
    """One topic of 60 debates and nine of two: the rate is that of one topic."""
    topics = [0] * 60 + [place for place in range(1, 10) for _ in range(2)]
    values = [place % 2 == 0 for place in range(78)]
    assert (rate_of(values, [topics]).low, lean_test([1] * 78, [topics])) == (None, None)
    assert paired_shares(values, [True] * 78, topics).low is None


def mean_chance(middle: float, spread: float) -> float:
    """Of topics whose logits are drawn from this normal distribution."""
    places = np.linspace(-8, 8, 2001)
    return float(np.average(1 / (1 + np.exp(-middle - spread * places)), weights=np.exp(-(places**2) / 2)))


@pytest.mark.parametrize(
    ("topics", "repeats", "spread", "middle", "truth"),
    [
        (6, 20, 4, 5.35, 0.889),
        (10, 20, 2, 4.0, 0.932),
        (20, 20, 4, 8.0, 0.966),
        (6, 50, 4, 3.0, 0.753),
        (20, 20, 2, 2.2, 0.797),
        (10, 50, 3, 6.0, 0.957),
    ][: tries(2)],
)
def test_intervals_hold_where_a_few_topics_decide(
    topics: int, repeats: int, spread: float, middle: float, truth: float
) -> None:
    """Topics that differ by several logits, with a mean chance near the end. Their variance alone covers 78 of 100."""
    lot, covered, times = random.Random(11), 0, TIMES
    each = [topic for topic in range(topics) for _ in range(repeats)]
    assert mean_chance(middle, spread) == pytest.approx(truth, abs=0.002)
    for _ in range(times):
        chances = [1 / (1 + math.exp(-lot.gauss(middle, spread))) for _ in range(topics)]
        found = rate_of([lot.random() < chances[topic] for topic in each], [each])
        assert found.low is not None and found.high is not None
        covered += found.low <= truth <= found.high
    assert covered / times >= 0.93


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(any), min_size=6, max_size=9))
@example([(0, 2), (1, 2), (1, 2), (1, 2), (3, 0), (3, 1)])
def test_the_rate_of_any_clusters_lies_within_its_interval(counts: list[tuple[int, int]]) -> None:
    each = [place for place, one in enumerate(counts) for _ in range(sum(one))]
    values = [kind == 0 for one in counts for kind in (0, 1) for _ in range(one[kind])]
    found = rate_of(values, [each])
    mirrored = rate_of([not value for value in values], [each])
    assert found.rate is not None
    if found.low is None or found.high is None:
        return
    assert 0 <= found.low <= found.rate <= found.high <= 1
    assert mirrored.low == pytest.approx(1 - found.high) and mirrored.high == pytest.approx(1 - found.low)


def test_differences_of_methods_that_are_nearly_always_right_cover_the_truth() -> None:
    """Thirty questions of three epochs, on which methods are right in 98 and 93 of 100 cases."""
    lot, covered, times = random.Random(5), 0, TIMES
    each = [question for question in range(30) for _ in range(3)]
    for _ in range(times):
        hard = [lot.gauss(0, 1.5) for _ in range(30)]
        first, second = (
            [lot.random() < 1 / (1 + math.exp(-(middle + hard[question]))) for question in each]
            for middle in (4.905, 3.424)
        )
        found = paired_shares(first, second, each)
        assert found.low is not None and found.high is not None
        covered += found.low <= 0.05 <= found.high
    assert covered / times >= 0.93


@pytest.mark.parametrize(("one", "other"), [(3, 7), (20, 18), (45, 90)])
def test_what_is_ruled_out_over_groups_is_what_the_interval_leaves_out(one: int, other: int) -> None:
    groups = [place // 3 for place in range(90)]
    found = paired_shares([place % one > 0 for place in range(90)], [place % other > 1 for place in range(90)], groups)
    assert found.high is not None
    assert found.p_below(found.high) == pytest.approx(0.025, abs=1e-6)


def test_a_difference_over_clusters_stays_between_minus_one_and_one() -> None:
    first = [True] * 17 + [False]
    found = paired_shares(first, [False] * 18, [place // 3 for place in range(18)])
    assert found.low is not None and found.high is not None
    assert -1 <= found.low < found.high <= 1


def test_methods_that_differ_on_every_question_of_every_group_differ() -> None:
    groups = [place // 3 for place in range(60)]
    found = paired_shares([True] * 60, [False] * 60, groups)
    assert found.value == 1 and found.low is not None and found.low > 0.6
    assert found.p is not None and found.p < 0.001
    same = paired_shares([True] * 60, [True] * 60, groups)
    assert same.value == 0 and same.high is not None and 0 < same.high < 0.2


@pytest.mark.parametrize(("topics", "casts", "by_cast"), [(12, 12, 0.0), (20, 6, 1.0)])
def test_rates_over_topics_and_casts_cover_95_of_100(topics: int, casts: int, by_cast: float) -> None:
    drawn = np.random.default_rng(11)
    ways = [[topic for topic in range(topics) for _ in range(casts)], list(range(casts)) * topics]

    def covers() -> bool:
        chances = 1 / (1 + np.exp(-by_cast * drawn.standard_normal((1, casts))))
        found = rate_of([bool(one) for one in (drawn.random((topics, casts)) < chances).ravel()], ways)
        return found.low is not None and found.high is not None and found.low <= 0.5 <= found.high

    assert sum(covers() for _ in range(2 * TIMES)) / (2 * TIMES) >= 0.93
