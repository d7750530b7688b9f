"""How a protocol takes part in batches, evaluations and tournaments."""

from moot.plugins.lazy import lazy as _lazy

__getattr__ = _lazy(globals())
