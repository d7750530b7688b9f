"""Entries that other processes want to add to the log of a running debate: notes, votes of readers.

Only the holder of a run adds lines, so others put drafts into a table. One thread per process checks it for all open
logs, and stores for each draft which entry it became, in the transaction that adds the entry.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Lock, Thread
from typing import Any

from moot.errors import ConfigError

LOOK_EVERY = 0.2
NEW = "SELECT run, id, draft FROM moot_outside WHERE seq IS NULL AND run = ANY(%s) ORDER BY id"
Rows = Callable[[str, Sequence[Any]], list[tuple[Any, ...]]]
Draft = tuple[int, bytes]
"""Its number, and an entry without its place in the log."""


class Inbox:
    """The drafts for the logs that this process has open. `rows` queries the database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._lock = Lock()
        self._open: dict[int, Callable[[Sequence[Draft]], None]] = {}
        self._thread: Thread | None = None

    def open(self, run: int, take: Callable[[Sequence[Draft]], None]) -> None:
        """Call `take` with the drafts for this run from another thread; it can get a draft twice."""
        with self._lock:
            self._open[run] = take
            if self._thread is None:
                self._thread = Thread(target=self._work, name="moot-inbox", daemon=True)
                self._thread.start()

    def close(self, run: int) -> None:
        with self._lock:
            self._open.pop(run, None)

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._open:
                    self._thread = None
                    return
                takers = dict(self._open)
            # Nothing can be handed over either while the database is away.
            with suppress(OSError, ConfigError):
                self._look(takers)
            time.sleep(LOOK_EVERY)

    def _look(self, takers: dict[int, Callable[[Sequence[Draft]], None]]) -> None:
        found: dict[int, list[Draft]] = {}
        for run, number, draft in self._rows(NEW, [list(takers)]):
            found.setdefault(run, []).append((number, draft))
        for run, drafts in found.items():
            takers[run](drafts)
