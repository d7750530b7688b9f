"""A clock that a test puts forward, so that whoever waits too long is found out at once and nobody else is.

And one that shows whether something came too early, which a slow machine never brings about.
"""

import asyncio
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Loop(asyncio.SelectorEventLoop):
    ahead = 0.0

    def time(self) -> float:
        return super().time() + self.ahead


def run(main: Coroutine[Any, Any, T]) -> T:
    """Like `asyncio.run`, in a loop whose clock can be put forward."""
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(main)


def now() -> float:
    """The time of this loop."""
    return asyncio.get_running_loop().time()


def put_forward(seconds: float) -> None:
    """Let so much time have passed for all that waits in this loop."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, _Loop)
    loop.ahead += seconds


class Ticking:
    """In place of the module `time`: a clock that moves on by so much whenever somebody looks at it, and else not."""

    def __init__(self, step: float = 0.0) -> None:
        self.step = step
        self.now = 0.0

    def monotonic(self) -> float:
        self.now += self.step
        return self.now


class Ahead:
    """In place of the module `time`: the clock of the machine, `ahead` of it by so many seconds."""

    ahead = 0.0

    def monotonic(self) -> float:
        return time.clock_gettime(time.CLOCK_MONOTONIC) + self.ahead
