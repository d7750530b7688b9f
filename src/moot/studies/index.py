"""The batches and evaluations of a server: how far each has come, its rows and its findings. What was read
is kept until the study changes."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from moot.engine.staging.finding import StudyFolder
from moot.runs.search import missing, words_of
from moot.studies.overview import DAMAGE, Listed, Overview, overview_of, page_of, rows_of, version_of
from moot.studies.page import StudyPage

T = TypeVar("T")
MOST_KEPT = 8
"""Studies whose rows and findings are kept."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The rows of a study and its findings, if it has any; `fault` says what could not be read or computed."""

    rows: list[Listed]
    page: StudyPage | None
    fault: str | None


class Studies:
    """Thread-safe: at worst something is read twice. `folders` finds those there are."""

    def __init__(self, folders: Callable[[], Sequence[StudyFolder]]) -> None:
        self.folders = folders
        self._overviews: dict[str, tuple[object, Overview]] = {}
        self._contents: dict[str, tuple[object, Contents]] = {}

    def all(self) -> list[Overview]:
        """All studies, those under way first, then the newest first."""
        return sorted(
            map(self.overview, self.folders()), key=lambda study: (not study.running, -study.made.timestamp())
        )

    def find(self, name: str) -> StudyFolder | None:
        return next((study for study in self.folders() if study.name == name), None)

    def overview(self, study: StudyFolder) -> Overview:
        return _kept(self._overviews, study, lambda: overview_of(study))

    def contents(self, study: StudyFolder) -> Contents:
        """The findings are computed when nobody is running the study: before that, they would change all the time."""
        while len(self._contents) > MOST_KEPT:
            with suppress(KeyError):
                self._contents.pop(next(iter(self._contents)))
        running = self.overview(study).running
        return _kept(self._contents, study, lambda: _read(study, running=running))


def fitting(overviews: Sequence[Overview], query: str, kind: str, status: str) -> list[Overview]:
    """The studies with every word of the query in title, name or headline, of that kind and that status."""
    words = words_of(query)
    return [
        overview
        for overview in overviews
        if kind in ("", overview.study.kind)
        and status in ("", overview.status)
        and not missing(words, [overview.title, overview.name, overview.headline])
    ]


def _kept(known: dict[str, tuple[object, T]], study: StudyFolder, read: Callable[[], T]) -> T:
    version, key = version_of(study), str(study.path)
    entry = known.get(key)
    if entry is None or entry[0] != version:
        entry = known[key] = (version, read())
    return entry[1]


def _read(study: StudyFolder, *, running: bool) -> Contents:
    fault, page = overview_of(study).fault, None
    try:
        rows = rows_of(study)
        page = None if running or fault else page_of(study)
    except DAMAGE as error:
        # Damaged tables do not hide the runs, which are whole by themselves.
        rows = [Listed(run.place.name, "", "", "", {}, 0, None, None, None, (run.name,)) for run in study.runs()]
        fault = fault or str(error).replace(f"{study.path}/", "")
    return Contents(rows, page, fault)
