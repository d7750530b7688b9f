"""The argument that decides a dialogue, and the scores after each round. Both are computed from the argument graph."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from moot.protocols.persuasion.framework import by_scores, framework, graph_from, graph_of, roots_of, surviving_sums
from moot.protocols.persuasion.moves import Dialogue, Side
from moot.protocols.persuasion.payloads import DecidingArgument, Framework, RoundScores

if TYPE_CHECKING:
    from moot.argument.gradual import Scores
    from moot.argument.graph import Graph


def judged(dialogue: Dialogue) -> Framework:
    """The framework of a dialogue that is over, with the argument that decides it and the scores on the way."""
    found = framework(dialogue)
    return found.model_copy(update={"deciding": deciding(found), "by_round": by_round(dialogue)})


def deciding(found: Framework) -> DecidingArgument | None:
    """Strike each argument but φ and ¬φ in turn: the one without which the winner loses, or else the one without
    which the lead is smallest. None without a lead, or where every argument but the roots is against the winner."""
    from moot.argument.gradual import scores

    graph = graph_from({one.id: one.content for one in found.arguments}, found.relations)
    own = scores(graph)
    winner, _ = _winner(found, own)
    lead = _lead(found, own, winner)
    if winner is None or lead is None or found.decided_by not in ("root scores", "surviving arguments"):
        return None
    ranked: list[tuple[tuple[bool, float], DecidingArgument]] = []
    for one in found.arguments:
        if one.id in (found.root, found.counter_root):
            continue
        other = scores(graph.without([one.id]))
        left = _lead(found, other, winner)
        left_with = _winner(found, other)[0]
        flips = left_with != winner
        if left is None or not (flips or left < lead - 1e-9):
            continue
        phi, denied = roots_of(other, found.counter_root)
        made = DecidingArgument(
            argument=one.id, content=one.content, flips=flips, winner=left_with, without={"φ": phi, "¬φ": denied}
        )
        ranked.append(((flips, round(lead - left, 6)), made))
    if not ranked:
        return None
    most = max(rank for rank, _ in ranked)
    first, *equal = [made for rank, made in ranked if rank == most]
    return first.model_copy(update={"equals": [one.argument for one in equal]})


def winner_without(found: Framework, graph: "Graph") -> str | None:
    """Who wins by the scores of an edited graph. A rejected root is as good as retracted; one that nobody claimed, or
    nobody backed, is not."""
    phi_gone = found.root not in graph.index
    backed = {one.id for one in found.arguments}
    denial_gone = found.counter_root in backed and found.counter_root not in graph.index
    if phi_gone or denial_gone:
        return None if phi_gone and denial_gone else "OPP" if phi_gone else "PRO"
    from moot.argument.gradual import scores

    return _winner(found, scores(graph))[0]


def by_round(dialogue: Dialogue) -> list[RoundScores]:
    """The scores after the opening and after each round that was begun."""
    from moot.argument.gradual import scores

    found = []
    for number in range(max((move.round for move in dialogue.moves), default=-1) + 1):
        if number > dialogue.rounds:
            break
        so_far = replace(dialogue, moves=tuple(move for move in dialogue.moves if move.round <= number))
        own = scores(graph_of(so_far))
        found.append(RoundScores(round=number, scores=_roots(own, so_far.roots)))
    return found


def _roots(own: "Scores", roots: Mapping[str, str]) -> dict[str, float | None]:
    known = {sign: own[name] for name, sign in roots.items() if name in own.graph.index}
    return {sign: None if (score := known.get(sign)) is None else round(score, 6) for sign in ("φ", "¬φ")}


def _winner(found: Framework, own: "Scores") -> tuple[Side | None, str]:
    sums = surviving_sums(own, {one.id: one.side for one in found.arguments})
    return by_scores(own, found.counter_root, sums)


def _lead(found: Framework, own: "Scores", winner: Side | None) -> float | None:
    phi, denied = roots_of(own, found.counter_root)
    if phi is None or denied is None:
        return None
    return phi - denied if winner == "PRO" else denied - phi
