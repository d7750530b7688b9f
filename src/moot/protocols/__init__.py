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
    refused: Callable[..., str | None] | None = None
    """For the log's entries and the fields of a new one: what else speaks against appending it, or None."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """`complete` adds the shipped defaults to a config; `play` is the script; `outcome` what its log amounts to;
    `readable` are a log's entries as readers get them, where something may have been struck."""

    name: str
    config: type[BaseModel]
    complete: Callable[..., dict[str, Any]]
    play: Callable[[Any, Any], Coroutine[Any, Any, None]]
    outcome: Callable[[Sequence[Entry]], BaseModel]
    outcome_model: type[BaseModel]
    words: Words
    with_tokens: Callable[[Any, Mapping[str, int | None], int], BaseModel] | None = None
    """Adds to an outcome what the log does not tell: what each call took, by its key; None where nobody said."""
    readable: Callable[[Sequence[Entry]], list[Entry]] = list
    shown: Callable[[Sequence[Entry]], Callable[[str, str], str]] = lambda _entries: lambda _key, text: text
    """What readers see of a message in the call of that key, or in none; for the log it belongs to."""


PROTOCOLS = ("duel", "chaired", "panel", "persuasion", "arena")


def get_protocol(name: str) -> Protocol:
    """The protocol of that name; each is loaded only when it is asked for."""
    match name:
        case "duel":
            from moot.protocols.duel.protocol import PROTOCOL
        case "chaired":
            from moot.protocols.chaired.protocol import PROTOCOL
        case "panel":
            from moot.protocols.panel.protocol import PROTOCOL
        case "persuasion":
            from moot.protocols.persuasion.protocol import PROTOCOL
        case "arena":
            from moot.protocols.arena.protocol import PROTOCOL
        case "rejudging":  # made by `moot rejudge`, and nothing that one chooses
            from moot.protocols.rejudging.protocol import PROTOCOL
        case "answers":  # the baselines of `moot eval`
            from moot.evaluation.answers import PROTOCOL
        case _:
            close = difflib.get_close_matches(name, PROTOCOLS, 1)
            hint = f"did you mean {close[0]}?" if close else f"there is: {', '.join(PROTOCOLS)}"
            raise ConfigError(f"no protocol is called {name!r}; {hint}")
    return PROTOCOL
