"""What the specification says of a finished dialogue, worked out from its moves alone and by no code of the program."""

from collections.abc import Sequence

from moot.protocols.persuasion.moves import Move
from moot.protocols.persuasion.payloads import Framework

Edge = tuple[str, str]
WEIGHTS = {"support": 0.2, "rebut": -0.3, "undercut": -0.4}
OTHER = {"PRO": "OPP", "OPP": "PRO"}


def faults(moves: Sequence[Move], found: Framework) -> list[str]:
    """Whatever is wrong with a framework, in words."""
    stores = commitments(moves)
    edges: set[tuple[str, str, str]] = {(one.source, one.target, one.kind) for one in found.relations}
    return [*_clashes(moves, stores), *_twice(found), *_unbacked(moves, stores, found, edges), *_wrong_scores(found)]


def commitments(moves: Sequence[Move]) -> dict[str, set[str]]:
    """The table of acts: what a claim, a reason and a concession add, and what a retraction removes."""
    stores: dict[str, set[str]] = {"PRO": set(), "OPP": set()}
    for move in moves:
        if move.act in ("claim", "concede"):
            stores[move.side] |= {move.proposition}
        elif move.act == "since":
            stores[move.side] |= {move.proposition, *move.premises}
        elif move.act == "retract":
            stores[move.side] -= {move.proposition}
    return stores


def _clashes(moves: Sequence[Move], stores: dict[str, set[str]]) -> list[str]:
    """At no moment does a side hold a proposition and its counter-claim."""
    wrong = []
    for number in range(1, len(moves) + 1):
        # A concession and the retractions that it brings are one step.
        if number < len(moves) and moves[number].rule == "clash":
            continue
        held = commitments(moves[:number])
        rebuts = {(move.proposition, move.counters) for move in moves[:number] if move.attack == "rebut"}
        wrong += [
            f"after {moves[number - 1].id} {side} holds {one} and {other}"
            for side, store in held.items()
            for one, other in rebuts
            if one in store and other in store
        ]
    return wrong


def _twice(found: Framework) -> list[str]:
    kinds: dict[Edge, list[str]] = {}
    for one in found.relations:
        kinds.setdefault((one.source, one.target), []).append(one.kind)
    return [f"{edge[0]} is related to {edge[1]} by {many}" for edge, many in kinds.items() if len(many) > 1]


def _unbacked(
    moves: Sequence[Move], stores: dict[str, set[str]], found: Framework, edges: set[tuple[str, str, str]]
) -> list[str]:
    """Each claim, and each premise that was asked about, has a fact that bears on it, a supporter that is left, or the
    other side's consent."""
    wrong = []
    for one in found.arguments:
        claimed = any(move.act == "claim" and (move.side, move.proposition) == (one.side, one.id) for move in moves)
        last = max(
            (at for at, move in enumerate(moves) if one.id in move.removes and move.side == one.side), default=-1
        )
        other = OTHER[one.side]
        asked = any((move.act, move.side, move.proposition) == ("why", other, one.id) for move in moves[last + 1 :])
        granted = one.id in stores[other]
        supported = any(target == one.id and kind == "support" for _, target, kind in edges)
        if (claimed or asked) and not (one.bears or supported or granted):
            wrong.append(f"{one.id} is in the graph, and nothing backs it")
    return wrong


def _wrong_scores(found: Framework) -> list[str]:
    """The formula, iterated from 0.5 and damped, until nothing moves."""
    if not found.certificate.converged:
        return []
    scores = {one.id: 0.5 for one in found.arguments}
    for _ in range(20_000):
        sums = dict.fromkeys(scores, 0.5)
        for one in found.relations:
            sums[one.target] += WEIGHTS[one.kind] * scores[one.source]
        after = {name: 0.5 * scores[name] + 0.5 * min(1.0, max(0.0, value)) for name, value in sums.items()}
        moved = max((abs(after[name] - scores[name]) for name in scores), default=0.0)
        scores = after
        if moved < 1e-11:
            break
    return [
        f"s({one.id}) is {scores[one.id]:.6f}, not {one.score}"
        for one in found.arguments
        if one.score is None or abs(one.score - scores[one.id]) > 1e-6
    ]
