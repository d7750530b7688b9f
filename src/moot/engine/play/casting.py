"""Casting: choosing the models of an agent."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from moot.engine.play.agent import part_of
from moot.errors import ConfigError, ModelError
from moot.models.base import Model
from moot.models.catalogue import SHIPPED_MODEL

Models = str | list[str]


@dataclass(slots=True)
class Casting:
    """`roles`, by an agent's name or role in the script, override its persona's model, which overrides `model`.

    `instead` overrides all of these when a run is resumed with other models: agents are still cast as in the original
    setup, but use these.
    """

    open: Callable[[str], Model]
    model: Models | None = None
    roles: Mapping[str, Models] = field(default_factory=dict)
    instead: "Casting | None" = None
    _met: dict[str, str] = field(default_factory=dict)

    def cast(
        self, agent_id: str, name: str, persona: Models | None, otherwise: Models | None = None
    ) -> tuple[tuple[Model, ...], list[str], str | None]:
        """The agent's models, the names in the setup, and the config key that chose them, if it is an option.
        `otherwise` is the default for an agent without a setting."""
        part = part_of(agent_id)
        self._met |= {part.casefold(): f"{part} ({name})", name.casefold(): f"{part} ({name})"}
        names = self._names(agent_id, name) or _listed(persona or self.model or otherwise or SHIPPED_MODEL)
        spoken = self._override(agent_id, name) or names
        key = self._key(agent_id, name, persona)
        try:
            return tuple(self.open(one) for one in spoken), names, key
        except (ConfigError, ModelError) as error:
            error.key = key
            raise

    def check(self, with_tools: Sequence[str] = ()) -> None:
        """ConfigError if a role does not belong to any agent. Some may have tools."""
        given = {role: f"roles.{role}" for role in (*self.roles, *(self.instead.roles if self.instead else ()))}
        for role, key in {**given, **dict.fromkeys(with_tools, "tools")}.items():
            if role.casefold() not in self._met:
                cast = ", ".join(sorted(set(self._met.values())))
                raise ConfigError(f"unknown role {role!r}; the roles are {cast}", key)

    def _names(self, agent_id: str, name: str) -> list[str]:
        role = self._role(agent_id, name)
        return [] if role is None else _listed(self.roles[role])

    def _role(self, agent_id: str, name: str) -> str | None:
        """The role of this agent in the spelling of the config."""
        roles = {role.casefold(): role for role in self.roles}
        return roles.get(part_of(agent_id).casefold()) or roles.get(name.casefold())

    def _key(self, agent_id: str, name: str, persona: Models | None) -> str | None:
        if self.instead is not None and self._override(agent_id, name):
            return self.instead._key(agent_id, name, None)  # noqa: SLF001
        role = self._role(agent_id, name)
        return f"roles.{role}" if role is not None else None if persona else "model"

    def _override(self, agent_id: str, name: str) -> list[str]:
        if self.instead is None:
            return []
        return self.instead._names(agent_id, name) or _listed(self.instead.model or [])  # noqa: SLF001


def _listed(models: Models | Sequence[str]) -> list[str]:
    return [models] if isinstance(models, str) else list(models)
