"""Commands for other programs that add to a debate."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

import moot
from moot.cli.options import JSON, OUT, decoded, print_json, runs_folder, stdin_text
from moot.cli.run_names import RUN
from moot.text import printable
from moot.text.json import parse_json
from moot.text.yaml import read_file


@click.group()
def log() -> None:
    """Add entries to a debate from another program."""


@log.command()
@RUN
@click.option("--phase", required=True, metavar="PHASE", help="Phase of the protocol, such as rebuttal.")
@click.option("--speaker", required=True, metavar="NAME", help="Author of the entry.")
@click.option("--type", "entry_type", required=True, metavar="TYPE", help="Type of the entry, such as note.")
@click.option(
    "--content-file",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File with the text; - reads standard input.",
)
@click.option("--sources", metavar="JSON", default="[]", help="Sources, as a list of {url, title, accessed}.")
@click.option("--rebuttal-to", type=int, metavar="SEQ", help="Number of the entry it answers.")
@click.option("--target", type=int, metavar="SEQ", help="Number of the entry it is about.")
@click.option("--call", metavar="CALL", help="With --type answer: the question, as `moot log next` shows it.")
@OUT
def append(name: str, content_file: Path, sources: str, entry_type: str, out: str | None, **fields: Any) -> int:
    """Add one entry, and print its number.

    The entry is marked as coming from outside: no agent sees it, and it does not change the outcome. With --type answer
    it is the answer of an outside agent, which takes part in the debate.
    """
    run = moot.find_run(name, runs_folder(out))
    content = stdin_text("content") if str(content_file) == "-" else decoded(read_file(content_file), str(content_file))
    try:
        cited = parse_json(sources)
    except ValueError as error:
        raise moot.ConfigError(f"--sources is not JSON: {error}") from error
    if not isinstance(cited, list):
        raise moot.ConfigError("--sources must be a JSON list of {url, title, accessed}")
    click.echo(moot.append_outside(run, type=entry_type, content=content, sources=cited, **fields))
    return 0


@log.command("next")
@RUN
@click.option("--role", required=True, metavar="ROLE", help="Role that the program plays.")
@JSON
@OUT
def next_question(name: str, role: str, as_json: bool, out: str | None) -> int:
    """Show the first question that a role has not answered yet.

    The exit code is 1 if there is no such question.
    """
    found = moot.next_question(moot.find_run(name, runs_folder(out)), role)
    if as_json:
        print_json(asdict(found) if found else None)
    elif found is not None:
        click.echo(printable(f"phase: {found.phase}\ncall: {found.call}\n\n{found.asked}"))
    else:
        click.echo(f"No question waits for the {role}.")
    return 0 if found else 1
