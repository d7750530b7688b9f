"""Tournaments: which model debates best? A batch in which pairs of models debate motions before models of other
families."""

from moot.plugins.lazy import lazy as _lazy

__getattr__ = _lazy(globals())
