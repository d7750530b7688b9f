"""Debates that others ask for: through a page, the API, an assistant. What they may set is checked here, once.

Whoever runs the server pays and owns its files. A guest says what is debated and by whom; it names no file or folder of
this machine and no address that the server would call.
"""

from collections.abc import Mapping
from typing import Any

from moot.config import Options, RunConfig, configure
from moot.errors import ConfigError
from moot.protocols import get_protocol

NOT_FOR_GUESTS = {
    "out": "runs are kept where the server was told to keep them",
    "prices": "prices are the server's own settings",
    "evidence": "it names files and folders of the server",
    "embeddings": "it names an endpoint that the server would call",
    "selection": "it is made by `moot arena --pool`",
    "file": "it names a file of the server",
    "protocol": "it is given by itself",
}


def requested(protocol: str, settings: Mapping[str, Any]) -> RunConfig:
    """The config of a debate with the settings that a guest asked for; ConfigError says which of them may not be."""
    known = {*Options.model_fields, *get_protocol(protocol).config.model_fields}
    for key in settings:
        if key in NOT_FOR_GUESTS:
            raise ConfigError(f"`{key}` cannot be set from here: {NOT_FOR_GUESTS[key]}")
        if not key.isidentifier():
            raise ConfigError(f"unknown key {key[:60]!r}; known here: {', '.join(sorted(known - set(NOT_FOR_GUESTS)))}")
    return configure(protocol, **settings)


def refused_model(name: str) -> str | None:
    """Why a model may not speak in a debate that a guest asked for, or None."""
    provider, _, rest = name.partition("/")
    if provider == "scripted" or (provider == "embedded" and rest not in ("", "smollm2")):
        return f"{name} is read from a file of the server, which cannot be asked for from here"
    return None
