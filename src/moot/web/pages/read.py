"""Reading a debate: the verdict first, then its report in the frame of these pages, and what pages can do beyond it."""

import asyncio
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

import moot
from moot.engine.material import Material, gather
from moot.exporting import has_graph
from moot.report.page import contents
from moot.result import part_of
from moot.web.aside import aside
from moot.web.pages import votes
from moot.web.pages.facts import cost_and_failures
from moot.web.pages.rendering import host_of, page

EXPORTS = {
    "html": "The report as one offline HTML file",
    "md": "The report as Markdown",
    "json": "Config, log, calls and result as JSON",
}

router = APIRouter()


@router.get("/runs/{name}")
async def watch_or_read(request: Request, name: str, check: bool = False) -> Response:
    """A debate under way is watched, one that has ended is read."""
    if await asyncio.to_thread(lambda: host_of(request).find(name).busy):
        return RedirectResponse(f"{address(name)}/watch", 303)
    return await read(request, name, check)


@router.get("/runs/{name}/read")
async def read(request: Request, name: str, check: bool = False) -> Response:
    """The debate as far as it has come. With `check`, its receipt is checked against the files as they are now."""
    run = host_of(request).find(name)
    result = await aside(lambda: moot.result_of(run))
    return await asyncio.to_thread(_page, request, run, result, check)


def address(name: str) -> str:
    return f"/runs/{quote(name, safe='')}"


def _page(request: Request, run: moot.Run, result: moot.Result, check: bool) -> Response:
    material, protocol = gather(run, result), run.config.protocol
    graphs = moot.GRAPHS if has_graph(run) else ()
    web = {
        "here": address(run.name),
        "under_way": run.busy,
        "facts": cost_and_failures(result),
        "views": _views(material),
        "exports": EXPORTS | {form: f"The argument graph as {form}" for form in graphs},
        "contestable": protocol.contest is not None and has_graph(run),
        "ballots": protocol.ballots.title if protocol.ballots else None,
        "versions": protocol.versions is not None,
        "readers": votes.readers(material),
        "checked": moot.verify(run) if check else None,
    }
    values: dict[str, Any] = {**contents(material), "web": web}
    return page(request, "page.html.jinja", **values)


def _views(material: Material) -> list[tuple[str, str, int]]:
    """Each agent: its part, its name, and how often it replied."""
    parts = [part_of(one.agent) for one in material.records if one.kind == "reply"]
    return [(part, name, parts.count(part)) for part, name in material.names.items()]
