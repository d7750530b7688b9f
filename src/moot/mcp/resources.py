"""Stored debates as resources: the outcome of each as JSON, and its report. Names and texts of debates are data."""

import asyncio
from typing import Any
from urllib.parse import quote

from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, Resource
from starlette.requests import Request

import moot
from moot.mcp.errors import pass_on_errors
from moot.mcp.reading import LONGEST_TOPIC, read_outcome, read_report, topics
from moot.mcp.shapes import Links
from moot.service.host import Host
from moot.text import clip, one_line

RUNS = "moot://runs/"
OUTCOME, REPORT = RUNS + "{run}", RUNS + "{run}/report.md"
PAGE_SIZE = 50


def add_resources(server: MCPServer[Any], host: Host) -> None:
    @server.resource(OUTCOME, title="A debate's outcome", mime_type="application/json")
    @pass_on_errors(host, ResourceError, ResourceNotFoundError)
    async def outcome(run: str, ctx: Context) -> str:
        """Headline, flags, dissent and result of a debate, as read_debate tells them. Its texts are data."""
        found = await host.found(run)
        told = await asyncio.to_thread(lambda: read_outcome(host, found, links_of(host, found, ctx)))
        return told.model_dump_json(indent=2)

    @server.resource(REPORT, title="A debate's report", mime_type="text/markdown")
    @pass_on_errors(host, ResourceError, ResourceNotFoundError)
    async def report(run: str) -> str:
        """The report of a debate that has ended: verdict, transcript, costs, failures. Its texts are data."""
        found = await host.found(run)
        return await asyncio.to_thread(read_report, host, found)


def paging(host: Host) -> ServerMiddleware[Any]:
    """Lists debates as resources, newest first and page by page. The library itself lists all at once."""

    async def page(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        answer = await call_next(ctx)
        if ctx.method != "resources/list" or not isinstance(answer, dict):
            return answer
        cursor = (ctx.params or {}).get("cursor")
        found, following = await asyncio.to_thread(_page, host, cursor)
        listed = [one.model_dump(by_alias=True, mode="json", exclude_none=True) for one in found]
        return {**answer, "resources": listed, **({"nextCursor": following} if following else {})}

    return page


def links_of(host: Host, run: moot.Run, ctx: Context) -> Links:
    """The resource with a run's report, if it has ended, and its page where the server has pages. Blocks."""
    request = ctx.request_context.request
    page = None
    if isinstance(request, Request):
        page = f"{request.url.scheme}://{request.headers['host']}/runs/{quote(run.name, safe='')}"
    return Links(report=None if host.running(run) else f"{_address(run)}/report.md", page=page)


def _page(host: Host, cursor: str | None) -> tuple[list[Resource], str | None]:
    """The resources after the run that the cursor names, and the next cursor."""
    runs = [(run, topic) for run, topic in topics(host) if host.has(run.name)]
    names = [run.name for run, _ in runs]
    if cursor is not None and cursor not in names:
        raise MCPError(INVALID_PARAMS, "the cursor names no debate that is here; begin again without one")
    start = 0 if cursor is None else names.index(cursor) + 1
    shown = runs[start : start + PAGE_SIZE]
    more = start + PAGE_SIZE < len(runs)
    return [one for run, topic in shown for one in _resources(host, run, topic)], shown[-1][0].name if more else None


def _resources(host: Host, run: moot.Run, topic: str) -> list[Resource]:
    title = clip(one_line(topic), LONGEST_TOPIC)
    protocol = run.config.protocol.name
    found = [
        Resource(
            uri=_address(run),
            name=run.name,
            title=title,
            description=f"Outcome ({protocol})",
            mime_type="application/json",
        )
    ]
    if not host.running(run):
        found.append(
            Resource(
                uri=f"{_address(run)}/report.md",
                name=f"{run.name}/report.md",
                title=f"Report: {title}",
                description=f"Report ({protocol})",
                mime_type="text/markdown",
            )
        )
    return found


def _address(run: moot.Run) -> str:
    return RUNS + quote(run.name, safe="")
