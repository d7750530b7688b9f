"""The contestable part of a dialogue: its framework, and the winner under another one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from moot.api import Entry, Header, first_data
from moot.api.capabilities import Contestable
from moot.protocols.persuasion.deciding import NOBODY, winner_by
from moot.protocols.persuasion.framework import dialogue_of, graph_of
from moot.protocols.persuasion.payloads import Framework
from moot.protocols.persuasion.result import outcome
from moot.protocols.persuasion.strikes import edited_by_rules, strikes_of
from moot.protocols.persuasion.words import name_of

if TYPE_CHECKING:
    from moot.argument.contests import Edit
    from moot.argument.graph import Graph


def contestable(entries: Sequence[Entry]) -> Contestable | None:
    """The framework in the log; None before there is one."""
    header, dialogue = first_data(entries, Header), dialogue_of(entries)
    found = outcome(entries).framework if header else None
    if header is None or found is None or dialogue is None:
        return None
    over = first_data(entries, Framework) is not None

    def after(edits: "Sequence[Edit]") -> "tuple[Graph, str | None]":
        graph = edited_by_rules(dialogue, edits, over=over)
        return graph, winner_by(dialogue, found, graph, strikes_of(edits).arguments)

    return Contestable(
        graph=graph_of(dialogue),
        after=after,
        words={
            "PRO": "the case for it is stronger",
            "OPP": "the case against it is stronger",
            NOBODY: "neither case is stronger",
            None: "the moderator would have to decide",
        },
        sides={one.id: name_of(header, one.side) for one in found.arguments},
        given_up=found.ended if found.decided_by in ("concession", "retraction") else None,
    )


def graph(entries: Sequence[Entry]) -> "Graph | None":
    """The argument graph that the moves built so far; None before the dialogue began."""
    dialogue = dialogue_of(entries)
    return graph_of(dialogue) if dialogue else None
