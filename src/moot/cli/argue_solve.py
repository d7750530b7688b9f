"""The command that answers questions about extensions: `moot argue solve`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import moot
from moot.cli.graph_files import FILE, FORMAT, READINGS, SEMANTICS, note, read_graph, word
from moot.cli.limited import Interrupted, TimeUp, results
from moot.cli.options import JSON, print_json

if TYPE_CHECKING:
    from moot.argument import Graph

TASKS = ("EE", "SE", "DC", "DS", "CE")


@click.command()
@FILE
@click.option("-s", "--semantics", metavar="NAME", help=f"One of {SEMANTICS}.")
@click.option(
    "-p", "--task", required=True, metavar="TASK",
    help="EE all extensions, SE one, CE how many; DC, DS whether some, every one holds --arg. Or as EE-PR.",
)  # fmt: skip
@click.option("-a", "--arg", metavar="NAME", help="The argument that DC and DS ask about.")
@click.option("--supports", "reading", metavar="READING", help=f"Read supports as further attacks: {READINGS}.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS", help="Stop after this time.")
@FORMAT
@JSON
def solve(
    file: Path,
    semantics: str | None,
    task: str,
    arg: str | None,
    reading: str | None,
    timeout: float | None,
    form: str | None,
    as_json: bool,
) -> int:
    """Answer a question about extensions, as ICCMA asks.

    A single extension (SE, and the proof after YES or NO) is printed as `w` and its members, all extensions as a list
    of lists. After --timeout, EE ends with the extensions found by then, and the exit code is 124.
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
    graph = _abstract(read_graph(file, form), reading)
    found = results(lambda: _answers(graph, asked, semantics, arg), timeout)
    try:
        if asked == "EE":
            return _print_all(graph, semantics, found, as_json)
        [answer] = found
    except KeyboardInterrupt:
        raise Interrupted from None
    head = {"task": asked, "semantics": semantics}
    if asked == "CE":
        if as_json:
            print_json(head | {"count": answer})
        else:
            click.echo(answer)
    else:
        _print_answer(head, answer, _named(graph, answer["members"]), as_json)
    return 0


def _answers(graph: "Graph", asked: str, semantics: str, arg: str | None) -> Iterator[Any]:
    """The answer, or each extension as a list of numbers."""
    from moot.argument import dung

    if asked == "EE":
        yield from (_numbers(graph, one) for one in dung.extensions(graph, semantics))
    elif asked == "CE":
        yield dung.count(graph, semantics)
    elif asked == "SE":
        yield {"accepted": None, "members": _numbers(graph, dung.extension(graph, semantics))}
    else:
        ask = dung.credulous if asked == "DC" else dung.sceptical
        answer = ask(graph, semantics, arg or "")
        yield {"accepted": answer.accepted, "members": _numbers(graph, answer.certificate)}


def _numbers(graph: "Graph", extension: frozenset[str] | None) -> Any:
    return None if extension is None else sorted(map(graph.number, extension))


def _named(graph: "Graph", numbers: list[int] | None) -> list[str] | None:
    return None if numbers is None else [graph.names[one] for one in numbers]


def _abstract(graph: "Graph", reading: str | None) -> "Graph":
    """The graph for the semantics: supports become attacks, or are ignored with a warning."""
    if reading is not None:
        from moot.argument.bipolar import abstract

        return abstract(graph, reading.upper())
    if len(graph.support_pairs):
        note(f"supports ({len(graph.support_pairs)}) are not looked at; --supports reads them as further attacks")
    return graph


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
                click.echo(f"{',' if number else '['}[{','.join(map(word, members))}]", nl=False)
            number += 1
    except TimeUp as error:
        late = error
    if as_json:
        print_json({"task": "EE", "semantics": semantics, "extensions": shown, "complete": late is None})
    else:
        click.echo("]" if number else "[]")
    if late is None:
        return 0
    note(f"{late}: these {number:,} are not all")
    return late.exit_code


def _print_answer(head: dict[str, str], answer: dict[str, Any], members: list[str] | None, as_json: bool) -> None:
    """Print YES or NO if that was the question, and the extension that proves it."""
    accepted = answer["accepted"]
    if as_json:
        print_json(
            head | ({"extension": members} if accepted is None else {"accepted": accepted, "certificate": members})
        )
        return
    if accepted is not None or members is None:
        click.echo("YES" if accepted else "NO")
    if members is not None:
        click.echo(" ".join(["w", *map(word, members)]))
