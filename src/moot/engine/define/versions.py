"""The version of moot that wrote a stored config, and whether this one can read it."""

import re
from functools import cache
from importlib.metadata import version
from typing import Any

from moot.errors import ConfigError
from moot.record.entry import SCHEMA_VERSION
from moot.text.yaml import parse_yaml


@cache
def own_version() -> str:
    return version("moot")


def unreadable(config: bytes, where: str) -> str | None:
    """Why this version cannot read a run whose stored config starts like this, or None. Lists call this for every
    run, so it parses only the first key."""
    head = _HEAD.match(config)
    try:
        about = parse_yaml(head[0], where)["moot"] if head else {}
    except ConfigError:
        return None  # its fault is reported when it is read
    return other_schema(about, where) if isinstance(about, dict) else None


def written_by(config: bytes) -> str | None:
    """The version of moot that wrote a run with this frozen config; None if it is the current one."""
    head = _HEAD.match(config)
    about = parse_yaml(head[0], "config.yaml").get("moot") if head else None
    writer = str(about.get("version")) if isinstance(about, dict) else "of an unknown version"
    return None if writer == own_version() else writer


_HEAD = re.compile(rb"moot:\n(?: .*\n)*")


def other_schema(about: dict[str, Any], where: str) -> str | None:
    """Why this version cannot read a config of that schema, or None."""
    schema = about.get("schema", SCHEMA_VERSION)
    if schema == SCHEMA_VERSION:
        return None
    return f"{where} was written by moot {about.get('version')} (schema {schema}), which this version does not read"
