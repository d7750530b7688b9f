"""The argument that decides a dialogue, computed from the argument graph."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Literal

from moot.protocols.persuasion.framework import by_scores, framework, graph_that_counts, roots_of, surviving_sums
from moot.protocols.persuasion.moves import ROOT, Side
from moot.protocols.persuasion.payloads import DecidingArgument, Framework, FrameworkArgument, FrameworkRelation
from moot.protocols.persuasion.position import Dialogue
from moot.protocols.persuasion.strikes import Strikes, struck

if TYPE_CHECKING:
    from moot.argument.gradual import Scores
    from moot.argument.graph import Graph

MOST_STRUCK, LONGEST_PATH = 40, 12
NOBODY: Literal["nobody"] = "nobody"
"""The winner of a dialogue that the rules leave without one."""


def judged(dialogue: Dialogue) -> Framework:
    """The framework of a dialogue that is over, with the argument that decides it."""
    found = framework(dialogue)
    return found.model_copy(update={"deciding": deciding(dialogue, found)})


def deciding(dialogue: Dialogue, found: Framework) -> DecidingArgument | None:
    """Strike each argument but φ and ¬φ in turn, by the rules of the dialogue: the one without which the winner loses,
    or else the one without which the lead is smallest. None without a lead, or where every argument but the roots is
    against the winner."""
    from moot.argument.gradual import scores

    own = scores(graph_that_counts(dialogue))
    winner = by_scores(own, found.counter_root, _sums(found, own))[0]
    lead = _lead(found, own, winner)
    if winner is None or lead is None or found.decided_by not in ("root scores", "surviving arguments"):
        return None
    ranked: list[tuple[tuple[bool, float], DecidingArgument]] = []
    for one in _weightiest(found):
        other = scores(graph_that_counts(struck(dialogue, Strikes(frozenset({one.id})))))
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
            without={"claim": phi if ROOT in other.graph.index else None, "denial": denied},
        )
        ranked.append(((flips, round(lead - left, 6)), made))
    if not ranked:
        return None
    most = max(rank for rank, _ in ranked)
    first, *equal = [made for rank, made in ranked if rank == most]
    return first.model_copy(update={"equals": [one.argument for one in equal]})


def _weightiest(found: Framework) -> list[FrameworkArgument]:
    """The arguments that may decide. Of many, those whose scores weigh most in the lead, by the weights of all paths to
    a root, and the reasons for these: to strike each of a thousand would take minutes."""
    roots = (found.root, found.counter_root)
    arguments = [one for one in found.arguments if one.id not in roots]
    if len(arguments) <= MOST_STRUCK:
        return arguments
    weights = {"support": 0.2, "rebut": -0.3, "undercut": -0.4}
    onward: dict[str, list[FrameworkRelation]] = {}
    for relation in found.relations:
        onward.setdefault(relation.source, []).append(relation)
    share = {found.root: 1.0, found.counter_root or "": -1.0}
    for _ in range(LONGEST_PATH):
        share |= {
            one.id: sum(weights[to.kind] * share.get(to.target, 0.0) for to in onward.get(one.id, ()))
            for one in arguments
        }
    heavy = sorted(arguments, key=lambda one: -abs(share[one.id]) * (one.score or 0.0))[: MOST_STRUCK // 2]
    names = {one.id for one in heavy}
    behind = {one.source for one in found.relations if one.kind == "support" and one.target in names} - names
    return [*heavy, *(one for one in arguments if one.id in behind)][:MOST_STRUCK]


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


def _sums(found: Framework, own: "Scores") -> dict[Side, float | None]:
    return surviving_sums(own, {one.id: one.side for one in found.arguments})


def _lead(found: Framework, own: "Scores", winner: Side | None) -> float | None:
    phi, denied = roots_of(own, found.counter_root)
    if phi is None or denied is None:
        return None
    lead = phi - denied if ROOT in own.graph.index else -1.0  # the most that a score can be behind
    return lead if winner == "PRO" else -lead
