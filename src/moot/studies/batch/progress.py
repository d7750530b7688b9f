"""The events of a batch, and its progress with an estimate of the time left."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import fmean

from moot.engine.limits import Spending
from moot.models.base import Usage
from moot.studies.batch.items import Item
from moot.studies.batch.rows import Row

LEAST_LEFT = 1.0
"""Seconds: the least that is said to be left."""
OVERDUE = 0.25
"""The part of its time that a debate is said to need yet which has taken longer than all others."""


@dataclass(frozen=True, slots=True)
class Began:
    """A debate begins or is resumed."""

    item: Item


@dataclass(frozen=True, slots=True)
class Called:
    """Replies that were paid for, and their total usage."""

    item: Item
    usage: Usage
    replies: int = 1


@dataclass(frozen=True, slots=True)
class Finished:
    """A debate has ended or stopped. `charged` is what it has cost the budget in total; unless `settled`, it is resumed
    with the batch."""

    item: Item
    row: Row
    charged: Spending
    settled: bool = True


Told = Began | Called | Finished
Listener = Callable[[Told], None]


@dataclass(slots=True)
class Progress:
    """The progress of a batch. `calls` and `cost` are those of this session; `cost` is None once a model reported no
    cost. `under_way` has when each running debate began, `took` how long those took that were done in this session."""

    total: int
    done: int = 0
    failed: int = 0
    stopped: int = 0
    before: int = 0
    under_way: dict[str, float] = field(default_factory=dict)
    took: list[float] = field(default_factory=list)
    calls: int = 0
    tokens: int = 0
    cost: float | None = 0.0
    reached: str | None = None
    started: float = field(default_factory=time.monotonic)

    @property
    def running(self) -> int:
        return len(self.under_way)

    @property
    def waiting(self) -> int:
        return self.total - self.done - self.failed - self.stopped - self.running

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    @property
    def calls_per_second(self) -> float:
        return self.calls / max(self.seconds, 0.001)

    @property
    def seconds_left(self) -> float | None:
        """An estimate from how long debates took and how many run at a time; None if none was done to go by. It is not
        0 while there is work left."""
        if self.waiting + self.running == 0:
            return 0.0
        if not self.took:
            return None
        running = [self._rest(time.monotonic() - began) for began in self.under_way.values()]
        work = self.waiting * fmean(self.took) + sum(running)
        # Those that run are not over before the longest of them is.
        return max(work / max(self.running, 1), *running, LEAST_LEFT)

    def _rest(self, passed: float) -> float:
        """What is left of a debate that has run so long: as much as of those that took longer, else a part of it."""
        longer = [took - passed for took in self.took if took > passed]
        return fmean(longer) if longer else passed * OVERDUE

    def take(self, told: Told) -> None:
        match told:
            case Began(item=item):
                self.under_way.setdefault(item.id, time.monotonic())
            case Called(usage=usage, replies=replies):
                self.calls += replies
                self.tokens += (usage.input or 0) + (usage.output or 0)
                self.cost = None if self.cost is None or usage.cost is None else self.cost + usage.cost
            case Finished(item=item, row=row):
                began = self.under_way.pop(item.id, None)
                if began is not None and row.status == "done":
                    self.took.append(time.monotonic() - began)
                self.count(row.status)

    def count(self, status: str) -> None:
        self.done += status == "done"
        self.failed += status == "failed"
        self.stopped += status not in ("done", "failed")
