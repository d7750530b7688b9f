"""The batches and evaluations of a server: how far each has come, its rows and its findings. What was read
is kept until the study changes. Studies are loaded when there is one: a server without any starts sooner."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from moot.engine.staging.finding import StudyFolder
from moot.runs.search import missing, words_of
from moot.service.host import Host

if TYPE_CHECKING:
    from moot.studies.overview import Listed, Overview
    from moot.studies.page import StudyPage

T = TypeVar("T")
MOST_KEPT = 8
"""Studies whose rows and findings are kept."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The rows of a study and its findings, if it has any; `fault` says what could not be read or computed."""

    rows: "list[Listed]"
    page: "StudyPage | None"
    fault: str | None


class Studies:
    """Thread-safe: at worst something is read twice."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._overviews: dict[str, tuple[object, Overview]] = {}
        self._contents: dict[str, tuple[object, Contents]] = {}

    def all(self) -> "list[Overview]":
        """All studies, those under way first, then the newest first."""
        found = [self.overview(one) for one in self._host.store.studies()]
        return sorted(found, key=lambda one: (not one.running, -one.made.timestamp()))

    def find(self, name: str) -> StudyFolder | None:
        return next((one for one in self._host.store.studies() if one.name == name), None)

    def overview(self, study: StudyFolder) -> "Overview":
        from moot.studies.overview import overview_of

        return _kept(self._overviews, study, lambda: overview_of(study))

    def contents(self, study: StudyFolder) -> Contents:
        """The findings are computed when nobody is running the study: before that, they would change all the time."""
        while len(self._contents) > MOST_KEPT:
            with suppress(KeyError):
                self._contents.pop(next(iter(self._contents)))
        running = self.overview(study).running
        return _kept(self._contents, study, lambda: _read(study, running=running))


def fitting(overviews: "Sequence[Overview]", query: str, kind: str, status: str) -> "list[Overview]":
    """The studies with every word of the query in title, name or headline, of that kind and that status."""
    words = words_of(query)
    return [
        one
        for one in overviews
        if kind in ("", one.study.kind)
        and status in ("", one.status)
        and not missing(words, [one.title, one.name, one.headline])
    ]


def _kept(known: dict[str, tuple[object, T]], study: StudyFolder, read: Callable[[], T]) -> T:
    from moot.studies.overview import version_of

    version, key = version_of(study), str(study.path)
    found = known.get(key)
    if found is None or found[0] != version:
        found = known[key] = (version, read())
    return found[1]


def _read(study: StudyFolder, *, running: bool) -> Contents:
    from moot.studies.overview import DAMAGE, Listed, overview_of, page_of, rows_of

    fault, page = overview_of(study).fault, None
    try:
        rows = rows_of(study)
        page = None if running or fault else page_of(study)
    except DAMAGE as error:
        # Damaged tables do not hide the runs, which are whole by themselves.
        rows = [Listed(one.place.name, "", "", "", {}, 0, None, None, None, (one.name,)) for one in study.runs()]
        fault = fault or str(error).replace(f"{study.path}/", "")
    return Contents(rows, page, fault)
