"""The estimate of the time that a batch takes yet."""

import time
from types import SimpleNamespace
from typing import Any

import pytest

from moot.engine.play.limits import Spending
from moot.studies.batch.display import _cells
from moot.studies.batch.progress import Began, Finished, Progress


class Clock:
    """The time that a batch reads; the test lets it pass."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr(time, "monotonic", lambda: self.now)


def begin(progress: Progress, *names: str) -> None:
    for name in names:
        item: Any = SimpleNamespace(id=name)
        progress.take(Began(item))


def end(progress: Progress, *names: str, status: str = "done", seconds: float | None = None) -> None:
    for name in names:
        item: Any = SimpleNamespace(id=name)
        row: Any = SimpleNamespace(status=status, seconds=seconds)
        progress.take(Finished(item, row, Spending()))


def test_ten_at_a_time_take_a_tenth_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    progress = Progress(100, done=4)
    begin(progress, *map(str, range(10)))
    clock.now += 30
    end(progress, "0", status="failed")
    assert progress.seconds_left is None, "what fails says nothing of the others, nor do those done before"
    assert dict(_cells(progress))["left"] == "not known yet"
    clock.now += 30
    end(progress, *map(str, range(1, 10)))
    begin(progress, *map(str, range(10, 20)))
    assert progress.seconds_left == pytest.approx(81 * 6, rel=0.12), "81 more of a minute each, ten at a time"
    assert dict(_cells(progress))["left"] == "about 9 min"


def test_workers_do_not_hold_all_that_they_were_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """All debates are handed over at once. Two workers need fifty times as long as one debate takes."""
    clock = Clock(monkeypatch)
    progress = Progress(100)
    begin(progress, *map(str, range(100)))
    clock.now += 0.5
    end(progress, *map(str, range(50, 60)), seconds=60)
    assert progress.seconds_left is None, "ten in half a second had ended meanwhile"
    for number in range(0, 20, 2):
        clock.now += 60
        end(progress, str(number), str(number + 1), seconds=58)
    assert 15 * 60 <= (progress.seconds_left or 0) <= 35 * 60, "not the quarter of a minute"
