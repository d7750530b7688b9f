"""The command that explains the score of one argument: `moot argue why`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from moot.argument.commands.files import FILE, FORMAT, GRADUAL, TIMEOUT, read_graph
from moot.argument.commands.limited import TimeUp, results
from moot.cli.notes import tell
from moot.cli.options import JSON, print_json
from moot.text import one_line, printable

if TYPE_CHECKING:
    from moot.argument import Graph
    from moot.argument.gradual import Scores
    from moot.argument.why import Contribution, Contributions, Flip

MOST_LINES = 5
LEAST_SHOWN = 0.0005
"""The least effect that is not 0.000 in print."""


@click.command()
@FILE
@click.argument("argument")
@click.option("-s", "--semantics", metavar="NAME", default="moot", show_default=True, help=f"Semantics: {GRADUAL}.")
@TIMEOUT
@FORMAT
@JSON
def why(file: Path, argument: str, semantics: str, timeout: float | None, form: str | None, as_json: bool) -> int:
    """Explain the score of an argument.

    Prints its score, what each argument for and against it changes, the lines of attack on it, and the fewest arguments
    whose removal would put it on the other side of one half. The search for these ends after some seconds, and says so
    if there can be fewer. After --timeout, what is known by then is printed, and the exit code is 124.
    """
    graph = read_graph(file, form)
    graph.number(argument)
    document: dict[str, Any] = {"argument": argument, "semantics": semantics}
    late: TimeUp | None = None
    try:
        for facts, lines in results(lambda: _explanation(graph, argument, semantics), timeout):
            document |= facts
            if not as_json:
                click.echo("".join(f"{printable(line)}\n" for line in lines), nl=False)
    except TimeUp as error:
        late = error
    if as_json:
        print_json(document | {"complete": late is None})
    if late is None:
        return 0
    tell(f"{late}: this explanation is not complete")
    return late.exit_code


def _explanation(graph: "Graph", argument: str, semantics: str) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Part after part, the quickest first: as data, and in words."""
    from moot.argument.gradual import scores
    from moot.argument.propagation import grounded, labelling
    from moot.argument.why import attack_lines, contributions, flip

    scored = scores(graph, semantics)
    label = labelling(graph, grounded(graph))[argument]
    facts: dict[str, Any] = {"score": scored[argument], "base": graph.weights[graph.number(argument)]}
    facts |= {"state": scored.state(argument), "grounded": label}
    yield facts, [f"{_score_in_words(scored, argument)}; {_LABELS[label]}."]
    effects = contributions(graph, argument, semantics)
    items = [
        {"argument": one.argument, "relations": one.relations, "distance": one.distance, "effect": one.effect}
        for one in effects.items
    ]
    facts = {"on_itself": effects.on_itself, "contributions": items, "left_out": effects.left_out}
    yield facts, list(_effects(argument, effects))
    lines = attack_lines(graph, argument, most=MOST_LINES)
    told = [str(one) for one in lines.lines]
    shown = ["Lines of attack, the shortest first:", *(f"  {one}" for one in told)] if told else []
    if told and not lines.complete:
        shown.append("  and more")
    yield {"attack_lines": told, "all_lines": lines.complete}, shown
    turned = flip(graph, argument, semantics)
    yield {"turned_by": turned.removed, "fewest": turned.exact}, [_turn(argument, turned)]


_LABELS = {
    "in": "it stands by the attacks alone (it is grounded)",
    "out": "the attacks alone defeat it",
    "undec": "the attacks alone leave it open",
}


def _score_in_words(scored: "Scores", argument: str) -> str:
    from moot.argument.gradual import LEVEL, MIDDLE

    graph, score = scored.graph, scored[argument]
    text = graph.texts[graph.number(argument)]
    named = f"{argument}{f' ({one_line(text)})' if text else ''}"
    if score is None:
        return f"{named} has no settled score"
    side = "exactly" if abs(score - MIDDLE) <= LEVEL else "above" if score > MIDDLE else "below"
    base = graph.weights[graph.number(argument)]
    started = "" if base is None else f", from a base score of {base:g}"
    return f"{named} scores {score:.3f}, {side} one half{started}"


def _effects(argument: str, effects: "Contributions") -> Iterator[str]:
    """What each argument changes. Those related to it are all named, others only if they change something."""
    if effects.on_itself:
        yield f"{argument} {' and '.join(effects.on_itself)} itself."
    if not effects.items and not effects.on_itself:
        yield "Nothing speaks for or against it."
    slight = 0
    for one in effects.items:
        if one.relations or one.effect is None or abs(one.effect) >= LEAST_SHOWN:
            yield _effect(argument, one)
        else:
            slight += 1
    if slight:
        yield f"{slight} more, over several steps, change nothing or less than 0.001."
    if effects.left_out:
        yield f"{effects.left_out} more distant arguments were not looked into."


def _effect(argument: str, one: "Contribution") -> str:
    how = f"{' and '.join(one.relations)} {argument}" if one.relations else f"acts on it over {one.distance} steps"
    if one.effect is None:
        return f"{one.argument} {how}: an unsettled amount."
    if abs(one.effect) < LEAST_SHOWN:
        return f"{one.argument} {how}: no difference, as long as the others are there."
    return f"{one.argument} {how}: {one.effect:+.3f}."


def _turn(argument: str, turned: "Flip") -> str:
    if turned.before is None:
        return "Without a settled score there is nothing to turn."
    side = "above one half" if not turned.before else "at or below one half"
    if turned.removed is None:
        known = "No removal of other arguments" if turned.exact else "No removal that was tried"
        return f"{known} would put {argument} {side}."
    few = "the fewest" if turned.exact else "not proven to be the fewest"
    return f"Without {', '.join(turned.removed)}, {argument} would be {side} ({few})."
