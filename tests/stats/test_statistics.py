"""Every statistic against a published worked example or a second library, and what must hold for all numbers."""

from math import nan
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from moot.stats import (
    holm,
    krippendorff_alpha,
    sign_test,
)

counts = st.integers(0, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
some = counts.filter(lambda one: one[1] > 0)


def test_mcnemar_as_published() -> None:
    """Two media for sputum specimens (P. Armitage, G. Berry, Statistical Methods in Medical Research, 3rd edition 1994,
    p. 127), 12 specimens grown on the one alone and 2 on the other; the help of StatsDirect has the exact P, 0.0129."""
    assert sign_test(12, 2) == pytest.approx(0.0129, abs=5e-5)


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_sign_test_as_scipy_has_it(one: int, other: int) -> None:
    found = sign_test(one, other)
    assert found == sign_test(other, one)
    if one + other:
        assert found == pytest.approx(stats.binomtest(one, one + other).pvalue)
    else:
        assert found is None


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_never_lowers_a_p_value(given_ps: list[float]) -> None:
    found = holm(given_ps)
    for p, adjusted in zip(given_ps, found, strict=True):
        assert adjusted is not None and p <= adjusted <= 1


NOBODY = None
WORKED: list[list[int | None]] = [
    [1, 1, NOBODY, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [NOBODY, 5, 5, 5],
    [NOBODY, NOBODY, 1, 1],
    [NOBODY, NOBODY, 3, NOBODY],
]
"""K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section C and E: twelve units, four observers."""


@pytest.mark.parametrize(
    ("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_alpha_as_published(level: str, alpha: float) -> None:
    units = [dict(zip("ABCD", unit, strict=True)) for unit in WORKED]
    found = krippendorff_alpha(units, level)  # type: ignore[arg-type]
    assert found.alpha is not None
    assert found.alpha == pytest.approx(alpha, abs=6e-4)
    assert (found.units, found.judges, found.ratings) == (11, 4, 40)
    assert (found.low, found.high) == (None, None), "judges disagree on three units"
    often = krippendorff_alpha(units * 3, level)  # type: ignore[arg-type]
    assert often.low is not None and often.high is not None
    assert often.low <= found.alpha <= often.high
    alike = [place for _ in range(3) for place in range(len(units))]
    assert krippendorff_alpha(units * 3, level, clusters=alike).low is None  # type: ignore[arg-type]


@pytest.mark.parametrize("units", [[], [{"a": 1}], [{"a": 1, "b": None}], [{"a": 1, "b": 1}, {"a": 1, "b": 1}]])
def test_alpha_is_null_where_it_is_not_defined(units: list[dict[str, int | None]]) -> None:
    assert krippendorff_alpha(units).alpha is None


@pytest.mark.parametrize("bad", [nan, -0.1, 1.1])
def test_holm_names_what_is_no_probability(bad: float) -> None:
    with pytest.raises(ValueError, match=r"p_values\[1\] is .*, and no probability"):
        holm([0.01, bad])


@pytest.mark.parametrize("level", ["nominal", "interval"])
def test_nan_is_no_rating(level: Literal["nominal", "interval"]) -> None:
    with pytest.raises(ValueError, match=r"ratings\[1\]\['Lou'\] is NaN"):
        krippendorff_alpha([{"Kim": 1.0, "Lou": 1.0}, {"Kim": 2.0, "Lou": nan}], level)


def test_agreement_without_enough_that_differs_has_no_interval() -> None:
    """Where judges never disagree, or nearly all ratings are the same."""
    always = [{"Kim": place % 2 == 0, "Lou": place % 2 == 0} for place in range(60)]
    assert (krippendorff_alpha(always).alpha, krippendorff_alpha(always).low) == (1.0, None)
    skewed = [{"Kim": place > 3, "Lou": place > 5} for place in range(60)]
    assert krippendorff_alpha(skewed).low is None
    split = [{"Kim": place % 2 == 0, "Lou": place % 2 == 0 or place % 5 == 0} for place in range(60)]
    assert krippendorff_alpha(split).low is not None
