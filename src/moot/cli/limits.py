"""Hints for a debate that a limit has stopped: the limits to raise."""

import asyncio
import math

import moot

LEAST_MINUTES = 5.0
AMPLE = 1.5
"""A plan does not include anything that depends on replies: repeated requests, checks for agreement."""
_COUNTED = ("max_calls", "max_tokens", "max_cost")
"""The limits that count over the complete run."""


def raised_limits(result: moot.Result, config: moot.RunConfig) -> list[str]:
    """Options that let a run finish that was stopped by a limit.

    The limit that stopped it is at least doubled; every other limit below the plan is raised to the plan.
    """
    options = config.options
    found: list[str] = []
    for name, needed in _planned(config).items():
        limit = getattr(options, name)
        if limit is None:
            continue
        reached = result.limit == name
        if reached or limit < needed:
            found += [f"--{name.replace('_', '-')}", figure_of(max(needed, 2 * limit * reached))]
    if options.max_minutes is not None and result.limit == "max_minutes":
        found += ["--max-minutes", figure_of(max(LEAST_MINUTES, 2 * options.max_minutes))]
    return found


def _planned(config: moot.RunConfig) -> dict[str, float]:
    """The cost of the complete debate with replies of maximal length; empty if it is unknown."""
    try:
        plan = asyncio.run(moot.plan(config))
    except moot.MootError:  # for example, a folder of evidence no longer exists
        return dict.fromkeys(_COUNTED, 0.0)
    tokens = plan.bound.input + plan.bound.output
    cost = AMPLE * (plan.bound.cost or 0.0)
    return {"max_calls": math.ceil(AMPLE * plan.calls), "max_tokens": math.ceil(AMPLE * tokens), "max_cost": cost}


def figure_of(value: float) -> str:
    """The value, rounded up so that it is enough."""
    if value == int(value):
        return str(int(value))
    return f"{math.ceil(value * 10_000) / 10_000:.4f}".rstrip("0")
