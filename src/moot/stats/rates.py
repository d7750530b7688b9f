"""Rates and differences of rates, each with a 95 % interval."""

from math import sqrt

from pydantic import BaseModel, ConfigDict

from moot.plugins.extras import require

Z_95 = 1.959963984540054
"""The quantile of the normal distribution for a 95 % interval."""
FURTHER = 0.75
"""How much of one further case, or cluster, that goes the other way the interval of a rate has to allow for. Measured:
with less, some intervals cover the truth in fewer than 93 of 100 studies."""


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
    """How many of independent cases are so. The interval is Wilson's, which is too narrow for some rates near 0 and 1,
    widened to allow for a further case."""
    found = score_rate(count, n, missing)
    return found if found.rate is None else widened(found, found.rate * (1 - found.rate), n)


def score_rate(count: int, n: int, missing: int = 0) -> Rate:
    """The same with Wilson's interval as it is."""
    if n == 0:
        return Rate(count=0, n=0, missing=missing, rate=None, low=None, high=None)
    low, high = wilson(count, n)
    return Rate(count=count, n=n, missing=missing, rate=count / n, low=low, high=high)


def widened(one: Rate, variance: float, number: float) -> Rate:
    """The rate with an interval that allows for a further cluster; `variance` is that of the shares of a `number` of
    clusters."""
    share, low, high = one.rate or 0.0, one.low or 0.0, 1.0 if one.high is None else one.high
    least, most = beyond(share, variance, number, FURTHER)
    return one.model_copy(update={"low": min(low, least), "high": max(high, most)})


def beyond(share: float, variance: float, number: float, weight: float) -> tuple[float, float]:
    """The 95 % interval of a mean of shares, whatever their distribution: Gaffke's bounds, for which a further share of
    this weight is 0, or 1, and the shares are weighed by lot. The quantiles are those of a beta distribution with the
    same mean and variance; if each share is 0 or 1, it is the same, and with a weight of 1 the bounds are those of
    Clopper and Pearson."""
    from scipy.special import betaincinv

    below, above = (
        float(betaincinv(*_with_a_further(one, variance, number, weight), 0.025)) if one > 0 else 0.0
        for one in (share, 1 - share)
    )
    return below, 1 - above


def chance_above(margin: float, share: float, variance: float, number: float, weight: float) -> float:
    """The probability, by the distribution of the upper bound, that the mean is above this margin."""
    from scipy.special import betainc

    return float(betainc(*_with_a_further(1 - share, variance, number, weight), 1 - margin)) if share < 1 else 1.0


def _with_a_further(share: float, variance: float, number: float, weight: float) -> tuple[float, float]:
    """The parameters of the beta distribution of the mean of these shares and a further one that is 0."""
    require("studies")
    total = number + weight
    mean = share * number / total
    spread = (variance + share**2) * number / total - mean**2
    size = mean * (1 - mean) * (total + 1) / spread - 1
    return mean * size, (1 - mean) * size


def difference(one: tuple[int, int], other: tuple[int, int]) -> Difference:
    """The difference of two shares from different cases; each is (successes, trials)."""
    return difference_of(score_rate(*one), score_rate(*other))


def difference_of(one: Rate, other: Rate, alike: float = 0.0) -> Difference:
    """The difference of two rates; `alike` is their correlation. The interval is Newcombe's hybrid of the intervals of
    the two, without continuity correction (his method 10), and with a correlation that of Zou and Donner."""
    if one.rate is None or other.rate is None:
        return Difference(value=None, low=None, high=None)
    value = one.rate - other.rate
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return Difference(value=value, low=None, high=None)

    def reach(up: float, down: float) -> float:
        return sqrt(max(0.0, up**2 + down**2 - 2 * alike * up * down))

    below, above = (
        reach(one.rate - one.low, other.high - other.rate),
        reach(one.high - one.rate, other.rate - other.low),
    )
    return Difference(value=value, low=value - below, high=value + above)


def share_minus_overall(part: tuple[int, int], whole: tuple[int, int]) -> Difference:
    """The share of a part minus the overall share.

    The overall share is a weighted mean of the part and the rest, so this is the difference between the part and the
    rest, times the fraction of cases in the rest. Null if the part is empty or contains every case.
    """
    rest = whole[0] - part[0], whole[1] - part[1]
    if min(rest) < 0 or part[0] > part[1] or rest[0] > rest[1]:
        raise ValueError(f"{part} is no part of {whole}")
    from_rest = difference(part, rest)
    if from_rest.value is None or from_rest.low is None or from_rest.high is None:
        return from_rest
    weight = rest[1] / whole[1]
    return Difference(value=from_rest.value * weight, low=from_rest.low * weight, high=from_rest.high * weight)
