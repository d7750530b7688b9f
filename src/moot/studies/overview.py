"""Studies in lists and on pages: their progress, their outcome, and their rows with the run of each.

Reading takes no lock and works while a study is running. The files may come from strangers: a fault in one of them is
reported in one line.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from moot.engine.staging.finding import EVALUATION, KINDS, StudyFolder
from moot.errors import ConfigError, MootError
from moot.plugins.features import offered
from moot.system import GUARDED, lock
from moot.text import clip, one_line
from moot.text.prose import plural

if TYPE_CHECKING:
    from moot.studies.page import StudyPage

RUNNING = "running"
LONGEST_LINE = 280


@dataclass(frozen=True, slots=True)
class Overview:
    """How far a study has come. `counts` are its debates, or the answers of an evaluation, by how they ended; `total`
    is None where it is not known before the end. `fault` says why it cannot be read."""

    study: StudyFolder
    title: str
    made: datetime
    running: bool = False
    total: int | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    headline: str = ""
    fault: str | None = None

    @property
    def name(self) -> str:
        return self.study.name

    @property
    def ended(self) -> int:
        """The number of debates that have ended in any way."""
        return sum(number for status, number in self.counts.items() if status not in (RUNNING, "interrupted"))

    @property
    def status(self) -> str:
        if self.fault is not None:
            return "unreadable"
        if self.running:
            return RUNNING
        return "done" if self.headline and self.total == self.ended else "interrupted"

    @property
    def progress(self) -> str:
        """How far it has come, in words."""
        if self.fault is not None:
            return self.fault
        if self.total is None:
            return f"{plural(self.counts.get('begun', 0), 'run')} so far"
        ends = ", ".join(
            f"{number:,} {status}" for status, number in self.counts.items() if status != "done" and number
        )
        what = "questions" if self.study.kind == KINDS[EVALUATION] else "debates"
        return f"{self.counts.get('done', 0):,} of {self.total:,} {what} done" + (f", {ends}" if ends else "")


@dataclass(frozen=True, slots=True)
class Listed:
    """A debate of a batch, or the answer of a method to a question. `runs` are the names of the runs behind it that are
    here; `labels` are what it can be filtered by, besides its status."""

    id: str
    text: str
    status: str
    outcome: str
    labels: Mapping[str, str]
    flagged: int
    calls: int | None
    cost: float | None
    seconds: float | None
    runs: tuple[str, ...] = ()
    elsewhere: bool = False


DAMAGE = (MootError, OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError)
"""What reading the files of a study can raise if somebody altered them."""


def overview_of(study: StudyFolder) -> Overview:
    """How far the study in this folder has come."""
    made = datetime.fromtimestamp(changed(_marker(study)) / 1e9, UTC)
    title = study.path.name or study.path.resolve().name
    try:
        return _reader(study).overview(study, made)
    except DAMAGE as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        where = f"{study.path}{os.sep}"
        why = f"this {study.kind} cannot be read: {str(reason).replace(where, '')}"
        return Overview(study, line(title), made, fault=line(why))


def version_of(study: StudyFolder) -> tuple[object, ...]:
    """A value that changes when the study has."""
    files = [_marker(study), *(path for reader in _readers(study) for path in reader.files(study))]
    return (*map(changed, files), *map(_size, files), is_running(study))


def is_running(study: StudyFolder) -> bool:
    """Whether a process is running it."""
    by_file = study.kind != KINDS[EVALUATION]
    try:
        handle = os.open(_marker(study) if by_file else study.path, os.O_RDONLY | (GUARDED if by_file else 0))
    except OSError:
        return False
    try:
        return not lock(handle, shared=True)
    finally:
        os.close(handle)


def rows_of(study: StudyFolder) -> list[Listed]:
    """The rows of a study, in order; MootError if its files are not what moot wrote."""
    return _reader(study).rows(study)


def page_of(study: StudyFolder) -> "StudyPage | None":
    """The findings of a study, as in its report; None while there are none. A gate has only its rows."""
    return _reader(study).page(study)


@dataclass(frozen=True, slots=True)
class Reader:
    """How studies of a kind are read. One has changed if one of its `files` has."""

    kind: str
    overview: Callable[[StudyFolder, datetime], Overview]
    rows: Callable[[StudyFolder], list[Listed]]
    page: "Callable[[StudyFolder], StudyPage | None]"
    files: Callable[[StudyFolder], list[Path]]


def _readers(study: StudyFolder) -> list[Reader]:
    return [reader for reader in offered("study") if reader.kind == study.kind]


def _reader(study: StudyFolder) -> Reader:
    """How a study is read; ConfigError if that belongs to a feature that is not installed."""
    for reader in _readers(study):
        return reader
    raise ConfigError(f"the feature for a study of the kind {study.kind} is not installed")


def _marker(study: StudyFolder) -> Path:
    return study.path / next(file for file, kind in KINDS.items() if kind == study.kind)


def changed(path: Path) -> int:
    """When a file was changed, in nanoseconds; 0 where there is none."""
    with suppress(OSError):
        return path.stat().st_mtime_ns
    return 0


def _size(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0


def line(text: object) -> str:
    """A text as one short line."""
    return clip(one_line(text), LONGEST_LINE)
