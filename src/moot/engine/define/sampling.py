"""Sampling settings: how models draw their replies, for everybody and by role."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from moot.engine.play.agent import Agent, part_of
from moot.errors import ConfigError
from moot.models.base import Model, Sampling
from moot.present.data import Data

EVERYBODY = "all"
Seed = Annotated[int, Field(ge=0, lt=2**63)]


class SamplingOptions(Data):
    """Settings that are sent to the provider; what is not set is up to it. `seed` is sent as it is with every call;
    `each` sends another one for each place in the script, drawn from the seed of the debate. `effort` is how much a
    model thinks before it answers."""

    temperature: float | None = Field(None, ge=0, le=2, allow_inf_nan=False)
    top_p: float | None = Field(None, gt=0, le=1, allow_inf_nan=False)
    seed: Seed | Literal["each"] | None = None
    effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None = None


def _by_role(given: Any) -> Any:
    """Settings without a role apply to everybody: `{temperature: 1, judge: {temperature: 0}}`."""
    if not isinstance(given, Mapping):
        return given
    plain = {key: value for key, value in given.items() if key in SamplingOptions.model_fields}
    roles = {key: value for key, value in given.items() if key not in plain}
    return {**roles, EVERYBODY: {**plain, **roles.get(EVERYBODY, {})}} if plain else roles


SamplingByRole = Annotated[dict[str, SamplingOptions], BeforeValidator(_by_role)]


def parse_sampling(settings: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Sampling settings by role, from KEY=VALUE and ROLE.KEY=VALUE."""
    found: dict[str, dict[str, Any]] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        role, _, key = name.strip().rpartition(".")
        if not equals or key not in SamplingOptions.model_fields or not value.strip():
            known = ", ".join(SamplingOptions.model_fields)
            raise ConfigError(f"--sampling needs KEY=VALUE or ROLE.KEY=VALUE ({known}), not {setting!r}", "sampling")
        found.setdefault(role or EVERYBODY, {})[key] = value.strip()
    return found


def merge_sampling(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of two sources, by role and key; those above override those below."""
    lower, upper = _by_role(below), _by_role(above)
    return {role: {**lower.get(role, {}), **upper.get(role, {})} for role in {**lower, **upper}}


def for_everybody(by_role: Mapping[str, SamplingOptions], *roles: str) -> dict[str, SamplingOptions]:
    """The settings for everybody, overridden by those of these roles."""
    merged = _merged(by_role, (EVERYBODY, *roles))
    return {EVERYBODY: merged} if merged.model_fields_set else {}


def sampling_of(agent: Agent, by_role: Mapping[str, SamplingOptions]) -> SamplingOptions:
    """The settings of an agent: those of its role or name override those for everybody."""
    return _merged(by_role, (EVERYBODY, part_of(agent.id), agent.name))


def sent(settings: SamplingOptions, drawn: int) -> Sampling:
    """The settings sent with one call; `drawn` is the seed for its place in the script."""
    seed = drawn if settings.seed == "each" else settings.seed
    return Sampling(settings.temperature, settings.top_p, seed, settings.effort)


def check_sampling(agents: Sequence[Agent], by_role: Mapping[str, SamplingOptions]) -> None:
    """ConfigError if a role does not belong to any agent, or a model does not support a setting that would be sent to
    it."""
    if not by_role:
        return
    names = {name.casefold() for agent in agents for name in (part_of(agent.id), agent.name)}
    for role in by_role:
        if role != EVERYBODY and role.casefold() not in names:
            raise ConfigError(f"unknown role {role!r} in the sampling settings", f"sampling.{role}")
    for agent in agents:
        wanted = sampling_of(agent, by_role)
        for model in agent.models:
            _check_model(model, wanted)


def _check_model(model: Model, wanted: SamplingOptions) -> None:
    for name in getattr(model, "takes_no", ()):
        if getattr(wanted, name) is not None:
            raise ConfigError(f"{model.name} takes no {name}; leave it out of `sampling` there", f"sampling.{name}")


def _merged(by_role: Mapping[str, SamplingOptions], roles: Sequence[str]) -> SamplingOptions:
    spelt = {role.casefold(): one for role, one in by_role.items()}
    merged: dict[str, Any] = {}
    for role in roles:
        if (one := spelt.get(role.casefold())) is not None:
            merged |= one.model_dump(exclude_none=True)
    return SamplingOptions.model_validate(merged)
