"""The command that trusts the moot.yaml of a project."""

import shlex
from typing import Any

import click

import moot
from moot.plugins.files import project_file
from moot.plugins.trust import parts_to_trust, trust
from moot.text import clip, one_line
from moot.text.yaml import read_yaml

LONGEST = 200


@click.command("trust")
def trust_() -> int:
    """Trust the moot.yaml in this folder, and print what it runs.

    The file of a project can name plug-ins, programs and servers, which run with your rights. None of it is used before
    you have trusted it here, nor after a change in those parts.
    """
    file = project_file()
    if not file.is_file():
        raise moot.ConfigError(f"there is no {file} in this folder")
    content = read_yaml(file, may_be_empty=True)
    parts = parts_to_trust(content)
    if not parts:
        click.echo(f"{file} names nothing that runs; there is nothing to trust.")
        return 0
    place = trust(file, content)
    click.echo(f"From now on these parts of {file.absolute()} are used:")
    for key, part in parts.items():
        for line in _told(part):
            click.echo(f"  {key}: {clip(one_line(line), LONGEST)}")
    click.echo(f"This is kept in {place}; take its line out to end it.")
    return 0


def _told(part: Any) -> list[str]:
    if not isinstance(part, dict):
        return [str(one) for one in part] if isinstance(part, list) else [str(part)]
    return [f"{name}, {_how(one)}" for name, one in part.items()]


def _how(declared: Any) -> str:
    """What is run or asked for one declaration."""
    run = declared.get("run") if isinstance(declared, dict) else None
    if isinstance(run, list):
        return f"runs {shlex.join(map(str, run))}"
    return f"runs {run}" if run else str(declared)
