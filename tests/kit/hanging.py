"""No test stands still without a word: after NOTICE seconds it says where its threads are, after LIMIT seconds it
fails. Where not even that can be had, since the main thread is not in Python, its process ends LAST seconds later, and
so does that of pytest after twice as long without any news from its workers. The limits catch hangs alone: no test
takes a tenth of them.
"""

import faulthandler
import os
import signal
import time
from collections.abc import Generator
from types import FrameType

import pytest

NOTICE, LIMIT, LAST = 180.0, 900.0, 60.0
STREAM = pytest.StashKey[int]()
"""The standard error of the process, which is another one while a test runs."""


def pytest_configure(config: pytest.Config) -> None:
    config.stash[STREAM] = os.dup(2)


def pytest_unconfigure(config: pytest.Config) -> None:
    _end_after(LIMIT, config)  # of what is still to be tidied up at the exit


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    stream, began = item.config.stash[STREAM], time.monotonic()

    def look(_number: int, _frame: FrameType | None) -> None:
        seconds = time.monotonic() - began
        os.write(stream, f"\n{item.nodeid} has been running for {seconds:.0f} seconds:\n".encode())
        faulthandler.dump_traceback(stream)
        if seconds >= LIMIT:
            pytest.fail("it hangs; standard error says where")

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, NOTICE, NOTICE)
    _end_after(LIMIT + LAST, item.config)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def pytest_enter_pdb() -> None:
    signal.setitimer(signal.ITIMER_REAL, 0)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Of a test of a worker."""
    if (config := getattr(getattr(report, "node", None), "config", None)) is not None:
        _end_after(2 * (LIMIT + LAST), config)


def _end_after(seconds: float, config: pytest.Config) -> None:
    faulthandler.dump_traceback_later(seconds, exit=True, file=config.stash[STREAM])
