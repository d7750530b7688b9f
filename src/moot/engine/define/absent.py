"""A placeholder for a protocol that is not installed: its runs can be listed, shown, verified and reported."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from moot.engine.define.capabilities import NotInstalled
from moot.engine.define.protocol import Protocol
from moot.errors import ConfigError
from moot.present.data import Model
from moot.record.entry import Entry


class Anything(Model):
    """Accepts any keys and values."""

    model_config = ConfigDict(frozen=True, extra="allow")


def absent(name: str, plugin: Mapping[str, Any], fault: str | None = None) -> Protocol:
    """A protocol with this name that can be read but not played. `plugin` is its origin from the run's config,
    `fault` is the error if it could not be loaded."""
    why = fault or not_installed(name, plugin)

    async def play(room: Any, config: Any) -> None:  # noqa: ARG001 (a script's signature)
        raise ConfigError(why, key="protocol")

    def outcome(entries: Sequence[Entry]) -> BaseModel:  # noqa: ARG001
        raise ConfigError(why, key="protocol")

    return Protocol(
        name=name,
        about="A protocol that is not installed here.",
        config=Anything,
        play=play,
        outcome=outcome,
        outcome_model=Anything,
        capabilities=(NotInstalled(why),),
    )


def not_installed(name: str, plugin: Mapping[str, Any]) -> str:
    source = plugin.get("source")
    if not isinstance(source, str):
        return f"the protocol {name!r} is not installed here"
    version = f" {plugin['version']}" if isinstance(plugin.get("version"), str) else ""
    if source.endswith(".py"):
        how = "name that file with --plugin, or under `plugins:` in moot.yaml"
    else:
        how = "install that package"
    return f"the protocol {name!r} is not installed here; it is from {source}{version}: {how}"
