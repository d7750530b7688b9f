"""The command that serves assistants over standard input and output."""

import asyncio

import click

from moot.cli.options import OUT, runs_folder
from moot.cli.ranges import Whole


@click.command()
@click.option(
    "--max-debates",
    type=Whole(1),
    default=4,
    show_default=True,
    metavar="N",
    help="Maximum number of debates running at once.",
)
@OUT
def mcp(max_debates: int, out: str | None) -> int:
    """Start an MCP server for AI assistants.

    Uses standard input and output: an assistant starts this command itself. Over HTTP, `moot serve` answers at /mcp.
    """
    from moot.mcp.server import serve_standard_streams
    from moot.service.host import Host

    asyncio.run(serve_standard_streams(Host(runs_folder(out), max_debates)))
    return 0
