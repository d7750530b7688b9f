"""The pages of batches and evaluations: how far they have come, their findings and plots, and the way into
each run; and their cards in the gallery."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, TypeVar

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import Response

from moot.engine.staging.finding import StudyFolder
from moot.runs.search import missing, words_of
from moot.studies.overview import DAMAGE, Listed, Overview, overview_of, page_of, rows_of, version_of
from moot.studies.page import StudyPage

T = TypeVar("T")
MOST_KEPT = 8
"""Studies whose rows and findings are kept."""
PER_PAGE = 50
MOST_LABELS = 6

router = APIRouter()


def cards(request: Request, query: str, kind: str, status: str) -> tuple[list[Overview], list[Overview]]:
    """For the gallery: all studies, and those that fit."""
    overviews = _studies(request).all()
    return overviews, fitting(overviews, query, kind, status)


@router.get("/studies/{name}")
async def study(
    request: Request,
    name: str,
    query: str = "",
    status: str = "",
    number: Annotated[int, Query(alias="page", ge=1, le=100_000)] = 1,
) -> Response:
    return await asyncio.to_thread(_page, request, name, {"query": query, "status": status}, number)


@router.get("/studies/{name}/progress")
async def progress(request: Request, name: str) -> Response:
    """How far it has come, for a page that is open."""
    overview = await asyncio.to_thread(lambda: _studies(request).overview(_find(request, name)))
    fragment: Response = request.app.state.page(request, "studies/progress.html.jinja", overview=overview)
    return fragment


def _studies(request: Request) -> "Studies":
    """Those of this server, with what was read of them."""
    state = request.app.state
    if not hasattr(state, "studies"):
        state.studies = Studies(state.host.store.studies)
    studies: Studies = state.studies
    return studies


def _find(request: Request, name: str) -> StudyFolder:
    studies = _studies(request)
    study = studies.find(name)
    if study is None and not studies.folders() and "://" in request.app.state.host.out:
        raise HTTPException(
            404,
            "a database holds the debates of a batch, and not its table: serve the folder of the batch, by `moot "
            "serve --out FOLDER`",
        )
    if study is None:
        raise HTTPException(404, f"there is no batch or evaluation {name[:200]!r}")
    return study


def _page(request: Request, name: str, chosen: dict[str, str], number: int) -> Response:
    study = _find(request, name)
    contents, overview = _studies(request).contents(study), _studies(request).overview(study)
    words = words_of(chosen["query"])
    rows = [
        row
        for row in contents.rows
        if chosen["status"] in ("", row.status)
        and not missing(words, [row.id, row.text, row.outcome, *row.labels.values()])
    ]
    pages = max(1, -(-len(rows) // PER_PAGE))
    number = min(number, pages)
    page: Response = request.app.state.page(
        request,
        "studies/one.html.jinja",
        overview=overview,
        study=contents.page,
        fault=contents.fault,
        total=len(contents.rows),
        found=len(rows),
        rows=rows[(number - 1) * PER_PAGE : number * PER_PAGE],
        elsewhere=any(row.elsewhere for row in contents.rows),
        used=sorted({row.status for row in contents.rows if row.status}),
        labels=_labels(contents.rows),
        chosen=chosen,
        number=number,
        pages=pages,
    )
    return page


def _labels(rows: Sequence[Listed]) -> list[str]:
    """The labels that tell rows apart."""
    values: dict[str, set[str]] = {}
    for row in rows:
        for key, value in row.labels.items():
            values.setdefault(key, set()).add(value)
    return [key for key, several in values.items() if len(several) > 1][:MOST_LABELS]


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
