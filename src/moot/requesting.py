"""Debates that others ask for: through a page, the API, an assistant. What they may set is checked here, once.

Whoever runs the server pays and owns its files. A guest says what is debated and by whom; it names no file or folder of
this machine and no address that the server would call.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from moot.config import Options, RunConfig, configure, load_options
from moot.engine.registry import get_protocol
from moot.errors import ConfigError
from moot.models.weights import SHIPPED_MODEL

NOT_FOR_GUESTS = {
    "out": "runs are kept where the server was told to keep them",
    "prices": "prices are the server's own settings",
    "evidence": "it names files and folders of the server",
    "embeddings": "it names an endpoint that the server would call",
    "selection": "it is made by `moot arena --pool`",
    "file": "it names a file of the server",
    "protocol": "it is given by itself",
}
LIMITS: dict[str, float | None] = {"max_calls": 1000, "max_tokens": None, "max_cost": None, "max_minutes": 120.0}
"""What a guest's debate may take at most; where the server's own settings have a limit, that holds instead."""


def requested(protocol: str, settings: Mapping[str, Any]) -> RunConfig:
    """The config of a debate with the settings that a guest asked for; ConfigError says which of them may not be.
    Limits beyond the server's are lowered to them."""
    known = {*Options.model_fields, *get_protocol(protocol).config.model_fields}
    for key in settings:
        if key in NOT_FOR_GUESTS:
            raise ConfigError(f"`{key}` cannot be set from here: {NOT_FOR_GUESTS[key]}", key)
        if not key.isidentifier():
            listed = ", ".join(sorted(known - set(NOT_FOR_GUESTS)))
            raise ConfigError(f"unknown key {key[:60]!r}; known here: {listed}", key)
    config = configure(protocol, **settings)
    return replace(config, options=config.options.model_copy(update=limits_within(config.options)))


def limits_within(asked: Options) -> dict[str, float | None]:
    """The limits that a guest asked for, none of them beyond the server's."""
    own = load_options()
    allowed = {key: most if getattr(own, key) is None else getattr(own, key) for key, most in LIMITS.items()}
    given = {key: getattr(asked, key) for key in LIMITS}
    return {key: min((one for one in (given[key], allowed[key]) if one is not None), default=None) for key in LIMITS}


def refused_model(name: str) -> str | None:
    """Why a model may not speak in a debate that a guest asked for, or None."""
    provider, _, rest = name.partition("/")
    if provider == "external":
        return "an outside agent is given its place by whoever runs the server, with: moot run"
    if provider == "scripted" or (provider == "embedded" and rest and name != SHIPPED_MODEL):
        return f"{name} is read from a file of the server, which cannot be asked for from here"
    return None
