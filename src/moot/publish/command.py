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
@click.option("--title", default="Debates", show_default=True, metavar="TEXT", help="Title of the site.")
@click.option("--url", default="", metavar="ADDRESS", help="URL of the published site, for link previews.")
@OUT
def bundle(folder: Path, names: tuple[str, ...], title: str, url: str, out: str | None) -> int:
    """Publish selected debates as a static site.

    Writes to DIR an index with search and a page for each RUN, which can be played back. Private thoughts are left out;
    the agents' documents are shown. RUN can be a batch. An existing site is replaced as a whole, but not a folder with
    other files or with edited pages.
    """
    place = runs_folder(out)
    runs = [run for name in names for run in runs_named(name, place)]
    written = asyncio.run(publish(runs, folder, title=title, address=url))
    pages = sum(name.endswith(".html") for name in written) - 1
    click.echo(printable(f"{folder / 'index.html'}: {pages} debate{'s' * (pages != 1)}"))
    return 0
