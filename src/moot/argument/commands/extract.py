"""The command that extracts arguments from a debate of any protocol: `moot argue extract`."""

import asyncio
from typing import Any

import click

import moot
from moot.cli.notes import tell
from moot.cli.options import JSON, LIMIT_OPTIONS, MODEL_OPTIONS, OUT, print_json, runs_folder, settings_of, with_options
from moot.cli.run_names import LATEST_RUN
from moot.text import printable


@click.command()
@LATEST_RUN
@with_options(MODEL_OPTIONS)
@with_options(LIMIT_OPTIONS)
@OUT
@JSON
def extract(name: str, out: str | None, as_json: bool, **settings: Any) -> int:
    """Have a model extract the arguments of a debate as a graph.

    Each argument is anchored to its entry and its exact words; if the words are not in the entry, it is rejected. The
    graph is arguments.json in the run's folder, with the anchors next to it. Running the command again continues where
    it stopped.
    """
    run = moot.find_run(name, runs_folder(out))
    found = asyncio.run(moot.extract(run, **settings_of(**settings)))
    if as_json:
        print_json(found.model_dump(mode="json"))
        return 0
    for one in found.arguments:
        click.echo(printable(f"{one.name}  entry {one.entry}, {one.speaker}: {one.text}"))
    for link in found.relations:
        click.echo(f"{link.source} {link.kind}s {link.target}")
    for told in (*(f"refused: {one}" for one in found.refused), *(f"failed: {one}" for one in found.failures)):
        tell(told)
    click.echo(printable(f"{run.address}/arguments.json"))
    return 1 if found.failures else 0
