"""Checks for a debate that others rely on: `--require` is a gate, and a gate needs a real judge."""

import asyncio
from dataclasses import replace

import click

import moot

DEMONSTRATION = "embedded/smollm2"
_ALSO_CALLED = ("embedded", "embedded/", DEMONSTRATION)
_UNNAMED = "unnamed/model"
"""A placeholder for agents without a model, to find them."""


def check_gate(config: moot.RunConfig) -> None:
    """ConfigError if the config has a requirement and no model is named, for example because a variable is missing: the
    demonstration model must not decide by default. If it is named explicitly, print a warning."""
    if not getattr(config.debate, "require", None):
        return
    options = config.options.model_copy(update={"model": config.options.model or _UNNAMED})
    cast = asyncio.run(moot.plan(replace(config, options=options))).models
    if without := [name for name, models in cast.items() if _UNNAMED in models]:
        raise moot.ConfigError(
            f"something is required of the decision, and no model is named for {', '.join(without)}. The embedded "
            "demonstration model is no judge of anything: name a model with -m or MOOT_MODEL and set its key "
            f"(`moot models` lists them), or try the gate out with -m {DEMONSTRATION}"
        )
    if any(model in _ALSO_CALLED for models in cast.values() for model in models):
        words = f"{DEMONSTRATION} is for demonstration: a requirement that it meets or misses says nothing"
        click.echo(f"moot: {words}", err=True)
