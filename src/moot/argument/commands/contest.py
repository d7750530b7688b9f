"""The command that contests a verdict: the verdict with other arguments."""

from pathlib import Path

import click

import moot
from moot.argument.commands.files import FORMAT, read_graph
from moot.cli.options import JSON, OUT, print_json, runs_folder, with_options
from moot.cli.run_names import LATEST_RUN
from moot.text import printable

EDITS = [
    click.option(
        "--reject", multiple=True, metavar="A5", help="Remove an argument, or a relation: A5:A1, A5:A1:support."
    ),
    click.option(
        "--add",
        multiple=True,
        metavar="NAME=TEXT",
        help="Add an argument; --attack, --undercut, --support relate it.",
    ),
    click.option("--attack", multiple=True, metavar="FROM:TO", help="Add a rebuttal."),
    click.option("--undercut", multiple=True, metavar="FROM:TO", help="Add an undercut."),
    click.option("--support", multiple=True, metavar="FROM:TO", help="Add a support."),
    click.option("--weigh", multiple=True, metavar="A3=0.9", help="Set the base score of an argument."),
]


@click.command()
@LATEST_RUN
@with_options(EDITS)
@FORMAT
@OUT
@JSON
def contest(name: str, form: str | None, out: str | None, as_json: bool, **edits: tuple[str, ...]) -> int:
    """Remove or add arguments and see whether the verdict changes.

    Arguments and relations can be rejected, added or given other weights. RUN is a debate that an argument graph
    decided, or one from which `moot argue extract` took a graph; or a file with a graph, whose scores are compared, and
    - for standard input. No model is called, and nothing is changed. A relation is written A5:A1, with its kind
    (A5:A1:support, rebut or undercut) if the two have more than one.
    """
    file = Path(name)
    is_graph = name == "-" or form is not None or file.is_file()
    if not is_graph and not file.exists() and file.suffix in _suffixes():
        raise moot.ConfigError(f"there is no file {name}")
    given = {key: list(values) for key, values in edits.items()}
    if is_graph:
        contested = moot.contest(read_graph(file, form), **given)
    else:
        contested = moot.contest(moot.find_run(name, runs_folder(out)), **given)
    if as_json:
        print_json(contested.document())
    else:
        click.echo(printable(contested.summary))
    return 0


def _suffixes() -> set[str]:
    """The endings of files with graphs: a name with one is no run."""
    from moot.argument.formats import FORMATS

    return {suffix for form in FORMATS.values() for suffix in form.suffixes}
