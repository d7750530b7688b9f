"""Errors in words for assistants, so that they can correct themselves, without internals of any library."""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import MCPServerError, ToolError
from mcp_types import CallToolResult, InputRequiredResult, ResourceLink
from pydantic import ValidationError

import moot
from moot.engine.define.faults import faults_in, nearest
from moot.service.host import Host, NoSuchRun
from moot.text import clip, one_line, printable

P = ParamSpec("P")
T = TypeVar("T")
LONGEST_ERROR = 2000


class Server(MCPServer[Any]):
    """The library's server. It refuses unknown arguments, tells wrong ones in moot's words, and adds a link to the
    report to the results of tools."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context | None = None
    ) -> CallToolResult | InputRequiredResult:
        tool = self._tool_manager.get_tool(name)
        if tool is None:
            names = [tool.name for tool in self._tool_manager.list_tools()]
            raise ToolError(f"there is no tool {clip(one_line(name), 60)!r}: {nearest(name, names)}")
        known = list(tool.parameters.get("properties", {}))
        for key in arguments.keys() - set(known):
            # The library would ignore it, and a mistyped `plan_only` would spend money.
            raise ToolError(f"unknown argument `{clip(one_line(key), 60)}`: {nearest(key, known)}")
        try:
            result = await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                faults = "; ".join(faults_in(tool.fn_metadata.arg_model, error.__cause__, []))
                raise ToolError(clip(printable(faults), LONGEST_ERROR)) from None
            raise
        if isinstance(result, CallToolResult) and isinstance(result.structured_content, dict):
            uri = result.structured_content.get("report")
            if isinstance(uri, str):
                link = ResourceLink(uri=uri, name="report.md", title="The report", mime_type="text/markdown")
                result.content.append(link)
        return result


def pass_on_errors(
    host: Host, kind: type[MCPServerError] = ToolError, missing: type[MCPServerError] = ToolError
) -> Callable[[Callable[P, Coroutine[Any, Any, T]]], Callable[P, Coroutine[Any, Any, T]]]:
    """Pass moot's own errors on to the assistant, as errors of this kind, or as `missing` if there is no such
    run. The library hides all others."""

    def decorate(tool: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
        @wraps(tool)
        async def wrapper(*args: P.args, **kwargs: P.kwargs) -> T:
            try:
                return await tool(*args, **kwargs)
            except moot.MootError as error:
                raise (missing if isinstance(error, NoSuchRun) else kind)(printable(host.message_for(error))) from None

        return wrapper

    return decorate
