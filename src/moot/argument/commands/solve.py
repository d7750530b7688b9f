"""The command that answers questions about extensions: `moot argue solve`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import moot
from moot.argument.commands.files import FILE, FORMAT, SEMANTICS, TIMEOUT, read_graph, word
from moot.argument.commands.limited import TimeUp, results
from moot.cli.notes import tell
from moot.cli.options import JSON, print_json
from moot.plugins.extras import require

if TYPE_CHECKING:
    from moot.argument import Graph

TASKS = ("EE", "SE", "DC", "DS")
TASK_HELP = "EE: all extensions; SE: one; DC, DS: whether some, all hold --arg. EE-PR names the semantics too."


@click.command()
@FILE
@click.option("-s", "--semantics", metavar="NAME", help=f"Semantics: {SEMANTICS}.")
@click.option("-p", "--task", required=True, metavar="TASK", help=TASK_HELP)
@click.option("-a", "--arg", metavar="NAME", help="Argument that DC and DS ask about.")
@TIMEOUT
@FORMAT
@JSON
def solve(
    file: Path,
    semantics: str | None,
    task: str,
    arg: str | None,
    timeout: float | None,
    form: str | None,
    as_json: bool,
) -> int:
    """Answer a question about extensions, in the ICCMA format.

    An extension is printed as `w` and its members (SE, and behind YES or NO), all of them as a list of lists. After
    --timeout, EE ends with the extensions found by then, and the exit code is 124.
    """
    asked, _, behind = task.upper().partition("-")
    if behind and semantics and behind != semantics.upper():
        raise moot.ConfigError(f"--task says {behind} and --semantics {semantics}")
    semantics = (behind or semantics or "").upper()
    if asked not in TASKS:
        raise moot.ConfigError(f"there is no task {asked!r}; there are {', '.join(TASKS)}")
    if not semantics:
        raise moot.ConfigError(f"say which semantics: {SEMANTICS}")
    if (arg is not None) != (asked in ("DC", "DS")):
        raise moot.ConfigError(
            f"{asked} asks about {'no one argument' if arg is not None else 'an argument: --arg NAME'}"
        )
    require("argument")
    graph = read_graph(file, form)
    if graph.supports:
        tell(f"supports ({len(graph.supports)}) are not looked at")
    if asked == "EE":
        return _print_all(graph, semantics, results(lambda: _extensions(graph, semantics), timeout), as_json)
    [answer] = results(lambda: iter([_answer(graph, asked, semantics, arg)]), timeout)
    if as_json:
        print_json({"task": asked, "semantics": semantics} | answer)
    else:
        click.echo(_in_words(answer))
    return 0


def _extensions(graph: "Graph", semantics: str) -> Iterator[list[int]]:
    """All extensions, as numbers, which take less to send than names."""
    from moot.argument.dung import extensions

    return (sorted(map(graph.number, one)) for one in extensions(graph, semantics))


def _answer(graph: "Graph", asked: str, semantics: str, arg: str | None) -> dict[str, Any]:
    from moot.argument import dung

    if asked == "SE":
        return {"extension": _members(graph, dung.extension(graph, semantics))}
    answer = (dung.credulous if asked == "DC" else dung.sceptical)(graph, semantics, arg or "")
    return {"accepted": answer.accepted, "certificate": _members(graph, answer.certificate)}


def _members(graph: "Graph", extension: frozenset[str] | None) -> list[str] | None:
    return None if extension is None else sorted(extension, key=graph.number)


def _in_words(answer: dict[str, Any]) -> str:
    """An answer as ICCMA prints it: YES or NO if that was the question, and the extension that proves it."""
    members = answer["extension"] if "extension" in answer else answer["certificate"]
    lines = [] if members is None else [" ".join(["w", *map(word, members)])]
    if "accepted" in answer or members is None:
        lines.insert(0, "YES" if answer.get("accepted") else "NO")
    return "\n".join(lines)


def _listed(members: list[str]) -> str:
    return f"[{','.join(map(word, members))}]"


def _print_all(graph: "Graph", semantics: str, found: Iterator[list[int]], as_json: bool) -> int:
    """Print all extensions in one list. Except in JSON, each is printed as soon as it is found."""
    shown: list[list[str]] = []
    number = 0
    late: TimeUp | None = None
    try:
        for one in found:
            members = [graph.names[each] for each in one]
            if as_json:
                shown.append(members)
            else:
                click.echo(f"{',' if number else '['}{_listed(members)}", nl=False)
            number += 1
    except TimeUp as error:
        late = error
    if as_json:
        print_json({"task": "EE", "semantics": semantics, "extensions": shown, "complete": late is None})
    else:
        click.echo("]" if number else "[]")
    if late is None:
        return 0
    tell(f"{late}: these {number:,} are not all")
    return late.exit_code
