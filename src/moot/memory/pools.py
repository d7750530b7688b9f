"""Choosing an arena's team: a pool of agents from a file, and what the memory knows of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from moot.engine.define.config import checked
from moot.engine.play.casting import Models
from moot.errors import ConfigError
from moot.memory.database import no_store_at
from moot.memory.remember import rated_as
from moot.memory.store import Standing, open_store
from moot.memory.teams import MOST_OF_ONE_FAMILY, Candidate, Choice, select, vote_weights
from moot.models.catalogue import SHIPPED_MODEL
from moot.models.families import family
from moot.protocols.arena.config import Member
from moot.text.yaml import read_yaml


class Pool(BaseModel):
    """A pool file: agents as a debate file has them, without a weight, which comes from the memory."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    agents: Annotated[list[Member], Field(min_length=2, max_length=1000)]


@dataclass(frozen=True, slots=True)
class Team:
    """The agents for an arena's config, with `weight`, and the reasons for choosing them."""

    agents: list[dict[str, Any]]
    selection: list[str]


def choose_team(
    file: Path,
    size: int,
    memory: str | None = None,
    *,
    model: Models | None = None,
    roles: Mapping[str, Models] | None = None,
) -> Team:
    """Choose `size` agents from a pool file by their ratings in a memory; ties are broken alphabetically.

    `model` and `roles` come from the debate: the model for agents that name none, and models for single roles.
    """
    pool = _pool(file)
    standings, known = _standings(memory)
    candidates = [_candidate(one, _models(one, model, roles or {}), standings) for one in pool]
    choices = select(candidates, size)
    taken = [choice.candidate for choice in choices if choice.taken]
    if len(taken) < size:
        raise ConfigError(_too_few(file, len(pool), len(taken), size))
    weights = vote_weights(taken)
    members = {one.name: one for one in pool}
    agents = [
        {
            **members[one.name].model_dump(mode="json", exclude_unset=True),
            "weight": str(weights[one.name]),
        }
        for one in taken
    ]
    return Team(agents, [f"{size} of {len(pool)} agents of {file.name}; {known}", *map(_line, choices)])


def _pool(file: Path) -> list[Member]:
    pool = checked(Pool, read_yaml(file), str(file)).agents
    names = [one.name.casefold() for one in pool]
    twice = next((one.name for one in pool if names.count(one.name.casefold()) > 1), None)
    if twice is not None:
        raise ConfigError(f"{file}: two agents are called {twice!r}; names must be unique")
    return pool


def _standings(memory: str | None) -> tuple[Mapping[str, Standing], str]:
    """All known standings, and a sentence about where they come from."""
    if memory is None:
        return {}, "without a memory everybody starts at 1500"
    if no_store_at(memory):
        return {}, "the memory is new, so everybody starts at 1500"
    with open_store(memory) as store:
        return {one.agent: one for one in store.leaderboard()}, "by the ratings in the memory"


def _candidate(member: Member, models: Models, standings: Mapping[str, Standing]) -> Candidate:
    """One agent of the pool with the standing of this persona and model."""
    model = models if isinstance(models, str) else models[0]
    one = standings.get(rated_as(member.name, {member.name: model}))
    if one is None:
        return Candidate(member.name, family(model))
    return Candidate(member.name, family(model), one.elo, one.games, one.brier, one.brier_error, one.fit)


def _models(member: Member, model: Models | None, roles: Mapping[str, Models]) -> Models:
    """The models an agent uses: those of its role, else its own, else the debate's."""
    own = next((models for role, models in roles.items() if role.casefold() == member.name.casefold()), None)
    return own or member.model or model or SHIPPED_MODEL


def _too_few(file: Path, there: int, fit: int, size: int) -> str:
    if there < size:
        return f"{file} has {there} agents, too few for a team of {size}: add some, or choose a smaller --team"
    return (
        f"{file} gives a team of {fit} at most, not of {size}: no more than {MOST_OF_ONE_FAMILY} may be of one model "
        "family. Give agents other models, or choose a smaller --team"
    )


def _line(choice: Choice) -> str:
    return f"{choice.candidate.name} is {'in' if choice.taken else 'not in'}: {choice.reason}"
