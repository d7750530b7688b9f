"""The pages of batches and evaluations: how far they have come, their findings and plots, and the way into
each run."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from moot.engine.staging.finding import StudyFolder
from moot.runs.search import missing, words_of
from moot.service.host import NoSuchRun
from moot.studies.index import Studies
from moot.web.pages.gallery import STATUSES
from moot.web.pages.rendering import host_of, page

if TYPE_CHECKING:
    from moot.studies.overview import Listed

PER_PAGE = 50
MOST_VALUES = 20
"""A label with more values than this gets no filter."""
MOST_FILTERS = 6
LABEL = "is."
"""The fields of the form that are about a label."""
ORDERS = {"": "as in the file", "cost": "cost", "calls": "calls", "seconds": "time"}

router = APIRouter(include_in_schema=False)


def studies_of(request: Request) -> Studies:
    """The batches and evaluations of this server, with what was read of them."""
    return next(one for one in request.app.state.collections if isinstance(one, Studies))


@dataclass(frozen=True, slots=True)
class Choice:
    """What readers have chosen to see."""

    query: str
    status: str
    order: str
    labels: Mapping[str, str]

    def fits(self, row: "Listed") -> bool:
        return (
            self.status in ("", row.status)
            and all(row.labels.get(key) == value for key, value in self.labels.items())
            and not missing(words_of(self.query), [row.id, row.text, row.came_to])
        )

    def of(self, rows: "Sequence[Listed]") -> "list[Listed]":
        found = [row for row in rows if self.fits(row)]
        if self.order in ("cost", "calls", "seconds"):
            found.sort(key=lambda row: -(getattr(row, self.order) or 0))
        return found


@router.get("/studies/{name}")
async def study(
    request: Request,
    name: str,
    query: str = "",
    status: str = "",
    order: str = "",
    number: Annotated[int, Query(alias="page", ge=1, le=100_000)] = 1,
) -> Response:
    labels = {
        key.removeprefix(LABEL): value for key, value in request.query_params.items() if key.startswith(LABEL) and value
    }
    choice = Choice(query, status, order, labels)
    return await asyncio.to_thread(_page, request, name, choice, number)


@router.get("/studies/{name}/progress")
async def progress(request: Request, name: str) -> Response:
    """How far it has come, for a page that is open."""
    found = await asyncio.to_thread(lambda: studies_of(request).overview(_found(request, name)))
    return page(request, "studies/progress.html.jinja", overview=found)


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


def _page(request: Request, name: str, choice: Choice, number: int) -> Response:
    studies = studies_of(request)
    found = _found(request, name)
    contents, overview = studies.contents(found), studies.overview(found)
    rows = choice.of(contents.rows)
    pages = max(1, -(-len(rows) // PER_PAGE))
    number = min(number, pages)
    chosen = {"query": choice.query, "status": choice.status, "order": choice.order}
    return page(
        request,
        "studies/page.html.jinja",
        overview=overview,
        study=contents.page,
        fault=contents.fault,
        total=len(contents.rows),
        found=len(rows),
        rows=rows[(number - 1) * PER_PAGE : number * PER_PAGE],
        elsewhere=any(row.elsewhere for row in contents.rows),
        statuses={one: STATUSES.get(one, one) for one in sorted({row.status for row in contents.rows if row.status})},
        labels=_filters(contents.rows),
        nothing=_nothing(choice, contents.rows),
        chosen=chosen,
        chosen_labels=choice.labels,
        orders=ORDERS,
        number=number,
        pages=pages,
        rest={**chosen, **{f"{LABEL}{key}": value for key, value in choice.labels.items()}},
    )


def _nothing(choice: Choice, rows: "Sequence[Listed]") -> str:
    """Why no row fits; an address may name a filter that there is not."""
    there = {key: None for row in rows for key in row.labels}
    unknown = next((key for key in choice.labels if key not in there), None)
    if unknown is None:
        return "None fits. Fewer words may find more."
    return f"None fits: there is no filter {unknown[:60]!r}. There are: {', '.join(there)}."


def _filters(rows: "Sequence[Listed]") -> dict[str, list[str]]:
    """The labels that tell rows apart, with their values."""
    values: dict[str, set[str]] = {}
    for row in rows:
        for key, value in row.labels.items():
            values.setdefault(key, set()).add(value)
    useful = {key: sorted(several) for key, several in values.items() if 1 < len(several) <= MOST_VALUES}
    return dict(list(useful.items())[:MOST_FILTERS])
