"""Evaluation: does debating pay? Puts questions with known answers to debates and to baselines at equal token
budgets."""

from moot.plugins.lazy import lazy as _lazy

__getattr__ = _lazy(globals())
