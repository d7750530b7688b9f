"""The contestable part of a dialogue: its framework, and the winner under another one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from moot.engine.contest import Contestable
from moot.protocols.persuasion.framework import by_scores, dialogue_of, graph_from, graph_of, surviving_sums
from moot.protocols.persuasion.payloads import Framework
from moot.protocols.persuasion.result import outcome
from moot.protocols.persuasion.summary import name_of
from moot.record.entry import Entry, first_data
from moot.record.payloads import Header

if TYPE_CHECKING:
    from moot.argument.graph import Graph


def contestable(entries: Sequence[Entry]) -> Contestable | None:
    """The framework as it stands in the log; None before there is one."""
    header = first_data(entries, Header)
    found = outcome(entries).framework if header else None
    if header is None or found is None:
        return None
    return Contestable(
        graph=graph_from({one.id: one.content for one in found.arguments}, found.relations),
        verdict=lambda graph: _winner(found, graph),
        words={
            "PRO": f"{name_of(header, 'PRO')}, the proponent, wins",
            "OPP": f"{name_of(header, 'OPP')}, the opponent, wins",
            None: "the moderator would have to decide",
        },
        sides={one.id: name_of(header, one.side) for one in found.arguments},
        given_up=found.ended if found.decided_by in ("concession", "retraction") else None,
    )


def graph(entries: Sequence[Entry]) -> "Graph | None":
    """The argument graph that the moves built so far; None before the dialogue began."""
    dialogue = dialogue_of(entries)
    return graph_of(dialogue) if dialogue else None


def _winner(found: Framework, graph: "Graph") -> str | None:
    """Who wins by the scores of that graph."""
    # A root that is rejected is as good as retracted; one that nobody claimed is not.
    phi_gone = found.root not in graph.index
    denial_gone = found.counter_root is not None and found.counter_root not in graph.index
    if phi_gone or denial_gone:
        return None if phi_gone and denial_gone else "OPP" if phi_gone else "PRO"
    from moot.argument.gradual import scores

    own, sides = scores(graph), {one.id: one.side for one in found.arguments}
    return by_scores(own, found.counter_root, surviving_sums(own, sides))[0]
