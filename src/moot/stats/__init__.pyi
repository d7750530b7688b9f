# The names of this page, a line each. Each is loaded when it is asked for: see moot.plugins.lazy.
from moot.stats.agreement import Agreement as Agreement
from moot.stats.agreement import krippendorff_alpha as krippendorff_alpha
from moot.stats.clusters import FEWEST as FEWEST
from moot.stats.clusters import Clusters as Clusters
from moot.stats.clusters import are_few as are_few
from moot.stats.clusters import lean_test as lean_test
from moot.stats.clusters import rate_of as rate_of
from moot.stats.paired import holm as holm
from moot.stats.paired import sign_test as sign_test
from moot.stats.pairs import PairedShares as PairedShares
from moot.stats.pairs import paired_shares as paired_shares
from moot.stats.pairs import tango as tango
from moot.stats.ranks import Placed as Placed
from moot.stats.ranks import kendall_w as kendall_w
from moot.stats.ranks import placed as placed
from moot.stats.ranks import self_preference as self_preference
from moot.stats.rates import Rate as Rate
from moot.stats.rates import rate as rate
from moot.stats.spreads import Spread as Spread
from moot.stats.spreads import chart_spreads as chart_spreads
from moot.stats.spreads import spread_of as spread_of
from moot.stats.strengths import Meeting as Meeting
from moot.stats.strengths import Strength as Strength
from moot.stats.strengths import strengths_of as strengths_of

__all__: list[str]  # noqa: PYI035 (made when the page is loaded)
