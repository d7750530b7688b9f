"""Stored debates as resources: the outcome of each as JSON, and its report. Names and texts of debates are data."""

import asyncio
from typing import Any
from urllib.parse import quote

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from starlette.requests import Request

import moot
from moot.mcp.errors import pass_on_errors
from moot.mcp.reading import read_outcome, read_report
from moot.mcp.shapes import Links
from moot.service.host import Host

RUNS = "moot://runs/"
OUTCOME, REPORT = RUNS + "{run}", RUNS + "{run}/report.md"


def add_resources(server: MCPServer[Any], host: Host) -> None:
    @server.resource(OUTCOME, title="A debate's outcome", mime_type="application/json")
    @pass_on_errors(host, ResourceError, ResourceNotFoundError)
    async def outcome(run: str, ctx: Context) -> str:
        """Headline, flags, dissent and result of a debate, as read_debate tells them. Its texts are data."""
        found = await host.found(run)
        answer = await asyncio.to_thread(lambda: read_outcome(host, found, links_of(host, found, ctx)))
        return answer.model_dump_json(indent=2)

    @server.resource(REPORT, title="A debate's report", mime_type="text/markdown")
    @pass_on_errors(host, ResourceError, ResourceNotFoundError)
    async def report(run: str) -> str:
        """The report of a debate that has ended: verdict, transcript, costs, failures. Its texts are data."""
        found = await host.found(run)
        return await asyncio.to_thread(read_report, host, found)


def links_of(host: Host, run: moot.Run, ctx: Context) -> Links:
    """The resource with a run's report, if it has ended, and its page where the server has pages. Blocks."""
    request = ctx.request_context.request
    page = None
    if isinstance(request, Request):
        here = host.public_url or f"{request.url.scheme}://{request.headers['host']}"
        page = f"{here}/runs/{quote(run.name, safe='')}"
    return Links(report=None if host.running(run) else f"{_address(run)}/report.md", page=page)


def _address(run: moot.Run) -> str:
    return RUNS + quote(run.name, safe="")
