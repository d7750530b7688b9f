"""Starting debates for an assistant and waiting for what is said in them, and for questions to the assistant itself."""

import asyncio
from contextlib import aclosing

from mcp.server.mcpserver import Context
from mcp_types import InputRequiredResult

import moot
from moot.mcp.sampling import MOST_ROUNDS, Line, client_models
from moot.service.host import Ended, Host, Written

READING = 30.0
"""The time limit for reading a finished debate, in seconds."""
MOST_ENTRIES = 200
Lines = dict[str, Line]
"""Ways to assistants through which debates speak, by run."""


async def start(host: Host, lines: Lines, config: moot.RunConfig, ctx: Context) -> str:
    line = Line.of(ctx, config.options.timeout)
    models = client_models(config, line)
    run = await host.start(config, models)
    keep_line(host, lines, run, line if models else None)
    return run


def keep_line(host: Host, lines: Lines, run: str, line: Line | None) -> None:
    for over in lines.keys() - set(host.under_way):
        del lines[over]
    if line is not None and not line.at_any_time:
        lines[run] = line


async def wait_answering(
    host: Host, lines: Lines, run: str, after: int, seconds: float, ctx: Context
) -> tuple[list[moot.Entry], Ended | None, InputRequiredResult | None]:
    """As `_wait`, or sooner with questions that the assistant is to answer in the same call."""
    line = lines.get(run)
    if line is None:
        return *await _wait(host, run, after, seconds, ctx), None
    line.answered(ctx.input_responses or {})
    rounds = int((ctx.request_state or "#0").rpartition("#")[2]) + 1
    waiting = asyncio.create_task(_wait(host, run, after, seconds, ctx))
    asked = asyncio.create_task(line.asked())
    try:
        if rounds <= MOST_ROUNDS:
            await asyncio.wait([waiting, asked], return_when=asyncio.FIRST_COMPLETED)
            if not waiting.done():
                return [], None, line.questions(f"{run}#{rounds}")
        return *await waiting, None
    finally:
        waiting.cancel()
        asked.cancel()


async def _wait(
    host: Host, run: str, after: int, seconds: float, ctx: Context
) -> tuple[list[moot.Entry], Ended | None]:
    """The entries after `after` within that time, and how the debate ended if it did. Reports progress by entry."""
    entries: list[moot.Entry] = []
    ended: Ended | None = None
    found = await host.found(run)
    over = not await asyncio.to_thread(host.running, found)
    try:
        # A caller that does not wait also learns how a finished debate ended.
        async with (
            asyncio.timeout(max(seconds, READING) if over else seconds),
            aclosing(host.follow(run, after)) as news,
        ):
            async for one in news:
                if isinstance(one, Ended):
                    ended = one
                elif isinstance(one, Written) and not one.again:
                    entries.append(one.entry)
                    await ctx.report_progress(one.entry.seq + 1, message=f"{one.entry.speaker}: {one.entry.type}")
                    if len(entries) == MOST_ENTRIES:
                        break
    except TimeoutError:
        pass
    return entries, ended
