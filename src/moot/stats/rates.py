"""Rates and differences of rates, each with a 95 % interval."""

from functools import cache

from pydantic import BaseModel, ConfigDict

from moot.plugins.extras import require

TAIL = 0.025
"""What a 95 % interval leaves out at each end."""


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


def rate(count: int, n: int, missing: int = 0) -> Rate:
    """How many of independent cases are so, with the exact interval of Clopper and Pearson."""
    if n == 0:
        return Rate(count=0, n=0, missing=missing, rate=None, low=None, high=None)
    low, high = exact_of(count, n)
    return Rate(count=count, n=n, missing=missing, rate=count / n, low=low, high=high)


@cache
def exact_of(count: float, n: float) -> tuple[float, float]:
    """The interval of Clopper and Pearson. The numbers need not be whole."""
    require("studies")
    from scipy.special import betaincinv

    low = float(betaincinv(count, n - count + 1, TAIL)) if count > 0 else 0.0
    return low, float(betaincinv(count + 1, n - count, 1 - TAIL)) if count < n else 1.0


@cache
def t_quantile(degrees: float) -> float:
    """Of Student's t, for a 95 % interval."""
    require("studies")
    from scipy.stats import t

    return float(t.ppf(1 - TAIL, degrees))
