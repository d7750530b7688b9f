"""Waiting for what is said in a debate, with progress for the assistant."""

import asyncio
from contextlib import aclosing

from mcp.server.mcpserver import Context

import moot
from moot.service.host import Host
from moot.service.news import Ended, Written
from moot.text import clip, one_line

READING = 30.0
"""The time limit for reading a finished debate, in seconds."""
MOST_ENTRIES = 200
LONGEST_MESSAGE = 200


async def follow(
    host: Host, run: str, after: int, seconds: float, ctx: Context
) -> tuple[list[moot.Entry], Ended | None]:
    """The entries after `after` within that time, and how the debate ended if it did. Each entry is progress."""
    entries: list[moot.Entry] = []
    over = not await asyncio.to_thread(host.running, await host.found(run))
    try:
        # A caller that does not wait also learns how a finished debate ended.
        async with (
            asyncio.timeout(max(seconds, READING) if over else seconds),
            aclosing(host.follow(run, after)) as news,
        ):
            async for item in news:
                if isinstance(item, Ended):
                    return entries, item
                if isinstance(item, Written) and not item.again:
                    entries.append(item.entry)
                    said = clip(one_line(f"{item.entry.speaker}: {item.entry.type}"), LONGEST_MESSAGE)
                    await ctx.report_progress(item.entry.seq + 1, None, said)
                    if len(entries) == MOST_ENTRIES:
                        break
    except TimeoutError:
        pass
    return entries, None
