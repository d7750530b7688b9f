"""The contestable part of a dialogue: its framework, and the winner under another one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from moot.engine.contest import Contestable
from moot.protocols.persuasion.deciding import winner_without
from moot.protocols.persuasion.framework import dialogue_of, graph_from, graph_of
from moot.protocols.persuasion.result import outcome
from moot.protocols.persuasion.words import name_of
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
        verdict=lambda graph: winner_without(found, graph),
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
