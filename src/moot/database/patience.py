"""How long to wait for a database that cannot be reached."""

import os
import random
import time
from dataclasses import dataclass, field
from threading import Event

from moot.errors import ConfigError, DatabaseAway

VARIABLE = "MOOT_RECONNECT"
USUAL_SECONDS = 30.0
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 1.0
"""Seconds between attempts: they grow, but stay short enough to return before others take over."""


def usual_seconds() -> float:
    """The value from the environment, or half a minute. ConfigError if it is not a number of seconds."""
    given = os.environ.get(VARIABLE, "").strip()
    try:
        seconds = float(given) if given else USUAL_SECONDS
    except ValueError:
        seconds = -1.0
    if not seconds >= 0:
        raise ConfigError(f"{VARIABLE} is to be a number of seconds, not {given!r}")
    return seconds


def away() -> tuple[type[Exception], ...]:
    """Errors that mean only that the database is not available now."""
    import psycopg

    # A former primary server accepts no writes.
    return psycopg.OperationalError, psycopg.InterfaceError, psycopg.errors.ReadOnlySqlTransaction, DatabaseAway


@dataclass(slots=True)
class Patience:
    """`seconds` to wait for the database each time; no waiting once it is `over`."""

    seconds: float = field(default_factory=usual_seconds)
    over: Event = field(default_factory=Event)

    def begin(self) -> "Wait":
        return Wait(self, time.monotonic() + self.seconds)


@dataclass(slots=True)
class Wait:
    """One period of waiting for the database, from its first failure."""

    patience: Patience
    until: float
    tries: int = 0

    def pause(self) -> bool:
        """Pause before the next attempt, longer each time; False when the time is up."""
        left = self.until - time.monotonic()
        if left <= 0 or self.patience.over.is_set():
            return False
        pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2**self.tries) * random.uniform(0.5, 1.0)  # noqa: S311
        self.tries = min(self.tries + 1, 10)
        return not self.patience.over.wait(min(pause, left))
