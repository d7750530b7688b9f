"""The protocols by name. Each is a script over a Room, a config, and a fold from its log to its result."""

import difflib
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from moot.entry import Entry
from moot.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Words:
    """The phases of a protocol, the entry types each role may use, and whose role is which."""

    phases: tuple[str, ...]
    types: Mapping[str, tuple[str, ...]]
    role_of: Callable[[Any, str], str]
    """For a config and a speaker: the role, or "" for somebody who is not of the cast."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """`complete` adds the shipped defaults to a config; `play` is the script; `outcome` what its log amounts to."""

    name: str
    config: type[BaseModel]
    complete: Callable[..., dict[str, Any]]
    play: Callable[[Any, Any], Coroutine[Any, Any, None]]
    outcome: Callable[[Sequence[Entry]], BaseModel]
    outcome_model: type[BaseModel]
    words: Words


PROTOCOLS = ("duel",)


def get_protocol(name: str) -> Protocol:
    if name == "duel":
        from moot.protocols import duel, duel_config, duel_result

        words = Words(duel_config.PHASES, duel_config.TYPES, duel_config.role_of)
        return Protocol(
            name=name,
            config=duel_config.DuelConfig,
            complete=duel_config.complete,
            play=duel.play,
            outcome=duel_result.outcome,
            outcome_model=duel_result.DuelOutcome,
            words=words,
        )
    close = difflib.get_close_matches(name, PROTOCOLS, 1)
    hint = f"did you mean {close[0]}?" if close else f"there is: {', '.join(PROTOCOLS)}"
    raise ConfigError(f"no protocol is called {name!r}; {hint}")
