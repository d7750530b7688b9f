"""A dialogue without some of its arguments and relations, by the rules that its own retractions follow."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from moot.protocols.persuasion.dialogue import finished, retracted
from moot.protocols.persuasion.moves import ADDED, OTHER, Move
from moot.protocols.persuasion.position import Dialogue

if TYPE_CHECKING:
    from moot.argument.contests import Edit
    from moot.argument.graph import Graph

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Strikes:
    """What is struck from a dialogue: arguments, supports and attacks. `reasoned` gets a new reason."""

    arguments: frozenset[str] = frozenset()
    supports: frozenset[Pair] = frozenset()
    attacks: frozenset[Pair] = frozenset()
    reasoned: frozenset[str] = field(default_factory=frozenset)


def struck(dialogue: Dialogue, strikes: Strikes, *, over: bool = True) -> Dialogue:
    """The dialogue after these strikes. A struck argument counts as retracted by its holders. Undercuts of a step
    without a premise disappear and, once the dialogue is `over`, all propositions without support."""
    after = dialogue
    if strikes.supports or strikes.attacks or strikes.reasoned:
        after = replace(dialogue, moves=tuple(_cut(move, strikes) for move in dialogue.moves))
    for one in (one for one in dialogue.propositions if one in strikes.arguments):
        for side in (side for side in OTHER if one in after.stores[side]):
            target = after.put_in.get((side, one)) or next(move.id for move in after.moves if one in move.adds)
            after = retracted(after, side, one, target, f"{one} is struck.", "unbacked")
    return finished(after) if over else after


def _cut(move: Move, strikes: Strikes) -> Move:
    """The move without the relations that are struck; a since keeps its premises as commitments."""
    puts = tuple(replace(one, bears=(*one.bears, ADDED)) if one.id in strikes.reasoned else one for one in move.puts)
    if move.counters is not None and (move.proposition, move.counters) in strikes.attacks:
        return replace(move, puts=puts, counters=None, attack=None)
    premises = tuple(one for one in move.premises if (one, move.proposition) not in strikes.supports)
    return replace(move, puts=puts, premises=premises)


def strikes_of(edits: Sequence["Edit"]) -> Strikes:
    """The edits of a contest that the rules have a say in."""
    from moot.argument.contests import Reject, RejectRelation, Relate

    pairs = [(one.kind, (one.source, one.target)) for one in edits if isinstance(one, RejectRelation)]
    return Strikes(
        arguments=frozenset(one.argument for one in edits if isinstance(one, Reject)),
        supports=frozenset(pair for kind, pair in pairs if kind == "support"),
        attacks=frozenset(pair for kind, pair in pairs if kind == "attack"),
        reasoned=frozenset(one.target for one in edits if isinstance(one, Relate) and one.kind == "support"),
    )


def edited_by_rules(dialogue: Dialogue, edits: Sequence["Edit"], *, over: bool) -> "Graph":
    """The framework after the edits of a contest: strikes by the rules of the dialogue, then what is added. An addition
    to an argument that is gone is left out."""
    from moot.argument.contests import edited
    from moot.argument.graph import ArgumentError
    from moot.protocols.persuasion.framework import graph_of

    graph = graph_of(struck(dialogue, strikes_of(edits), over=over))
    for edit in edits:
        with suppress(ArgumentError):  # what it is about is gone already
            graph = edited(graph, edit)
    return graph
