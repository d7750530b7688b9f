"""Events for followers of a running debate: written entries, and calls.

Followers only watch. A follower that raises stops the debate, which can then be resumed.
"""

from collections.abc import Callable
from dataclasses import dataclass

from moot.models.base import Usage
from moot.record.entry import Entry


@dataclass(frozen=True, slots=True)
class Started:
    """The first event: the debate runs in this folder."""

    run: str


@dataclass(frozen=True, slots=True)
class Wrote:
    """An entry is in the log; `again` if a resumed run found it there."""

    entry: Entry
    again: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    key: str
    agent: str
    model: str


@dataclass(frozen=True, slots=True)
class Streamed:
    """A piece of a reply that is being generated."""

    key: str
    agent: str
    text: str


@dataclass(frozen=True, slots=True)
class Retried:
    """A call failed and is retried, after `wait` seconds or with the next model; its streamed text is void. `error` is
    the name of the error's class, `message` its message."""

    key: str
    agent: str
    model: str
    error: str
    message: str
    wait: float

    @property
    def reason(self) -> str:
        return f"{self.error}: {self.message}"


@dataclass(frozen=True, slots=True)
class Answered:
    key: str
    agent: str
    model: str
    usage: Usage


Event = Started | Wrote | Asked | Streamed | Retried | Answered
Follower = Callable[[Event], None]
