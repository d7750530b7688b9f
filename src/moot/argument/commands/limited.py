"""Runs work in a child process that can be killed at any time: solvers written in C ignore Ctrl-C and have no time
limit.
"""

import json
import math
import os
import select
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from moot.errors import ConfigError, MootError
from moot.system import ignore_interrupts, kill
from moot.text.json import parse_json

Work = Callable[[], Iterator[Any]]


LONGEST_WAIT = 0.5
"""Seconds for one wait. An interrupt that comes just before a wait does not end it, and is noticed only after it."""


class TimeUp(MootError):
    """The time limit was reached. It has the exit code of `timeout`."""

    exit_code = 124

    def __init__(self, seconds: float) -> None:
        super().__init__(f"not finished within {seconds:g} s")


def results(work: Work, seconds: float | None) -> Iterator[Any]:
    """The results of the work, which must be valid JSON. Errors of the work are raised here; TimeUp if it takes too
    long."""
    deadline = None if seconds is None else time.monotonic() + seconds
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # The child starts no threads and takes no locks of other threads.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        os.close(reading)
        _run(work, writing)
    os.close(writing)
    try:
        for line in _lines(reading, seconds, deadline):
            kind, value = parse_json(line)
            if kind == "error":
                raise ConfigError(value[0]) if value[1] == ConfigError.exit_code else MootError(value[0])
            yield value
    finally:
        os.close(reading)
        kill(child)
        os.waitpid(child, 0)


def _run(work: Work, writing: int) -> None:
    """The main function of the child: it writes only results, and exits."""
    code = 0
    try:
        ignore_interrupts()
        with os.fdopen(writing, "w", encoding="utf-8") as out:
            try:
                for one in work():
                    print(json.dumps(["result", one]), file=out, flush=True)
            except MootError as error:
                print(json.dumps(["error", [str(error), error.exit_code]]), file=out, flush=True)
            print(json.dumps(["end", None]), file=out)
    except BaseException:  # the parent sees that the end is missing
        code = 1
    finally:
        os._exit(code)


def _is_readable(reading: int, seconds: float) -> bool:
    """Whether there is something to read within these seconds."""
    while seconds > 0:
        wait = min(seconds, LONGEST_WAIT)
        if select.select([reading], [], [], wait)[0]:
            return True
        seconds -= wait
    return False


def _lines(reading: int, seconds: float | None, deadline: float | None) -> Iterator[bytes]:
    """The lines of the child until it ends. A child that ends without an end line has crashed."""
    rest = b""
    while True:
        left = math.inf if deadline is None else deadline - time.monotonic()
        # A child that always has another line ready does not get more time by that.
        if left <= 0 or not _is_readable(reading, left):
            raise TimeUp(seconds or 0.0)
        data = os.read(reading, 1 << 16)
        if not data:
            raise MootError("the solver ended without an answer, perhaps for want of memory")
        *whole, rest = (rest + data).split(b"\n")
        for line in whole:
            if line == b'["end", null]':
                return
            yield line
