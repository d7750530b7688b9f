"""The argument that decides a dialogue, and the scores after each round. Both are computed from the argument graph."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from moot.protocols.persuasion.framework import by_scores, framework, graph_of, roots_of, surviving_sums
from moot.protocols.persuasion.moves import ROOT, Dialogue, Side
from moot.protocols.persuasion.payloads import DecidingArgument, Framework, RoundScores
from moot.protocols.persuasion.strikes import Strikes, struck

if TYPE_CHECKING:
    from moot.argument.gradual import Scores
    from moot.argument.graph import Graph

NOBODY: Literal["nobody"] = "nobody"
"""The winner of a dialogue that the rules leave without one."""


def judged(dialogue: Dialogue) -> Framework:
    """The framework of a dialogue that is over, with the argument that decides it and the scores on the way."""
    found = framework(dialogue)
    return found.model_copy(update={"deciding": deciding(dialogue, found), "by_round": by_round(dialogue)})


def deciding(dialogue: Dialogue, found: Framework) -> DecidingArgument | None:
    """Strike each argument but φ and ¬φ in turn, by the rules of the dialogue: the one without which the winner loses,
    or else the one without which the lead is smallest. None without a lead, or where every argument but the roots is
    against the winner."""
    from moot.argument.gradual import scores

    own = scores(graph_of(dialogue))
    winner = by_scores(own, found.counter_root, _sums(found, own))[0]
    lead = _lead(found, own, winner)
    if winner is None or lead is None or found.decided_by not in ("root scores", "surviving arguments"):
        return None
    ranked: list[tuple[tuple[bool, float], DecidingArgument]] = []
    for one in found.arguments:
        if one.id in (found.root, found.counter_root):
            continue
        other = scores(graph_of(struck(dialogue, Strikes(frozenset({one.id})))))
        left = _lead(found, other, winner)
        left_with = winner_by(dialogue, found, other.graph)
        flips = left_with != winner
        if left is None or not (flips or left < lead - 1e-9):
            continue
        phi, denied = roots_of(other, found.counter_root)
        made = DecidingArgument(
            argument=one.id,
            content=one.content,
            flips=flips,
            winner=None if left_with == NOBODY else left_with,
            without={"φ": phi if ROOT in other.graph.index else None, "¬φ": denied},
        )
        ranked.append(((flips, round(lead - left, 6)), made))
    if not ranked:
        return None
    most = max(rank for rank, _ in ranked)
    first, *equal = [made for rank, made in ranked if rank == most]
    return first.model_copy(update={"equals": [one.argument for one in equal]})


def winner_by(
    dialogue: Dialogue, found: Framework, graph: "Graph", rejected: Collection[str] = ()
) -> Side | Literal["nobody"] | None:
    """Who wins by the scores of an edited graph; None leaves it to the moderator. A rejected root is as good as
    retracted. An opponent whose ¬φ nobody claimed or backed has doubted φ, but who says nothing does not win."""
    if not any(map(dialogue.took_part, dialogue.stores)):
        return NOBODY
    phi_gone = found.root not in graph.index
    denial_rejected = found.counter_root in rejected
    if phi_gone and denial_rejected:
        return None
    if phi_gone:
        unbacked = dialogue.given_up is None or dialogue.given_up.rule == "unbacked"
        return NOBODY if unbacked and not dialogue.took_part("OPP") and found.root not in rejected else "OPP"
    if denial_rejected:
        return "PRO"
    from moot.argument.gradual import scores

    own = scores(graph)
    return by_scores(own, found.counter_root, _sums(found, own))[0]


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


def _sums(found: Framework, own: "Scores") -> dict[Side, float | None]:
    return surviving_sums(own, {one.id: one.side for one in found.arguments})


def _lead(found: Framework, own: "Scores", winner: Side | None) -> float | None:
    phi, denied = roots_of(own, found.counter_root)
    if phi is None or denied is None:
        return None
    lead = phi - denied if ROOT in own.graph.index else -1.0  # the most that a score can be behind
    return lead if winner == "PRO" else -lead
