"""The events of a batch, and its progress with an estimate of the time left."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import fmean

from moot.engine.play.limits import Spending
from moot.models.base import Usage
from moot.studies.batch.items import Item
from moot.studies.batch.rows import Row

LEAST_LEFT = 1.0
"""Seconds: the least that is said to be left."""
FETCHED = 1.0
"""Seconds. If a queued debate took longer than this session has known it, by more than this, it had begun before."""


@dataclass(frozen=True, slots=True)
class Began:
    """A debate begins or is resumed. One that is `queued` may wait for a worker yet."""

    item: Item
    queued: bool = False


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
    cost. `under_way` has when each running debate began, `took` how long those took that were done in this session,
    with what they had taken before it. Where workers hold them (`queued`), how many run at a time is not known, and
    those count that were begun in this session: `first` is when the first of them began."""

    total: int
    done: int = 0
    failed: int = 0
    stopped: int = 0
    before: int = 0
    under_way: dict[str, float] = field(default_factory=dict)
    took: list[float] = field(default_factory=list)
    queued: bool = False
    first: float = 0.0
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
        """An estimate; None until a debate is done. It is not 0 while there is work left. How many debates run at a
        time is not known of workers, so theirs is by how many were done in what time."""
        if self.waiting + self.running == 0:
            return 0.0
        if not self.took:
            return None
        if self.queued:
            left = (self.waiting + self.running) * (time.monotonic() - self.first) / len(self.took)
        else:
            # On average, those that run are halfway.
            left = (self.waiting + self.running / 2) * fmean(self.took) / max(self.running, 1)
        return max(left, LEAST_LEFT)

    def take(self, told: Told) -> None:
        match told:
            case Began(item=item, queued=queued):
                self.queued |= queued
                self.under_way.setdefault(item.id, time.monotonic())
            case Called(usage=usage, replies=replies):
                self.calls += replies
                self.tokens += (usage.input or 0) + (usage.output or 0)
                self.cost = None if self.cost is None or usage.cost is None else self.cost + usage.cost
            case Finished(item=item, row=row):
                began = self.under_way.pop(item.id, None)
                if began is not None and row.status == "done":
                    self._note(began, row.seconds or 0.0)
                self.count(row.status)

    def _note(self, began: float, own: float) -> None:
        """Note how long a debate took that is done; `own` are the seconds of the debate itself, in all sessions."""
        now = time.monotonic()
        passed = now - began
        if not self.queued:
            self.took.append(max(passed, own))
        elif own <= passed + FETCHED:
            self.first = self.first if self.took else now - min(own, passed)
            self.took.append(own)

    def count(self, status: str) -> None:
        self.done += status == "done"
        self.failed += status == "failed"
        self.stopped += status not in ("done", "failed")
