"""How much work something is, on whatever machine: the lines of Python that run, counted at each turn of a loop."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def steps_of(work: Callable[[], object]) -> int:
    count = 0

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def assert_linear(work: Callable[[int], Callable[[], object]], size: int) -> None:
    """Four times the size is about four times the work, and not sixteen times; what is prepared does not count."""
    work(size)()  # what happens once only is not counted either
    few, many = steps_of(work(size)), steps_of(work(4 * size))
    assert 2 * few < many < 6 * few, (few, many)
