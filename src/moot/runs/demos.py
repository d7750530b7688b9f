"""The hand-written debates, as debates to be run: without a key, and at a reader's pace."""

import asyncio
from dataclasses import replace
from tempfile import TemporaryDirectory

from moot.engine.define.config import RunConfig
from moot.engine.define.layers import configure
from moot.errors import ConfigError
from moot.models.base import Model
from moot.models.scripted import DEMO, demo_names, is_demo, open_demo, read_demo
from moot.present import Summary
from moot.runs.debates import run

READING = 25.0
"""Words in a second."""


def demo(name: str, out: str | None, words_per_second: float | None = READING) -> tuple[RunConfig, dict[str, Model]]:
    """The config of the hand-written debate of a protocol, and the script that speaks in it."""
    if name not in demo_names():
        told = ", ".join(demo_names())
        raise ConfigError(f"there is no example debate of {name!r}; there is one of each of these: {told}")
    speaker = open_demo(name, words_per_second)
    config = configure(**read_demo(name).settings, out=out)
    # The script speaks for all agents, regardless of models and roles in the config files.
    options = config.options.model_copy(update={"model": speaker.name, "roles": {}})
    return replace(config, options=options), {speaker.name: speaker}


def speaker_of(config: RunConfig) -> dict[str, Model]:
    """The script that goes on with a hand-written debate; none for any other debate."""
    name = config.options.model
    if not isinstance(name, str) or not is_demo(name):
        return {}
    return {name: open_demo(name.removeprefix(DEMO))}


def summary_of(name: str) -> Summary:
    """What that debate comes to."""
    with TemporaryDirectory() as folder:
        config, models = demo(name, folder, None)
        return asyncio.run(run(config, models=models, reports=False)).summary
