"""Rates and differences of rates, each with a 95 % interval."""

from functools import cache
from math import sqrt
from typing import Any

from pydantic import BaseModel, ConfigDict

from moot.plugins.extras import require

Z_95 = 1.959963984540054
"""The quantile of the normal distribution for a 95 % interval."""
LEVEL, LEAST = 0.95, 0.93
"""How often an interval is to contain the truth, and how often it must where few cases leave no better choice."""


class Rate(BaseModel):
    """`count` of `n` cases. `low` and `high` are the 95 % interval of the true rate. All three shares are null without
    cases. `missing` cases are not included in `n`. `clusters` is how many groups of related cases there
    are, where that was looked at; with too few of them there is no interval."""

    model_config = ConfigDict(frozen=True)

    count: int
    n: int
    missing: int
    rate: float | None
    low: float | None
    high: float | None
    clusters: int | None = None


class Difference(BaseModel):
    """A difference of two rates, or of a rate and the overall rate, with its 95 % interval; null if there is nothing to
    compare."""

    model_config = ConfigDict(frozen=True)

    value: float | None
    low: float | None
    high: float | None


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a share, without continuity correction."""
    if not 0 <= successes <= trials or trials == 0:
        raise ValueError(f"{successes} of {trials} is no share")
    return wilson_of(successes / trials, trials)


def wilson_of(share: float, trials: float) -> tuple[float, float]:
    """The same for a share of a number of trials that need not be whole."""
    spread = Z_95**2 / trials
    middle = (share + spread / 2) / (1 + spread)
    half = Z_95 * sqrt(share * (1 - share) / trials + spread / (4 * trials)) / (1 + spread)
    # At the ends the bound is exactly 0 or 1; rounding must not move it.
    return (0.0 if share == 0 else middle - half), (1.0 if share == 1 else middle + half)


def rate(count: int, n: int, missing: int = 0) -> Rate:
    """How many of independent cases are so, with an interval that contains the true rate in at least 93 of 100 studies
    whatever it is: Wilson's may in 84."""
    found = score_rate(count, n, missing)
    if found.rate is None:
        return found
    return found.model_copy(update={"low": _lowest(count, n), "high": 1 - _lowest(n - count, n)})


def score_rate(count: int, n: int, missing: int = 0) -> Rate:
    """The same with Wilson's interval as it is."""
    if n == 0:
        return Rate(count=0, n=0, missing=missing, rate=None, low=None, high=None)
    low, high = wilson(count, n)
    return Rate(count=count, n=n, missing=missing, rate=count / n, low=low, high=high)


@cache
def _lowest(count: int, n: int) -> float:
    """The lowest rate at which this count is no surprise."""
    require("studies")
    import numpy as np
    from scipy.special import betaincinv

    if count == 0:
        return 0.0
    low, high = float(betaincinv(count, n - count + 1, 0.0005)), count / n
    for _ in range(4):
        # There may be gaps between such rates: the first in a row of many counts, looked at ever more closely.
        rates = np.linspace(low, high, 129)
        first = int(_is_expected(count, n, rates).argmax())
        low, high = float(rates[max(0, first - 1)]), float(rates[first])
    return low


def _is_expected(count: int, n: int, rates: Any) -> Any:
    """For each of these rates, whether the count is among those that are to be expected.

    These are taken in the order of their likelihood beside that at the rate which fits them best (Feldman and Cousins),
    until their probability is nearest to 95 % and at least 93 %. So where one end of an interval cannot be wrong, since
    the rate is near 0 or 1, the other end alone has the 5 %.
    """
    import numpy as np
    from scipy.special import gammaln, xlog1py, xlogy

    reach = 10 + 4 * sqrt(n)  # eight standard deviations, so that many cases do not take long
    counts = np.arange(max(0, int(n * rates[0] - reach)), min(n, int(n * rates[-1] + reach)) + 1)
    best = xlogy(counts, counts / n) + xlog1py(n - counts, -counts / n)
    found = xlogy(counts, rates[:, None]) + xlog1py(n - counts, -rates[:, None])
    chances = np.exp(found + gammaln(n + 1) - gammaln(counts + 1) - gammaln(n - counts + 1))
    ratios = found - best
    own = ratios[:, counts == count]
    before = (chances * (ratios > own + 1e-9)).sum(axis=1)
    after = (chances * (ratios >= own - 1e-9)).sum(axis=1)
    return (before < LEAST) | (before + after < 2 * LEVEL)
