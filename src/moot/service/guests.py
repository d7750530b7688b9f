"""Debates that others ask for: through a page, the API, an assistant. What they may set is checked here, once.

Whoever runs the server pays and owns its files. A guest says what is debated and by whom; it names no file or folder of
this machine and no address that the server would call. Of protocols it may choose any that the server has: none is
loaded from a file for its sake.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from moot.engine.config import Options, RunConfig, configure, load_options
from moot.engine.protocol import Protocol
from moot.engine.registry import find_offered
from moot.errors import ConfigError
from moot.models.catalogue import CATALOGUE

NOT_FOR_GUESTS = {
    "out": "runs are kept where the server was told to keep them",
    "prices": "prices are the server's own settings",
    "evidence": "it names files and folders of the server",
    "embeddings": "it names an endpoint that the server would call",
    "selection": "a team is chosen from a pool by whoever runs the server",
    "file": "it names a file of the server",
    "protocol": "it is given by itself",
    "rate": "it would hold for all debates of the server",
    "concurrency": "it would hold for all debates of the server",
}
"""Keys that no guest may set, whatever the protocol."""
A_PATH = "it names a file or a folder of the server"
LIMITS: dict[str, float | None] = {"max_calls": 1000, "max_tokens": None, "max_cost": None, "max_minutes": 120.0}
"""What a guest's debate may take at most; where the server's own settings have a limit, that holds instead."""


OWN_SHARE = ("max_reply_tokens", "timeout")
"""What a guest may set for its own debate, and no higher than the server's own settings."""


def not_for_guests(protocol: Protocol) -> dict[str, str]:
    """The keys of such a debate that no guest may set, and why: those that the protocol keeps to itself, those that
    hold a path, and those that belong to the server in any case."""
    return {**dict.fromkeys(protocol.path_keys, A_PATH), **protocol.private, **NOT_FOR_GUESTS}


def requested(protocol: str, settings: Mapping[str, Any]) -> RunConfig:
    """The config of a debate with the settings that a guest asked for; ConfigError says which of them may not be.
    Limits beyond the server's are lowered to them."""
    chosen = find_offered(protocol).protocol
    known, kept = {*Options.model_fields, *chosen.config.model_fields}, not_for_guests(chosen)
    for key in settings:
        if key in kept:
            raise ConfigError(f"`{key}` cannot be set from here: {kept[key]}", key)
        if not key.isidentifier():
            listed = ", ".join(sorted(known - set(kept)))
            raise ConfigError(f"unknown key {key[:60]!r}; known here: {listed}", key)
    config = configure(protocol, **settings)
    own = load_options()
    lowered = {key: min(getattr(config.options, key), getattr(own, key)) for key in OWN_SHARE}
    return replace(config, options=config.options.model_copy(update=lowered | limits_within(config.options)))


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
    if provider == "scripted" or (provider == "embedded" and rest and name not in CATALOGUE):
        return f"{name} is read from a file of the server, which cannot be asked for from here"
    return None
