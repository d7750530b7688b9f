"""The events of a batch, and its progress with an estimate of the time left."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from moot.engine.play.limits import Spending
from moot.models.base import Usage
from moot.studies.batch.items import Item
from moot.studies.batch.rows import Row

LEAST_LEFT = 1.0
"""Seconds: the least that is said to be left."""
SLACK = 1.0
"""Seconds. If a debate took longer than this session has known it, by more than this, it had begun before."""


@dataclass(frozen=True, slots=True)
class Began:
    """A debate begins or is resumed; in a queue, it may wait for a worker yet."""

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


BatchEvent = Began | Called | Finished
Listener = Callable[[BatchEvent], None]


@dataclass(slots=True)
class Progress:
    """The progress of a batch. `calls` and `cost` are those of this session; `cost` is None once a model reported no
    cost. `under_way` has when each running debate began. `whole` are debates that were begun and done in this session,
    `first` is when the first of them began. `raised` is the option that lets a
    batch go on whose budget is `reached`."""

    total: int
    done: int = 0
    failed: int = 0
    stopped: int = 0
    under_way: dict[str, float] = field(default_factory=dict)
    whole: int = 0
    first: float = 0.0
    calls: int = 0
    cost: float | None = 0.0
    reached: str | None = None
    raised: str = ""
    started: float = field(default_factory=time.monotonic)

    @property
    def running(self) -> int:
        return len(self.under_way)

    @property
    def waiting(self) -> int:
        return self.total - self.done - self.failed - self.stopped - self.running

    @property
    def calls_per_second(self) -> float:
        return self.calls / max(time.monotonic() - self.started, 0.001)

    @property
    def seconds_left(self) -> float | None:
        """An estimate by how many debates were done in what time; None until one is. It is not 0 while there is work
        left."""
        if self.waiting + self.running == 0:
            return 0.0
        if not self.whole:
            return None
        # On average, those that run are halfway.
        left = (self.waiting + self.running / 2) * (time.monotonic() - self.first) / self.whole
        return max(left, LEAST_LEFT)

    def take(self, event: BatchEvent) -> None:
        match event:
            case Began(item=item):
                self.under_way.setdefault(item.id, time.monotonic())
            case Called(usage=usage, replies=replies):
                self.calls += replies
                self.cost = None if self.cost is None or usage.cost is None else self.cost + usage.cost
            case Finished(item=item, row=row):
                began = self.under_way.pop(item.id, None)
                if (
                    began is not None
                    and row.status == "done"
                    and (row.seconds or 0.0) <= time.monotonic() - began + SLACK
                ):
                    self.first = self.first if self.whole else began
                    self.whole += 1
                self.count(row.status)

    def count(self, status: str) -> None:
        self.done += status == "done"
        self.failed += status == "failed"
        self.stopped += status not in ("done", "failed")
