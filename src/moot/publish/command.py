"""The command that publishes debates."""

import asyncio
from pathlib import Path

import click

from moot.cli.options import OUT, runs_folder
from moot.cli.run_names import RUNS, runs_named
from moot.publish.folder import publish
from moot.text import printable


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@RUNS
@click.option("--title", default="Debates", show_default=True, metavar="TEXT", help="The title of the site.")
@click.option("--url", default="", metavar="ADDRESS", help="Where the site will be, for previews of links.")
@OUT
def bundle(folder: Path, names: tuple[str, ...], title: str, url: str, out: str | None) -> int:
    """Write a site of chosen debates, which needs no server.

    DIR gets an index with a search, and a page for each RUN that can be played back.
    Private thoughts are left out; documents that the agents were given are shown. RUN can be the name of a batch. A
    site that is there is replaced as a whole; a folder with anything else in it, or with pages that were changed, is
    refused.
    """
    place = runs_folder(out)
    runs = [run for name in names for run in runs_named(name, place)]
    written = asyncio.run(publish(runs, folder, title=title, address=url))
    pages = sum(name.endswith(".html") for name in written) - 1
    click.echo(printable(f"{folder / 'index.html'}: {pages} debate{'s' * (pages != 1)}"))
    return 0
