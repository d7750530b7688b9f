"""The commands that publish debates, and keep decision records of them."""

import asyncio
from pathlib import Path

import click

from moot.cli.notes import tell
from moot.cli.options import JSON, OUT, print_json, runs_folder
from moot.cli.run_names import RUNS, complete_run, runs_named
from moot.publish.decisions import INDEX, keep_decisions
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


@click.command()
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@click.argument("names", metavar="[RUN]…", nargs=-1, shell_complete=complete_run)
@OUT
@JSON
def decisions(folder: Path, names: tuple[str, ...], out: str | None, as_json: bool) -> int:
    """Write decision records (ADRs) to a folder, with an index.

    Each RUN without a record in FOLDER gets the next number (0007-TITLE.md, MADR 4.0), and README.md lists all records.
    RUN can be a batch. moot never changes an existing record, so you can edit it; keep the hash of the log in it.
    Without RUN, only the index is rewritten.
    """
    place = runs_folder(out)
    kept = asyncio.run(keep_decisions(folder, [run for name in names for run in runs_named(name, place)]))
    if as_json:
        records = [{"file": str(path), "written": written} for path, written in kept.items()]
        print_json({"index": str(folder / INDEX), "records": records})
        return 0
    for path, written in kept.items():
        click.echo(printable(str(path)))
        if not written:
            tell(f"{path.name} was there already, and is left as it is")
    if not names:
        click.echo(printable(str(folder / INDEX)))
    return 0
