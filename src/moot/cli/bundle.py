"""Commands that write chosen debates into a folder: as a site, and as decision records."""

import asyncio
from pathlib import Path

import click

import moot
from moot.cli.notes import tell
from moot.cli.options import JSON, OUT, print_json, runs_folder
from moot.cli.run_names import RUNS, complete_run
from moot.engine.staging.finding import find_study
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
    from moot.runs.publish import publish

    place = runs_folder(out)
    runs = [run for name in names for run in _runs(name, place)]
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
    """Keep a folder of decision records, with an index.

    Each RUN that has no record in FOLDER gets the next number (0007-TITLE.md, in the form of MADR 4.0), and README.md
    gets the index of all records. RUN can be the name of a batch. A record that is there is never changed, so edit it
    as you like; only leave the hash of the log in it. Without RUN, the index is written again.
    """
    from moot.runs.decisions import INDEX, keep_decisions

    place = runs_folder(out)
    kept = asyncio.run(keep_decisions(folder, [run for name in names for run in _runs(name, place)]))
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


def _runs(name: str, out: str) -> list[moot.Run]:
    study = find_study(name, out)
    return study.runs() if study else [moot.find_run(name, out)]
