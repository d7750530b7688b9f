"""The runs of a service: in a folder, or in a PostgreSQL database shared with other servers and workers."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from moot.engine.define.config import RunConfig
from moot.engine.staging.finding import StudyFolder, find_nested, list_studies
from moot.engine.staging.runs import POSTGRESQL, Run, in_database, is_run, list_runs
from moot.errors import RunDamaged
from moot.record.stores.base import CONFIG, RESULT
from moot.runs.tags import TAGS

if TYPE_CHECKING:
    from moot.service.shared_store import DatabaseStore

Store: TypeAlias = "FolderStore | DatabaseStore"
"""The runs there are, and which of them are running. Both kinds have the same methods."""


@dataclass(frozen=True, slots=True)
class ListedRun:
    """A run in a list. `version` changes when its config, its result or its tags do."""

    run: Run
    made: datetime
    version: object
    running: Callable[[], bool]


def open_store(out: str) -> Store:
    """ConfigError if it is a database and the feature for that is not installed."""
    if not out.startswith(POSTGRESQL):
        return FolderStore(out)
    in_database("redacted")
    from moot.service.shared_store import DatabaseStore

    return DatabaseStore(out)


class FolderStore:
    """`shown` is the location, without a password; `settle` blocks until other processes can read what was written,
    and is None where they always can."""

    settle = None

    def __init__(self, out: str) -> None:
        self.out = self.shown = out

    def find(self, name: str) -> Run | None:
        """The run of exactly that name."""
        path = Path(self.out) / name
        return Run(path) if is_run(path) else find_nested(name, self.out)

    def studies(self) -> list[StudyFolder]:
        """The batches and evaluations, by name; a database has none."""
        return list_studies(self.out)

    def queued(self, run: Run) -> bool:
        """Whether a worker has it or will have it."""
        del run
        return False

    def reachable(self) -> bool:
        """Whether the runs can be reached now. Blocks."""
        folder = Path(self.out).absolute()
        there = next(one for one in (folder, *folder.parents) if one.exists())
        return there.is_dir() and os.access(there, os.W_OK)

    def at(self, address: str, config: RunConfig | None = None) -> Run:
        """The run that was just created there."""
        return Run(Path(address), config)

    def running(self, run: Run) -> bool:
        """Whether it is running or queued."""
        with suppress(OSError, RunDamaged):
            return run.busy
        return False

    def listed_runs(self) -> list[ListedRun]:
        """All runs, oldest first, except for those inside studies."""
        return [self._listed(run) for run in list_runs(self.out)]

    def _listed(self, run: Run) -> ListedRun:
        times = [_changed(run.path / name) for name in (CONFIG, RESULT, TAGS)]
        made = datetime.fromtimestamp(times[0] / 1e9, UTC)
        return ListedRun(run, made, tuple(times), partial(self.running, run))


def _changed(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_mtime_ns
    return 0
