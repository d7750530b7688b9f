"""The command that trusts files of a project."""

from pathlib import Path
from typing import Any

import click

import moot
from moot.plugins.files import project_file
from moot.plugins.trust import trust
from moot.text import clip, one_line
from moot.text.yaml import read_yaml

LONGEST = 200


@click.command("trust")
@click.argument("file", required=False, type=click.Path(path_type=Path), metavar="[FILE]")
def trust_(file: Path | None) -> int:
    """Trust the moot.yaml in this folder, or another settings file.

    Until you trust it, a moot.yaml in a project can only lower limits and add requirements, and a debate file or policy
    of the project cannot be used for a gate. After any change you have to trust the file again.
    """
    file = file or project_file()
    if not file.is_file():
        raise moot.ConfigError(f"there is no {file} here")
    content = read_yaml(file, may_be_empty=True)
    place = trust(file)
    click.echo(f"From now on these settings of {file.absolute()} are used:")
    for key, value in content.items():
        for line in _lines(value):
            click.echo(f"  {one_line(key)}: {clip(one_line(line), LONGEST)}")
    click.echo(f"This is kept in {place}; take its line out to end it.")
    return 0


def _lines(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [f"{name}: {one}" for name, one in value.items()]
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]
