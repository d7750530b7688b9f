"""Formal argumentation. It is independent of debates, models and run files."""

from moot.plugins.lazy import lazy as _lazy

__getattr__ = _lazy(globals())
