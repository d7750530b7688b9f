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


def left_of(progress: Progress) -> float | None:
    return progress.seconds_left


def begin(progress: Progress, *names: str, queued: bool = False) -> None:
    for name in names:
        item: Any = SimpleNamespace(id=name)
        progress.take(Began(item, queued))


def end(progress: Progress, *names: str, status: str = "done", seconds: float | None = None) -> None:
    for name in names:
        item: Any = SimpleNamespace(id=name)
        row: Any = SimpleNamespace(status=status, seconds=seconds)
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
    assert dict(_cells(progress))["left"] in ("at least 9 min", "at least 10 min"), "the first is the shortest of ten"
    end(progress, *map(str, range(1, 10)))
    begin(progress, *map(str, range(11, 20)))
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


def played(durations: list[float], at_a_time: int, clock: Clock, *, workers: bool = False) -> list[tuple[float, str]]:
    """A batch of debates that take so long: at the end of each the estimate, as a part of what was really left, and how
    it is told. What comes of the last tenth is not looked at."""
    progress, names, found = Progress(len(durations)), list(map(str, range(len(durations)))), []
    if workers:
        begin(progress, *names, queued=True)
    waiting, held = list(zip(names, durations, strict=True)), list[tuple[float, str, float]]()
    while waiting or held:
        while waiting and len(held) < at_a_time:
            name, seconds = waiting.pop(0)
            if not workers:
                begin(progress, name)
            held.append((clock.now + seconds, name, seconds))
        clock.now, name, seconds = min(held)
        held.remove((clock.now, name, seconds))
        end(progress, name, seconds=seconds)
        found.append((clock.now, left_of(progress), dict(_cells(progress))["left"]))
    rest = found[: -len(durations) // 10]
    return [(left / (clock.now - then), told) for then, left, told in rest if left is not None]


LENGTHS = {
    "alike": [57.0 + number % 7 for number in range(100)],
    "spread": [20.0 + 180 * (number * 0.618 % 1) for number in range(100)],
    "two kinds": [20.0 if number * 7 % 10 < 5 else 300.0 for number in range(100)],
}


@pytest.mark.parametrize("workers", [False, True], ids=["here", "workers"])
@pytest.mark.parametrize("lengths", LENGTHS)
def test_it_is_near_the_truth_however_debates_differ(
    lengths: str, workers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = played(LENGTHS[lengths], 10, Clock(monkeypatch), workers=workers)
    firm = [part for part, told in found if told.startswith("about")]
    assert len(firm) > 50
    assert 0.7 < sorted(firm)[len(firm) // 2] < 1.35
    assert all(part < 1.1 for part, told in found if told.startswith("at least"))


def test_workers_do_not_hold_all_that_they_were_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """All debates are handed over at once. Two workers need fifty times as long as one debate takes."""
    clock = Clock(monkeypatch)
    progress = Progress(100)
    begin(progress, *map(str, range(100)), queued=True)
    for number in range(0, 6, 2):
        clock.now += 60
        end(progress, str(number), str(number + 1), seconds=58)
    left = left_of(progress)
    assert left is not None and left == pytest.approx(47 * 60, rel=0.1), "not the quarter of a minute"
    clock.now += 3600
    later = left_of(progress)
    assert later is not None and later > 5 * left, "nothing is heard of them any more"


def test_debates_that_ended_meanwhile_say_nothing_of_how_fast_workers_are(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    progress = Progress(100)
    begin(progress, *map(str, range(100)), queued=True)
    clock.now += 0.5
    end(progress, *map(str, range(50)), seconds=60)
    assert left_of(progress) is None, "fifty in half a second"


def test_a_resumed_debate_counts_with_what_it_took_before(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    progress = Progress(20)
    begin(progress, "a", "b")
    clock.now += 3
    end(progress, "a", "b", seconds=60)
    begin(progress, "c", "d")
    left = left_of(progress)
    assert left is not None and left == pytest.approx(9 * 60, rel=0.15), "not nine times three seconds"
