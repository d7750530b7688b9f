"""The pages of batches and evaluations: how far they have come, their findings and plots, and the way into
each run; and their cards in the gallery."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import Response

from moot.engine.staging.finding import StudyFolder
from moot.runs.search import missing, words_of
from moot.studies.index import Studies, fitting
from moot.studies.overview import Listed, Overview

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


def _studies(request: Request) -> Studies:
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
