"""Reading a debate: the verdict first, then its report in the frame of these pages, and what pages can do beyond it."""

import asyncio
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from markupsafe import Markup

import moot
from moot.argument.style import CSS
from moot.report import sections_of
from moot.report.page import Material, gather, of_every_report
from moot.web.aside import aside
from moot.web.pages import votes
from moot.web.pages.glance import beside_the_verdict
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


def cast_of(run: moot.Run) -> dict[str, str]:
    """Each agent's name by its part."""
    header = next((entry.data for entry in run.entries() if getattr(entry.data, "cast", None)), None)
    return {member.id: member.name for member in getattr(header, "cast", [])}


def unstyled(picture: str) -> Markup:
    """An argument map for the middle of a page, which has the map's styles in its own stylesheet. A group and not an
    image: what is in an image cannot be reached by keyboard."""
    picture = picture.replace(f"<style>{CSS}</style>\n", "", 1).replace('role="img"', 'role="group"', 1)
    return Markup(picture)  # noqa: S704 (drawn by moot, with every text in it escaped)


def report_of(run: moot.Run, result: moot.Result) -> tuple[Material, dict[str, object]]:
    """What the report of this run is made of."""
    try:
        sections = sections_of(result.protocol)
    except ValueError as error:
        raise moot.ConfigError(f"{run.name} cannot be read as a page: {error}") from error
    material = gather(run, result)
    return material, sections(material)


def _page(request: Request, run: moot.Run, result: moot.Result, check: bool) -> Response:
    material, sections = report_of(run, result)
    if sections.get("picture"):
        sections["picture"] = unstyled(str(sections["picture"]))
    graphs = moot.GRAPHS if result.protocol == "persuasion" or (run.path / "arguments.json").is_file() else ()
    # By one name, since each protocol names its own sections as it likes.
    web = {
        "here": address(run.name),
        "under_way": run.busy,
        "facts": beside_the_verdict(result, sections),
        "views": _views(material),
        "exports": EXPORTS | {form: f"The argument graph as {form}" for form in graphs},
        "contestable": result.protocol == "persuasion" and bool(sections.get("arguments")),
        "ballots": votes.beside_the_replies(result.protocol),
        "versions": result.protocol in ("arena", "panel"),
        "readers": votes.readers(material),
        "checked": moot.verify(run) if check else None,
    }
    values: dict[str, Any] = {**of_every_report(material), **sections, "web": web}
    return page(request, f"{result.protocol}.html.jinja", **values)


def _views(material: Material) -> list[tuple[str, str, int]]:
    """Each agent: its part, its name, and how often it replied."""
    parts = [(one.agent or "").partition("@")[0] for one in material.records if one.kind == "reply"]
    return [(part, name, parts.count(part)) for part, name in material.names.items()]
