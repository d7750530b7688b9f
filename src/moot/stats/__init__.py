"""Statistics as pure functions of numbers: rates with intervals, tests on pairs and on clusters, resampling,
agreement between judges.

Each result includes the number of cases, and missing values are never filled in.
"""

from moot.stats.agreement import Agreement, krippendorff_alpha
from moot.stats.clusters import Clusters, are_few, bias_of, lean_test, mean_of, rate_of
from moot.stats.mixtures import FEWEST
from moot.stats.paired import holm, sign_test
from moot.stats.pairs import PairedShares, paired_shares, tango
from moot.stats.ranks import Placed, kendall_w, placed, self_preference
from moot.stats.rates import Difference, Rate, difference, rate, wilson
from moot.stats.spreads import Spread, chart_spreads, spread_of
from moot.stats.strengths import Meeting, Strength, strengths_of

__all__ = [
    "FEWEST",
    "Agreement",
    "Clusters",
    "Difference",
    "Meeting",
    "PairedShares",
    "Placed",
    "Rate",
    "Spread",
    "Strength",
    "are_few",
    "bias_of",
    "chart_spreads",
    "difference",
    "holm",
    "kendall_w",
    "krippendorff_alpha",
    "lean_test",
    "mean_of",
    "paired_shares",
    "placed",
    "rate",
    "rate_of",
    "self_preference",
    "sign_test",
    "spread_of",
    "strengths_of",
    "tango",
    "wilson",
]
