"""The command that runs a file: a debate in YAML, or a protocol in Python."""

from pathlib import Path
from typing import Any

import click

import moot
from moot.cli.additions import Additions, addition_options
from moot.cli.options import Output, run_options, settings_of, with_options, with_output
from moot.cli.protocols import RunCommand
from moot.cli.stage import stage


@click.command(cls=RunCommand)
@click.argument("file", type=click.Path(path_type=Path))
@with_options(addition_options("run"))
@with_options(run_options())
@with_output
def run(file: Path, output: Output, **settings: Any) -> int:
    """Run a debate from a file, or with your own protocol.

    FILE.yaml is a debate file. FILE.py contains a protocol; its topic and options follow.
    """
    additions = Additions.out_of(settings)
    given = settings_of(**settings)
    config = moot.configure(file=file, **given, **additions.settings(None, given))
    return stage(additions.fit(config), output, additions)
