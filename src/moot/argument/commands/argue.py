"""Commands on argument graphs in files, without debates or models: solve, score, why, convert, draw."""

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import click

import moot
from moot.argument.commands.files import FILE, FORMAT, FORMATS, GRADUAL, read_graph
from moot.argument.commands.solve import solve
from moot.argument.commands.why import why
from moot.cli.notes import tell
from moot.cli.options import JSON, print_json, put_text
from moot.text import printable

if TYPE_CHECKING:
    from moot.argument import Graph
    from moot.argument.gradual import Scores

OUTPUT = click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write to a file instead of stdout."
)


class Argue(click.Group):
    """A group that imports `extract`, and with it the debate code, only on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), "extract"])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == "extract":
            from moot.argument.commands.extract import extract

            return extract
        return super().get_command(ctx, cmd_name)


@click.group(cls=Argue)
def argue() -> None:
    """Solve, score, explain and draw argument graphs.

    FILE is read in one of the formats that hold a graph as data; - reads standard input.
    """


argue.add_command(solve)
argue.add_command(why)


@argue.command()
@FILE
@click.option("-s", "--semantics", metavar="NAME", default="moot", show_default=True, help=f"Semantics: {GRADUAL}.")
@FORMAT
@JSON
def score(file: Path, semantics: str, form: str | None, as_json: bool) -> int:
    """Score every argument from 0 to 1 with a gradual semantics."""
    from moot.argument.gradual import scores

    graph = read_graph(file, form)
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
@click.option("--to", "target", metavar="FORMAT", help=f"Format: {FORMATS}.  [default: from --output]")
@FORMAT
@OUTPUT
def convert(file: Path, target: str | None, form: str | None, output: Path | None) -> int:
    """Convert a graph to another format.

    Losses in the conversion are reported on standard error.
    """
    from moot.argument import formats

    if target is None:
        if output is None:
            raise moot.ConfigError(f"say which format: --to {FORMATS.replace(', ', '|')}")
        target = next((one.name for one in formats.FORMATS.values() if output.suffix in one.suffixes), None)
        if target is None:
            raise moot.ConfigError(f"the ending of {output.name} is of no format; say which: --to {FORMATS}")
    graph = read_graph(file, form)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", formats.Loss)  # they are told below
        text = formats.write(graph, target)
    if lost := formats.losses(graph, target):
        tell(f"{target} does not hold {', '.join(lost)}")
    put_text(text, output)
    return 0


@argue.command()
@FILE
@click.option("--scores", "semantics", metavar="NAME", help=f"Show scores: {GRADUAL}.")
@click.option("--text", "as_text", is_flag=True, help="Write indented text instead of SVG.")
@FORMAT
@OUTPUT
def draw(file: Path, semantics: str | None, as_text: bool, form: str | None, output: Path | None) -> int:
    """Draw a graph as SVG or text.

    Attacks, undercuts and supports differ in line and arrowhead as well as in colour.
    """
    from moot.argument.drawing import draw as picture
    from moot.argument.drawing import text_map
    from moot.argument.gradual import scores

    graph = read_graph(file, form)
    shown = None
    if semantics:
        found = scores(graph, semantics)
        _say_unsettled(found)
        shown = found.by_name
    put_text(text_map(graph, shown) if as_text else picture(graph, shown), output)
    return 0


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
        tell(f"{len(found.unsettled)} of {len(found.graph)} arguments did not settle under {found.semantics}")
    elif not found.unique:
        tell(f"it is not proven that these are the only scores that fit {found.semantics}")
