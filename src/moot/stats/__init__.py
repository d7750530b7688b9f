"""Statistics as pure functions of numbers: rates with intervals, exact and paired tests, resampling, agreement between
judges.

Each result includes the number of cases, and missing values are never filled in.
"""

from moot.stats.agreement import Agreement, krippendorff_alpha
from moot.stats.paired import Bootstrapped, holm, mcnemar, paired_bootstrap, sign_test
from moot.stats.rates import Difference, Rate, difference, rate, share_minus_overall, wilson

__all__ = [
    "Agreement",
    "Bootstrapped",
    "Difference",
    "Rate",
    "difference",
    "holm",
    "krippendorff_alpha",
    "mcnemar",
    "paired_bootstrap",
    "rate",
    "share_minus_overall",
    "sign_test",
    "wilson",
]
