"""The command that explains the score of one argument: `moot argue why`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from moot.cli.graph_files import FILE, FORMAT, GRADUAL, read_graph
from moot.cli.options import JSON, print_json
from moot.text import one_line, printable

if TYPE_CHECKING:
    from moot.argument.why import Contribution, Flip

MOST_LINES = 5


@click.command()
@FILE
@click.argument("argument")
@click.option("-s", "--semantics", metavar="NAME", default="moot", show_default=True, help=f"One of {GRADUAL}.")
@FORMAT
@JSON
def why(file: Path, argument: str, semantics: str, form: str | None, as_json: bool) -> int:
    """Explain why an argument stands as it does.

    Prints its score, what each argument for and against it changes, the lines of attack on it, and the fewest arguments
    whose removal would put it on the other side of one half.
    """
    from moot.argument.dung import labelling
    from moot.argument.gradual import MIDDLE, scores
    from moot.argument.propagation import grounded
    from moot.argument.why import above, attack_lines, contributions, flip

    graph = read_graph(file, form)
    graph.number(argument)
    scored = scores(graph, semantics)
    effects = contributions(graph, argument, semantics)
    lines = attack_lines(graph, argument, most=MOST_LINES)
    turned = flip(graph, above(argument, semantics=semantics))
    label = labelling(graph, grounded(graph))[argument]
    if as_json:
        document: dict[str, Any] = {
            "argument": argument,
            "semantics": semantics,
            "score": scored[argument],
            "state": scored.state(argument),
            "grounded": label,
            "contributions": [
                {"argument": one.argument, "relations": one.relations, "distance": one.distance, "effect": one.effect}
                for one in effects.items
            ],
            "left_out": effects.left_out,
            "attack_lines": [str(one) for one in lines.lines],
            "all_lines": lines.complete,
            "turned_by": turned.removed,
            "fewest": turned.exact,
        }
        print_json(document)
        return 0
    score = scored[argument]
    said = "has no settled score" if score is None else f"scores {score:.3f}, {scored.state(argument)} {MIDDLE:g}"
    text = graph.texts[graph.number(argument)] if graph.texts else ""
    told = [f"{argument}{f' ({one_line(text)})' if text else ''} {said}; {_LABELS[label]}."]
    told += [_effect(argument, one) for one in effects.items if one.effect or one.effect is None]
    if effects.left_out:
        told.append(f"{effects.left_out} more distant arguments were not looked into.")
    if not effects.items:
        told.append("Nothing speaks for or against it.")
    if lines.lines:
        told.append("Lines of attack, the shortest first:")
        told += [f"  {one}" for one in lines.lines]
        if not lines.complete:
            told.append("  and more")
    told.append(_turn(argument, turned))
    click.echo("\n".join(map(printable, told)))
    return 0


_LABELS = {
    "in": "it stands by the attacks alone (it is grounded)",
    "out": "the attacks alone defeat it",
    "undec": "the attacks alone leave it open",
}


def _effect(argument: str, one: "Contribution") -> str:
    how = " and ".join(one.relations) if one.relations else f"acts on it over {one.distance} steps"
    effect = "an unsettled amount" if one.effect is None else f"{one.effect:+.3f}"
    return f"{one.argument} {how}{f' {argument}' if one.relations else ''}: {effect}."


def _turn(argument: str, turned: "Flip") -> str:
    if turned.before is None:
        return "Without a settled score there is nothing to turn."
    side = "above one half" if not turned.before else "at or below one half"
    if turned.removed is None:
        known = "No removal of other arguments" if turned.exact else "No removal that was tried"
        return f"{known} would put {argument} {side}."
    few = "the fewest" if turned.exact else "not proven to be the fewest"
    return f"Without {', '.join(turned.removed)}, {argument} would be {side} ({few})."
