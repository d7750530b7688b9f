"""From a client's request to the config of a debate. `moot.service.guests` checks what guests may set."""

from typing import Any

import moot
from moot.engine.define.registry import find_offered
from moot.engine.define.shipped import DEFAULT
from moot.service.guests import requested
from moot.web.shapes import DebateRequest
from moot.web.start_form import examples

OPTIONS = ("model", "seed", "max_calls", "max_tokens", "max_cost", "max_minutes")


def config_of(asked: DebateRequest) -> moot.RunConfig:
    """The requested config; ConfigError says what is wrong."""
    protocol, settings = _base(asked)
    settings |= asked.settings
    if asked.topic is not None:
        settings[find_offered(protocol).protocol.subject.key] = asked.topic
    settings |= {key: value for key in OPTIONS if (value := getattr(asked, key)) is not None}
    if asked.documents:
        settings["documents"] = [one.model_dump() for one in asked.documents]
    if asked.roles:
        settings["roles"] = asked.roles
    return requested(protocol, settings)


def _base(asked: DebateRequest) -> tuple[str, dict[str, Any]]:
    if asked.example is None:
        return asked.protocol or DEFAULT, {}
    found = next((one for one in examples() if one.name == asked.example), None)
    if found is None:
        raise moot.ConfigError(f"there is no example {asked.example!r}; GET /api/examples has them")
    if asked.protocol not in (None, found.protocol):
        raise moot.ConfigError(f"the example {found.name} is a {found.protocol}, not a {asked.protocol}")
    return found.protocol, dict(found.settings)
