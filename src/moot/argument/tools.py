"""The tool of an MCP server that solves argument graphs."""

import asyncio
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from pydantic import Field

from moot.argument.in_process import Argued, Asked, Task, solve_in_process
from moot.mcp.errors import pass_on_errors
from moot.mcp.server import READS
from moot.service.host import Host

MOST_SOLVERS = 2
"""The most processes that solve argument graphs at the same time; further requests wait."""


def add_tools(server: MCPServer[Any], host: Host) -> None:
    solvers = asyncio.Semaphore(MOST_SOLVERS)

    @server.tool(title="Solve an argument graph", annotations=READS)
    @pass_on_errors(host)
    async def argument_graph(
        graph: Annotated[str, Field(description="In any of: af, apx, tgf, json")],
        task: Annotated[Task, Field(description="score every argument, or ask about extensions")] = "score",
        semantics: Annotated[
            str, Field(description="moot, dfquad, energy, …; or PR, ST, GR, CO, … for extensions")
        ] = "",
        argument: Annotated[str | None, Field(description="For credulous and sceptical: about which one")] = None,
        format: Annotated[str | None, Field(description="The graph's format where it cannot be guessed")] = None,  # noqa: A002
    ) -> Argued:
        """Score an argument graph, or find its extensions. Calls no model."""
        asked = Asked(graph=graph, task=task, semantics=semantics, argument=argument, format=format)
        async with solvers:
            return await solve_in_process(asked)
