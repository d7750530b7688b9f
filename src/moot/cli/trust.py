"""The command that trusts files of a project."""

from pathlib import Path

import click

import moot
from moot.plugins.files import project_file
from moot.plugins.trust import is_trusted, trust
from moot.text import printable
from moot.text.yaml import parse_yaml, read_file


@click.command("trust")
@click.argument("file", required=False, type=click.Path(path_type=Path), metavar="[FILE]")
@click.option("--yes", is_flag=True, help="Trust the file without asking.")
def trust_(file: Path | None, yes: bool) -> int:
    """Trust the moot.yaml in this folder, or another settings file.

    Shows the whole file and asks. Until you trust it, a moot.yaml in a project can only lower limits and add
    requirements, and a debate file or policy of the project cannot be used for a gate. After any change you have to
    trust the file again. The programs and plug-ins that it names are not part of it: they can change unasked.
    """
    file = file or project_file()
    if not file.is_file():
        raise moot.ConfigError(f"there is no {file} here")
    content = read_file(file)
    parse_yaml(content, str(file), may_be_empty=True)
    known = is_trusted(file)
    click.echo(printable(f"{file.absolute()}:"))
    for line in content.decode("utf-8", "replace").splitlines():
        click.echo(f"  {printable(line)}")
    if known:
        click.echo("You have trusted this already.")
        return 0
    if not yes:
        click.confirm("Trust all of it?", abort=True)
    place = trust(file, content)
    click.echo(
        f"These settings are used from now on. This is kept in {place}; to withdraw trust, remove its line there."
    )
    return 0
