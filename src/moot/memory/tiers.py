"""Tiers: how long an outcome is remembered. It enters the fast tier; each time it proves useful it moves up one."""

from dataclasses import dataclass
from datetime import datetime, timedelta

HALF_LIVES = {
    "fast": timedelta(hours=1),
    "medium": timedelta(hours=24),
    "slow": timedelta(days=7),
    "lasting": timedelta(days=30),
}
NAMES = tuple(HALF_LIVES)
FORGOTTEN_BELOW = 0.05
"""A memory that is weaker than this is not brought up by itself; asked for, it is still there."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Where a memory stands: its tier, and when it was last of use."""

    tier: str
    last_used: datetime

    def strength(self, now: datetime) -> float:
        """1 when it was just used, half of that after each half-life of its tier."""
        return float(0.5 ** (max(timedelta(), now - self.last_used) / HALF_LIVES[self.tier]))

    def used(self, now: datetime) -> "Trace":
        """The same memory after it proved useful again."""
        return Trace(NAMES[min(NAMES.index(self.tier) + 1, len(NAMES) - 1)], now)
