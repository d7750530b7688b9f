"""Argument graphs in files, for the commands that read them; and how names and losses are printed."""

import json
import math
import re
import sys
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

import moot
from moot.cli.notes import tell

if TYPE_CHECKING:
    from moot.argument import Graph

# The library, with numpy behind it, is loaded by the command that uses it; a test compares these lists with it.
READABLE = "af, apx, tgf, json"
FORMATS = f"{READABLE}, argdown, dot, mermaid"
SEMANTICS = "CO, GR, ID, PR, SST, ST"
GRADUAL = "moot, dfquad, energy, euler, mlp"
FILE = click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
FORMAT = click.option(
    "--format", "form", metavar="FORMAT", help=f"Format of the file: {READABLE}.  [default: from its name]"
)
LONGEST_TIMEOUT = 1_000_000
"""In seconds, more than eleven days."""


def _seconds(value: str) -> float:
    """A time limit: a number above 0, and not one that no clock reaches."""
    try:
        seconds = float(value)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= LONGEST_TIMEOUT:
        raise moot.ConfigError(f"--timeout takes seconds above 0 and up to {LONGEST_TIMEOUT:,}, not {value!r}")
    return seconds


TIMEOUT = click.option(
    "--timeout",
    metavar="SECONDS",
    callback=lambda _context, _option, value: None if value is None else _seconds(value),
    help="Stop after this many seconds.",
)
_PLAIN = re.compile(r'[^\s,\[\]"]+')


def read_graph(file: Path, form: str | None) -> "Graph":
    from moot.argument import formats

    if file.is_dir():
        raise moot.ConfigError(
            f"{file} is a folder, not a graph; the graph of a debate: "
            f"moot export {quote(str(file))} --to graph -o graph.json"
        )
    if str(file) != "-":
        return formats.read(file, form)
    if sys.stdin is None:
        raise moot.ConfigError("there is no standard input to read the graph from")
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise moot.ConfigError(f"standard input is not UTF-8 text (byte {error.start})") from error
    if form is None:
        form = formats.guess(text)
        tell(f"standard input looks like {form} and is read as that")
    return formats.read(text, form)


def word(name: str) -> str:
    """A name as one word: unchanged, or quoted as in JSON if it contains blanks, commas, brackets or similar."""
    return name if _PLAIN.fullmatch(name) and name.isprintable() else json.dumps(name)
