"""Models for the casts of all protocols, and the bundled defaults."""

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from moot.api import Agent, ConfigError, KeyFault
from moot.text.names import look_of
from moot.text.yaml import shipped_yaml

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60, pattern=r"^[^\n\r\t]+$")]
Models = str | Annotated[list[str], Field(min_length=1)]


class CastMember(BaseModel):
    """A member of the cast."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name
    model: Models | None = None
    colour: str | None = Field(None, pattern=r"^[a-z_0-9#]{1,30}$")


class Persona(CastMember):
    """`type: human` is short for `model: human/NAME`."""

    personality: Text
    type: Literal["model", "human"] = "model"

    @property
    def speaks_through(self) -> Models | None:
        return f"human/{self.name}" if self.type == "human" and self.model is None else self.model


def check_size(cast: Iterable[Agent], debate: str) -> None:
    """ConfigError if a member has a very small model: `debate` is what such a model cannot do."""
    if small := ", ".join(dict.fromkeys(agent.model.name for agent in cast if agent.model.small)):
        raise ConfigError(f"{small}: too small for {debate}. Choose a larger model with -m, or hold a duel", "model")


def check_names(cast: Iterable[tuple[str, CastMember]], parts: Collection[str] = (), among: str = "the cast") -> None:
    """Raise KeyFault if the names of two members look the same, or one is the name of a part in the script: agents are
    found by either. `cast` is everybody, with the config key that names them."""
    seen: dict[str, str] = {}
    for key, role in cast:
        name = look_of(role.name)
        if name in parts or name == "moot":
            raise KeyFault(key, f"nobody can be called {role.name!r}: that is a part in the script")
        if name in seen:
            judging = " (a judge is one of them)" if key.startswith("judge") else ""
            raise KeyFault(key, f"two of {among} are called {seen[name]!r}{judging}; names must be unique")
        seen[name] = role.name


def defaults_of(protocol: str) -> Mapping[str, Any]:
    """The bundled defaults of a built-in protocol."""
    return shipped_yaml(f"moot.protocols.{protocol}", "defaults.yaml")
