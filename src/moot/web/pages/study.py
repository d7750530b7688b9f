"""The pages of batches and evaluations: how far they have come, their findings and plots, and the way into
each run."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from moot.engine.staging.finding import StudyFolder
from moot.runs.search import missing, words_of
from moot.service.host import NoSuchRun
from moot.web.pages.gallery import STATUSES
from moot.web.pages.rendering import host_of, page, studies_of

if TYPE_CHECKING:
    from moot.studies.overview import Listed

PER_PAGE = 50
MOST_LABELS = 6

router = APIRouter()


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
    found = await asyncio.to_thread(lambda: studies_of(request).overview(_found(request, name)))
    return page(request, "study_progress.html.jinja", overview=found)


def _found(request: Request, name: str) -> StudyFolder:
    found = studies_of(request).find(name)
    if found is None and host_of(request).store.studies() == [] and "://" in host_of(request).out:
        raise NoSuchRun(
            "a database holds the debates of a batch, and not its table: serve the folder of the batch, by `moot "
            "serve --out FOLDER`"
        )
    if found is None:
        raise NoSuchRun(f"there is no batch or evaluation {name[:200]!r}")
    return found


def _page(request: Request, name: str, chosen: dict[str, str], number: int) -> Response:
    studies = studies_of(request)
    found = _found(request, name)
    contents, overview = studies.contents(found), studies.overview(found)
    words = words_of(chosen["query"])
    rows = [
        row
        for row in contents.rows
        if chosen["status"] in ("", row.status)
        and not missing(words, [row.id, row.text, row.came_to, *row.labels.values()])
    ]
    pages = max(1, -(-len(rows) // PER_PAGE))
    number = min(number, pages)
    return page(
        request,
        "study.html.jinja",
        overview=overview,
        study=contents.page,
        fault=contents.fault,
        total=len(contents.rows),
        found=len(rows),
        rows=rows[(number - 1) * PER_PAGE : number * PER_PAGE],
        elsewhere=any(row.elsewhere for row in contents.rows),
        statuses={one: STATUSES.get(one, one) for one in sorted({row.status for row in contents.rows if row.status})},
        labels=_labels(contents.rows),
        chosen=chosen,
        number=number,
        pages=pages,
    )


def _labels(rows: "Sequence[Listed]") -> list[str]:
    """The labels that tell rows apart."""
    values: dict[str, set[str]] = {}
    for row in rows:
        for key, value in row.labels.items():
            values.setdefault(key, set()).add(value)
    return [key for key, several in values.items() if len(several) > 1][:MOST_LABELS]
