"""Statistics as pure functions of numbers: rates with intervals, tests on pairs and on clusters, resampling,
agreement between judges.

Each result includes the number of cases, and missing values are never filled in.
"""

from moot.plugins.lazy import lazy as _lazy

__getattr__ = _lazy(globals())
