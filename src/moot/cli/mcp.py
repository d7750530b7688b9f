"""The command that serves assistants over standard input and output."""

import click

import moot
from moot.cli.options import OUT, runs_folder


@click.command()
@click.option(
    "--max-debates", type=click.IntRange(1), default=4, show_default=True, metavar="N", help="Debates at once."
)
@OUT
def mcp(max_debates: int, out: str | None) -> int:
    """Serve assistants by the Model Context Protocol.

    Speaks on standard input and output: an assistant starts this command itself. Over HTTP, `moot serve` answers at
    /mcp.
    """
    try:
        from moot.mcp.server import make_server
    except ImportError as error:
        raise moot.ConfigError("this needs the protocol's library: pip install 'moot[mcp]'") from error
    from moot.hosting import Host

    make_server(Host(runs_folder(out), max_debates)).run("stdio")
    return 0
