"""Checks what guests may set when they ask for a debate through a page, the API or an assistant.

The owner of the server pays and owns its files. A guest chooses the subject and the cast. It cannot name files or
folders of this machine, or addresses that the server would call. It can choose any protocol that the server has; none
is loaded from a file for it.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from moot.engine.define.config import Options, RunConfig
from moot.engine.define.layers import configure, configure_gate, load_options
from moot.engine.define.policy import read_policy
from moot.engine.define.protocol import Protocol
from moot.engine.define.registry import find_offered
from moot.engine.sources.toolbox import check_tools, is_for_guests
from moot.errors import ConfigError
from moot.models.catalogue import CATALOGUE
from moot.models.declared import declared_commands
from moot.models.registry import check_usable

NOT_FOR_GUESTS = {
    "out": "runs are kept where the server was told to keep them",
    "prices": "prices are the server's own settings",
    "evidence": "it names files and folders of the server",
    "selection": "a team is chosen from a pool by whoever runs the server",
    "file": "it names a file of the server",
    "protocol": "it is given by itself",
    "submitted": "it is computed from the text",
    "policy": "it names a file of the server",
    "rate": "it would hold for all debates of the server",
    "concurrency": "it would hold for all debates of the server",
}
"""Keys that guests cannot set in any protocol."""
A_PATH = "it names a file or a folder of the server"
LIMITS: dict[str, float | None] = {"max_calls": 1000, "max_tokens": None, "max_cost": None, "max_minutes": 120.0}
"""Default limits of a guest's debate; the server's own settings override them."""


OWN_SHARE = ("max_reply_tokens", "timeout", "max_lookups")
"""Options that a guest can set for its own debate, but no higher than the server's settings."""


def not_for_guests(protocol: Protocol) -> dict[str, str]:
    """The keys that guests cannot set in this protocol, with reasons: its private keys, keys that hold a path, and keys
    of the server."""
    return {**dict.fromkeys(protocol.path_keys, A_PATH), **protocol.private, **NOT_FOR_GUESTS}


def requested(protocol: str, settings: Mapping[str, Any], *, gate: bool = False) -> RunConfig:
    """The config of a debate that a guest asked for, with `gate` one that others rely on; ConfigError names a setting
    that is not allowed. Limits above the server's are lowered."""
    chosen = find_offered(protocol).protocol
    known, kept = {*Options.model_fields, *chosen.config.model_fields}, not_for_guests(chosen)
    ruled = read_policy(None)
    for key in settings:
        if ruled is not None and key in ruled.settings and key not in LIMITS:
            raise ConfigError(f"`{key}` cannot be set from here: the server's policy sets it", key)
        if key in kept:
            raise ConfigError(f"`{key}` cannot be set from here: {kept[key]}", key)
        if not key.isidentifier():
            listed = ", ".join(sorted(known - set(kept)))
            raise ConfigError(f"unknown key {key[:60]!r}; known here: {listed}", key)
    documents = settings.get("documents", [])
    if not isinstance(documents, list) or any(isinstance(document, str) for document in documents):
        raise ConfigError("`documents` are given from here with title and text, not by name: " + A_PATH, "documents")
    config = (configure_gate if gate else configure)(protocol, **settings)
    if "tools" in settings:
        check_tools(config.options.tools, for_guests=True)
    return within_limits(config)


def within_limits(config: RunConfig) -> RunConfig:
    """The config with what the server allows a guest."""
    own = load_options()
    changed = {key: min(getattr(config.options, key), getattr(own, key)) for key in OWN_SHARE}
    # The tools that the server's own debates have are not for guests by themselves.
    changed["tools"] = {name: roles for name, roles in config.options.tools.items() if is_for_guests(name)}
    return replace(config, options=config.options.model_copy(update=changed | limits_within(config.options)))


def limits_within(asked: Options) -> dict[str, float | None]:
    """The limits that a guest asked for, capped by the server's."""
    own = load_options()
    allowed = {key: most if getattr(own, key) is None else getattr(own, key) for key, most in LIMITS.items()}
    given = {key: getattr(asked, key) for key in LIMITS}
    return {
        key: min((limit for limit in (given[key], allowed[key]) if limit is not None), default=None) for key in LIMITS
    }


def check_for_guests(name: str) -> None:
    """An error if a guest's debate with this model would be refused: see `check_usable`."""
    if (why := refused_model(name)) is not None:
        raise ConfigError(why)
    check_usable(name)


def refused_model(name: str) -> str | None:
    """Why guests cannot use this model, or None."""
    provider, _, rest = name.partition("/")
    if provider == "external":
        return "an outside agent is given its place by whoever runs the server, with: moot run"
    if provider == "scripted" or (provider == "embedded" and rest and name not in CATALOGUE):
        return f"{name} is read from a file of the server, which cannot be asked for from here"
    if provider == "command" and rest in (known := declared_commands()) and not known[rest].guests:
        return (
            f"{name} runs a program of the server, which only does so from here if its declaration says `guests: true`"
        )
    return None
