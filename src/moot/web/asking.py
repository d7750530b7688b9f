"""From what a client asks for to the config of a debate. What guests may set at all is checked in `moot.requesting`."""

from typing import Any

import moot
from moot.requesting import requested
from moot.web.shapes import DebateRequest, ProtocolName
from moot.web.starting import examples, way_of

OPTIONS = ("model", "seed", "max_calls", "max_tokens", "max_cost", "max_minutes")


def config_of(asked: DebateRequest) -> moot.RunConfig:
    """The config that is asked for; ConfigError says what will not do."""
    protocol, settings = _base(asked)
    settings |= asked.settings
    if asked.topic is not None:
        settings[topic_key(protocol)] = asked.topic
    settings |= {key: value for key in OPTIONS if (value := getattr(asked, key)) is not None}
    if asked.roles:
        settings["roles"] = asked.roles
    return requested(protocol, settings)


def topic_key(protocol: ProtocolName) -> str:
    """Under which key a debate file has what is debated."""
    way = way_of(protocol)
    return way.topic_key if way else "topic"


def _base(asked: DebateRequest) -> tuple[ProtocolName, dict[str, Any]]:
    if asked.example is None:
        return asked.protocol or "duel", {}
    found = next((one for one in examples() if one.name == asked.example), None)
    if found is None:
        raise moot.ConfigError(f"there is no example {asked.example!r}; GET /api/examples has them")
    if asked.protocol not in (None, found.protocol):
        raise moot.ConfigError(f"the example {found.name} is a {found.protocol}, not a {asked.protocol}")
    protocol: Any = found.protocol
    return protocol, dict(found.settings)
