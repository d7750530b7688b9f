"""Notes to whoever gives a command, on standard error."""

import shutil
import sys

import click

from moot.text import printable


def tell(message: str) -> None:
    """Say something beside the output of a command."""
    click.echo(fitted(printable(f"moot: {message}")), err=True)


def fitted(message: str) -> str:
    """The message, broken between words if somebody reads it on a terminal."""
    if not sys.stderr.isatty():
        return message
    from moot.cli.wording import at_words

    return at_words(message, shutil.get_terminal_size().columns)
