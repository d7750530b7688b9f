"""Re-judging finished debates without debating again: other judges, another order, another rule."""

from moot.plugins.lazy import lazy as _lazy

__getattr__ = _lazy(globals())
