"""The command that makes a key for receipts."""

import os
from pathlib import Path

import click

import moot
from moot.report.signing import make_key
from moot.text import printable


@click.command()
@click.argument("path", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--name", default="", metavar="NAME", help="Name of the signer, shown on receipts.")
def key(path: Path, name: str) -> int:
    """Make a key to sign receipts with.

    FILE is the private key; give FILE.pub to people who check your receipts. With MOOT_SIGNING_KEY=FILE, moot signs
    every receipt.
    """
    if len(name.splitlines()) > 1:
        raise moot.ConfigError("a name is one line")
    secret, public = make_key(name)
    beside = path.with_name(f"{path.name}.pub")
    if beside.exists():
        raise moot.ConfigError(f"{beside} is there already; give the key another name")
    try:
        # Private from the start, and never over an existing key.
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(f"{secret}\n")
        beside.write_text(f"{public.line}\n", "utf-8")
    except OSError as error:
        raise moot.ConfigError(f"{path} cannot be written: {error.strerror}") from error
    click.echo(f"{path} signs as {printable(name) or 'nobody in particular'} ({public.fingerprint}).")
    click.echo(f"Give {beside} to those who check, and set MOOT_SIGNING_KEY={path}")
    return 0
