"""Casting: which models an agent speaks through."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from moot.errors import ConfigError, ModelError
from moot.models.base import Model
from moot.models.weights import SHIPPED_MODEL

Models = str | list[str]


@dataclass(slots=True)
class Casting:
    """`roles`, by an agent's name or part in the script, beat what its persona says, and that beats `model`.

    `instead` takes the place of all that when a run is taken up again with other models: then agents are
    cast as the run was set up, but speak through these.
    """

    open: Callable[[str], Model]
    model: Models | None = None
    roles: Mapping[str, Models] = field(default_factory=dict)
    instead: "Casting | None" = None
    _met: dict[str, str] = field(default_factory=dict)

    def cast(
        self, agent_id: str, name: str, persona: Models | None, otherwise: Models | None = None
    ) -> tuple[tuple[Model, ...], list[str], str | None]:
        """The models of an agent, the names it was cast by, and the key of the config that chose the models, where that
        is an option; `otherwise` is for one of whom nothing is said."""
        part = _part(agent_id)
        self._met |= {part.casefold(): f"{part} ({name})", name.casefold(): f"{part} ({name})"}
        names = self._names(agent_id, name) or _listed(persona or self.model or otherwise or SHIPPED_MODEL)
        spoken = self._override(agent_id, name) or names
        key = self._key(agent_id, name, persona)
        try:
            return tuple(self.open(one) for one in spoken), names, key
        except (ConfigError, ModelError) as error:
            error.key = key
            raise

    def check(self) -> None:
        """ConfigError when a role was given to nobody."""
        for role in (*self.roles, *(self.instead.roles if self.instead else ())):
            if role.casefold() not in self._met:
                cast = ", ".join(sorted(set(self._met.values())))
                raise ConfigError(f"no agent is called {role!r}; the cast is {cast}", f"roles.{role}")

    def _names(self, agent_id: str, name: str) -> list[str]:
        role = self._role(agent_id, name)
        return [] if role is None else _listed(self.roles[role])

    def _role(self, agent_id: str, name: str) -> str | None:
        """The role that this agent was given, as the config has it."""
        roles = {role.casefold(): role for role in self.roles}
        return roles.get(_part(agent_id).casefold()) or roles.get(name.casefold())

    def _key(self, agent_id: str, name: str, persona: Models | None) -> str | None:
        if self.instead is not None and self._override(agent_id, name):
            return self.instead._key(agent_id, name, None)  # noqa: SLF001
        role = self._role(agent_id, name)
        return f"roles.{role}" if role is not None else None if persona else "model"

    def _override(self, agent_id: str, name: str) -> list[str]:
        if self.instead is None:
            return []
        return self.instead._names(agent_id, name) or _listed(self.instead.model or [])  # noqa: SLF001


def _part(agent_id: str) -> str:
    """The part in the script. Where it is played more than once, each time has its number after an @."""
    return agent_id.partition("@")[0]


def _listed(models: Models | Sequence[str]) -> list[str]:
    return [models] if isinstance(models, str) else list(models)
