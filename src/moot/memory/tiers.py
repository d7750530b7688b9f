"""Tiers: how much of an earlier outcome is shown. It starts in the fast tier and moves up one tier each time it is
used. A memory fades and is shown ever more briefly; it is never deleted."""

from dataclasses import dataclass
from datetime import datetime, timedelta

HALF_LIVES = {
    "fast": timedelta(hours=1),
    "medium": timedelta(hours=24),
    "slow": timedelta(days=7),
    "lasting": timedelta(days=30),
}
NAMES = tuple(HALF_LIVES)
VIVID = 0.5
FAINT = 0.05
"""Above `VIVID` a memory is shown in full, below `FAINT` only its decision."""


@dataclass(frozen=True, slots=True)
class Trace:
    """The state of a memory: its tier and when it was last used."""

    tier: str
    last_used: datetime

    def strength(self, now: datetime) -> float:
        """1 when it was just used, half of that after each half-life of its tier."""
        return float(0.5 ** (max(timedelta(), now - self.last_used) / HALF_LIVES[self.tier]))

    def used(self, now: datetime) -> "Trace":
        """The same memory after it proved useful again."""
        return Trace(NAMES[min(NAMES.index(self.tier) + 1, len(NAMES) - 1)], now)
