"""Commands on argument graphs in files, without debates or models: solve, score, convert, draw."""

import json
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

import moot
from moot.cli.extract import extract
from moot.cli.options import JSON, print_json, put_text
from moot.text import printable

if TYPE_CHECKING:
    from moot.argument import Graph
    from moot.argument.gradual import Scores

# The library, with numpy behind it, is loaded by the command that uses it; a test compares these lists with it.
FORMATS = "af, apx, tgf, aif, argdown, dot, mermaid, graphml, json"
SEMANTICS = "AD, CF, CO, EA, GR, ID, NA, PR, SST, ST, STG"
GRADUAL = "moot, hcat, weighted_hcat, dfquad, energy, euler, mlp"
READINGS = "DEFAULT, SIMPLE_DEDUCTIVE, DEDUCTIVE, CLOSED_DEDUCTIVE, SIMPLE_NECESSITY, NECESSITY"
TASKS = ("EE", "SE", "DC", "DS", "CE")
FILE = click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
FORMAT = click.option(
    "--format", "form", metavar="FORMAT", help=f"The file's format, if not as its ending says: {FORMATS}."
)
OUTPUT = click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="A file instead of stdout."
)
_PLAIN = re.compile(r'[^\s,\[\]"]+')


@click.group()
def argue() -> None:
    """Solve, score, convert and draw argument graphs in files.

    FILE is read in any of the formats; - reads standard input.
    """


argue.add_command(extract)


@argue.command()
@FILE
@click.option("-s", "--semantics", metavar="NAME", help=f"One of {SEMANTICS}.")
@click.option(
    "-p", "--task", required=True, metavar="TASK",
    help="EE all extensions, SE one, CE how many; DC, DS whether some, every one holds --arg. Or as EE-PR.",
)  # fmt: skip
@click.option("-a", "--arg", metavar="NAME", help="The argument that DC and DS ask about.")
@click.option("--supports", "reading", metavar="READING", help=f"Read supports as further attacks: {READINGS}.")
@FORMAT
@JSON
def solve(
    file: Path,
    semantics: str | None,
    task: str,
    arg: str | None,
    reading: str | None,
    form: str | None,
    as_json: bool,
) -> int:
    """Answer a question about extensions, as ICCMA asks.

    An extension is printed as `w` and its members (SE, and behind YES or NO), all of them as a list of lists.
    """
    from moot import argument

    word, _, behind = task.upper().partition("-")
    if behind and semantics and behind != semantics.upper():
        raise moot.ConfigError(f"--task says {behind} and --semantics {semantics}")
    semantics = (behind or semantics or "").upper()
    if word not in TASKS:
        raise moot.ConfigError(f"there is no task {word!r}; there are {', '.join(TASKS)}")
    if not semantics:
        raise moot.ConfigError(f"say which semantics: {SEMANTICS}")
    if (arg is not None) != (word in ("DC", "DS")):
        raise moot.ConfigError(
            f"{word} asks about {'no one argument' if arg is not None else 'an argument: --arg NAME'}"
        )
    graph = _abstract(_read(file, form), reading)
    if word == "EE":
        _print_all(graph, semantics, as_json)
    elif word == "CE":
        number = argument.count(graph, semantics)
        if as_json:
            print_json({"task": word, "semantics": semantics, "count": number})
        else:
            click.echo(number)
    elif word == "SE":
        _print_answer(graph, (word, semantics), None, argument.extension(graph, semantics), as_json)
    else:
        ask = argument.credulous if word == "DC" else argument.sceptical
        answer = ask(graph, semantics, arg or "")
        _print_answer(graph, (word, semantics), answer.accepted, answer.certificate, as_json)
    return 0


@argue.command()
@FILE
@click.option("-s", "--semantics", metavar="NAME", default="moot", show_default=True, help=f"One of {GRADUAL}.")
@FORMAT
@JSON
def score(file: Path, semantics: str, form: str | None, as_json: bool) -> int:
    """Score every argument from 0 to 1 by a gradual semantics."""
    from moot.argument.gradual import scores

    graph = _read(file, form)
    found = scores(graph, semantics)
    if as_json:
        facts = ("semantics", "converged", "residual", "certificate", "unique", "stable", "iterations")
        rows = [
            {"name": name, "score": found[name], "bounds": found.bounds(name), "state": found.state(name)}
            for name in graph.names
        ]
        print_json({fact: getattr(found, fact) for fact in facts} | {"arguments": rows})
    else:
        _print_scores(graph, found)
    return 0


@argue.command()
@FILE
@click.option("--to", "target", metavar="FORMAT", help=f"One of {FORMATS}; else as the ending of --output says.")
@FORMAT
@OUTPUT
def convert(file: Path, target: str | None, form: str | None, output: Path | None) -> int:
    """Write a graph in another format.

    What that cannot hold is said on standard error.
    """
    from moot.argument import formats

    if target is None:
        if output is None:
            raise moot.ConfigError(f"say which format: --to {FORMATS.replace(', ', '|')}")
        target = next((one.name for one in formats.FORMATS.values() if output.suffix in one.suffixes), None)
        if target is None:
            raise moot.ConfigError(f"the ending of {output.name} is of no format; say which: --to {FORMATS}")
    graph = _read(file, form)
    with _saying_losses():
        text = formats.write(graph, target)
    put_text(text, output)
    return 0


@argue.command()
@FILE
@click.option("--scores", "semantics", metavar="NAME", help=f"Show scores by one of {GRADUAL}.")
@click.option("--text", "as_text", is_flag=True, help="An indented text instead of a picture (SVG).")
@FORMAT
@OUTPUT
def draw(file: Path, semantics: str | None, as_text: bool, form: str | None, output: Path | None) -> int:
    """Draw the map of a graph, as SVG or text.

    Attacks, undercuts and supports differ in line and head as well as in colour.
    """
    from moot.argument.draw import draw as picture
    from moot.argument.draw import text_map
    from moot.argument.gradual import scores

    graph = _read(file, form)
    shown = None
    if semantics:
        found = scores(graph, semantics)
        _say_unsettled(found)
        shown = found.by_name
    put_text(text_map(graph, shown) if as_text else picture(graph, shown), output)
    return 0


def _read(file: Path, form: str | None) -> "Graph":
    from moot.argument import formats

    with _saying_losses():
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
            _note(f"standard input looks like {form} and is read as that")
        return formats.read(text, form)


def _abstract(graph: "Graph", reading: str | None) -> "Graph":
    """The graph for the semantics: supports become attacks, or are ignored with a warning."""
    from moot.argument.bipolar import abstract

    if reading is not None:
        return abstract(graph, reading.upper())
    if len(graph.supports):
        _note(f"supports ({len(graph.supports)}) are not looked at; --supports reads them as further attacks")
    return graph


def _print_all(graph: "Graph", semantics: str, as_json: bool) -> None:
    """Print all extensions in one list. Except in JSON, each is printed as soon as it is found."""
    from moot import argument

    found = argument.extensions(graph, semantics)
    if as_json:
        print_json({"task": "EE", "semantics": semantics, "extensions": [_members(graph, one) for one in found]})
        return
    click.echo("[", nl=False)
    for number, one in enumerate(found):
        click.echo(f"{',' if number else ''}[{','.join(map(_word, _members(graph, one)))}]", nl=False)
    click.echo("]")


def _print_answer(
    graph: "Graph", asked: tuple[str, str], accepted: bool | None, shown: frozenset[str] | None, as_json: bool
) -> None:
    """Print YES or NO if that was the question, and the extension that proves it."""
    members = None if shown is None else _members(graph, shown)
    if as_json:
        answer = {"extension": members} if accepted is None else {"accepted": accepted, "certificate": members}
        print_json({"task": asked[0], "semantics": asked[1], **answer})
        return
    if accepted is not None or members is None:
        click.echo("YES" if accepted else "NO")
    if members is not None:
        click.echo(" ".join(["w", *map(_word, members)]))


def _members(graph: "Graph", extension: frozenset[str]) -> list[str]:
    return sorted(extension, key=graph.number)


def _word(name: str) -> str:
    """A name as one word: unchanged, or quoted as in JSON if it contains blanks, commas, brackets or similar."""
    return name if _PLAIN.fullmatch(name) and name.isprintable() else json.dumps(name)


def _print_scores(graph: "Graph", found: "Scores") -> None:
    labels = [" ".join(printable(name).split()) for name in graph.names]
    width = max(map(len, labels), default=0)
    lines = []
    for name, label in zip(graph.names, labels, strict=True):
        value = found[name]
        low, high = found.bounds(name)
        figure = f"{value:.6f}" if value is not None else f"{low:.6f}..{high:.6f}"
        lines.append(f"{label:{width}}  {figure}  {found.state(name)}\n")
    click.echo("".join(lines), nl=False)
    _say_unsettled(found)


def _say_unsettled(found: "Scores") -> None:
    if not found.converged:
        _note(f"{len(found.unsettled)} of {len(found.graph)} arguments did not settle under {found.semantics}")
    elif not found.unique:
        _note(f"it is not proven that these are the only scores that fit {found.semantics}")


@contextmanager
def _saying_losses() -> Iterator[None]:
    from moot.argument.formats import Loss

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", Loss)
        yield
    for one in caught:
        _note(str(one.message))


def _note(message: str) -> None:
    click.echo(printable(f"moot: {message}"), err=True)
