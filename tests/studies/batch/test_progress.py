"""The estimate of the time that a batch takes yet."""

import time
from types import SimpleNamespace
from typing import Any

import pytest

from moot.cli.batch_display import _cells
from moot.engine.limits import Spending
from moot.studies.batch.progress import Began, Finished, Progress


class Clock:
    """The time that a batch reads; the test lets it pass."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr(time, "monotonic", lambda: self.now)


def left_of(progress: Progress) -> float | None:
    return progress.seconds_left


def begin(progress: Progress, *names: str) -> None:
    for name in names:
        item: Any = SimpleNamespace(id=name)
        progress.take(Began(item))


def end(progress: Progress, *names: str, status: str = "done") -> None:
    for name in names:
        item: Any = SimpleNamespace(id=name)
        row: Any = SimpleNamespace(status=status)
        progress.take(Finished(item, row, Spending()))


def test_ten_at_a_time_take_a_tenth_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    progress = Progress(100)
    begin(progress, *map(str, range(10)))
    clock.now += 30
    assert left_of(progress) is None, "nothing was done yet to go by"
    assert dict(_cells(progress))["left"] == "not known yet"
    clock.now += 30
    end(progress, "0")
    begin(progress, "10")
    left = left_of(progress)
    assert left is not None
    assert 540 <= left <= 600, "90 more of a minute each, ten at a time, not 99 minutes"
    assert dict(_cells(progress))["left"] in ("about 9 min", "about 10 min")


def test_it_is_not_zero_while_work_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    progress = Progress(2)
    begin(progress, "a", "b")
    clock.now += 0.1
    end(progress, "a")
    for passed in (0.0, 0.1, 5.0, 500.0):
        clock.now += passed
        left = left_of(progress)
        assert left is not None and left >= 1.0
        assert dict(_cells(progress))["left"] != "about 0 s"
    assert left_of(progress) == pytest.approx(505.2 * 0.25, rel=0.01), "one that takes longer than all others"
    end(progress, "b")
    assert left_of(progress) == 0.0


def test_a_failure_is_no_base(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    progress = Progress(10, done=4, before=4)
    begin(progress, "a", "b")
    clock.now += 0.01
    end(progress, "a", status="failed")
    assert left_of(progress) is None, "what fails at once says nothing of the others, nor do those done before"


def test_the_last_ones_take_as_long_as_the_slowest(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    progress = Progress(4)
    begin(progress, "a", "b", "c", "d")
    clock.now += 60
    end(progress, "a")
    clock.now += 60
    end(progress, "b")
    assert left_of(progress) == pytest.approx(30.0), "two are overdue, side by side"
