"""Reading a debate: the verdict first, then its report inside the frame of these pages, and links to more."""

import asyncio
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

import moot
from moot.engine.outcome.material import Material, gather
from moot.engine.play.agent import part_of
from moot.plugins.features import offered
from moot.report.page import contents, minutes
from moot.runs.export import exporters
from moot.text.figures import dollars
from moot.text.prose import plural
from moot.web.pages import votes
from moot.web.pages.next_steps import Refusal, afterwards
from moot.web.pages.rendering import host_of, long_page
from moot.web.threads import run_in_thread

router = APIRouter()


@router.get("/runs/{name}")
async def watch_or_read(request: Request, name: str, check: bool = False) -> Response:
    """Redirect to the live page of a running debate, or to the report of one that has ended."""
    host = host_of(request)
    if await asyncio.to_thread(host.running, await host.found(name)):
        return RedirectResponse(f"{address(name)}/watch", 303)
    return await read(request, name, check)


@router.get("/runs/{name}/read")
async def read(request: Request, name: str, check: bool = False) -> Response:
    """The report of the debate so far. With `check`, its receipt is checked against the files."""
    return await read_page(request, name, check=check)


async def read_page(
    request: Request, name: str, *, check: bool = False, status: int = 200, refusal: Refusal | None = None
) -> Response:
    """The report of the debate so far, with why something was refused that was to be done with it."""
    run = await host_of(request).found(name)
    files = await asyncio.to_thread(lambda: (run.entries(), run.records()))
    result = await run_in_thread(lambda: moot.result_of(run, files))
    material = await asyncio.to_thread(lambda: replace(gather(run, result, files), name=run.name))
    return await asyncio.to_thread(_page, request, material, check, status, refusal)


def address(name: str) -> str:
    return f"/runs/{quote(name, safe='')}"


def _page(request: Request, material: Material, check: bool, status: int, refusal: Refusal | None) -> Response:
    run, result = material.run, material.result
    mapped = any(has_graph(run) for has_graph in offered("has_graph"))
    web = {
        "here": address(run.name),
        "under_way": host_of(request).running(run),
        "facts": cost_and_failures(result),
        "views": _views(material),
        "exports": [exporter for exporter in exporters() if mapped or not exporter.graph],
        "contestable": mapped,
        "readers": votes.readers(material),
        "afterwards": afterwards(material),
        "refusal": refusal,
        "checked": moot.verify(run) if check else None,
    }
    values: dict[str, Any] = {**contents(material), "web": web}
    web["mapped"] = any(block.kind == "map" for section in values["body"] for block in section.blocks)
    return long_page(request, "page.html.jinja", status=status, **values)


def _views(material: Material) -> list[tuple[str, str, int]]:
    """Each agent: role, name, and number of replies."""
    parts = [part_of(record.agent) for record in material.records if record.kind == "reply"]
    return [(part, name, parts.count(part)) for part, name in material.names.items()]


def cost_and_failures(result: moot.Result) -> list[tuple[str, str, str]]:
    """Labels and texts, with links to the details."""
    failed = plural(len(result.failures), "thing") if result.failures else "Nothing"
    return [("Cost", _cost(result), "#cost"), ("What failed", failed, "#failed")]


def _cost(result: moot.Result) -> str:
    spent = result.spent
    known = spent.input is not None and spent.output is not None
    tokens = f"{(spent.input or 0) + (spent.output or 0):,} tokens" if known else "tokens unknown"
    cost = "cost unknown" if spent.cost is None else dollars(spent.cost)
    return f"{cost} · {plural(spent.calls, 'call')} · {tokens} · {minutes(result.seconds)}"
