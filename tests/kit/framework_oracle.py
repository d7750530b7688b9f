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
    return [
        *_clashes(moves, {found.root, found.counter_root}),
        *_twice(found),
        *_both_ways(edges),
        *_unbacked(moves, stores, found, edges),
        *_wrong_scores(found),
    ]


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


def _clashes(moves: Sequence[Move], positions: set[str | None]) -> list[str]:
    """At no moment does a side hold a proposition and its counter-claim, but for its position and what it granted."""
    wrong = []
    for number in range(1, len(moves) + 1):
        # A concession and the retractions that it brings are one step.
        if number < len(moves) and moves[number].rule == "clash":
            continue
        held = commitments(moves[:number])
        rebuts = {(move.proposition, move.counters) for move in moves[:number] if move.attack == "rebut"}
        rebuts = {pair for pair in rebuts if len(positions.intersection(pair)) != 1}
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


def _both_ways(edges: set[tuple[str, str, str]]) -> list[str]:
    """Nothing attacks what it supports, directly or by way of others."""
    wrong = []
    for source, target, _ in (one for one in edges if one[2] != "support"):
        reached, fresh = set[str](), {source}
        while fresh:
            fresh = {other for one, other, kind in edges if kind == "support" and one in fresh} - reached
            reached |= fresh
        wrong += [f"{source} attacks {target} and is a reason for it"] if target in reached else []
    return wrong


def _unbacked(
    moves: Sequence[Move], stores: dict[str, set[str]], found: Framework, edges: set[tuple[str, str, str]]
) -> list[str]:
    """What is owed a reason has a fact that bears on it, a supporter that is left, or the other side's consent."""
    wrong = []
    for one in found.arguments:
        granted = one.id in stores[OTHER[one.side]]
        supported = any(target == one.id and kind == "support" for _, target, kind in edges)
        if _owed(moves, found, one.side, one.id) and not (one.bears or supported or granted):
            wrong.append(f"{one.id} is in the graph, and nothing backs it")
    return wrong


def _owed(moves: Sequence[Move], found: Framework, side: str, one: str) -> bool:
    """Whether a side owes a reason: for its position, and for what it was asked about since it last retracted it."""
    removed = [at for at, move in enumerate(moves) if one in move.removes and move.side == side]
    since = moves[removed[-1] + 1 if removed else 0 :]
    asked = any((move.act, move.side, move.proposition) == ("why", OTHER[side], one) for move in since)
    return asked or one in (found.root, found.counter_root)


def _given_up(moves: Sequence[Move], step: Move, one: str) -> bool:
    """Whether the side of a step has retracted one of its parts since. Put forward again, it needs a new step."""
    return any(one in move.removes and move.side == step.side for move in moves[moves.index(step) :])


def relations_without(moves: Sequence[Move], found: Framework, struck: str) -> set[tuple[str, str]]:
    """The relations that are left without an argument: an undercut goes with the last premise of its step, and an
    assertion with whatever backed it."""
    kinds = {(one.source, one.target): one.kind for one in found.relations}
    by_id = {move.id: move for move in moves}
    stores = commitments(moves)
    left = {one.id for one in found.arguments} - {struck}

    def stands(source: str, target: str) -> bool:
        if not {source, target} <= left or kinds[source, target] != "undercut":
            return {source, target} <= left
        against = [move for move in moves if (move.proposition, move.counters) == (source, target)]
        steps = [by_id[move.target or ""] for move in against]
        return any(one in left and not _given_up(moves, step, one) for step in steps for one in step.premises)

    while True:
        related = {pair for pair in kinds if stands(*pair)}
        supported = {target for source, target in related if kinds[source, target] == "support"}
        bare = {
            one.id
            for one in found.arguments
            if one.id in left - supported
            and not (one.bears or one.id in stores[OTHER[one.side]])
            and _owed(moves, found, one.side, one.id)
        }
        if not bare:
            return related
        left -= bare


def _wrong_scores(found: Framework) -> list[str]:
    """The formula, iterated from 0.5 and damped, until nothing moves. What a fact bears out begins at 0.7."""
    if not found.certificate.converged:
        return []
    scores = {one.id: 0.5 for one in found.arguments}
    for _ in range(20_000):
        sums = {one.id: 0.7 if one.bears else 0.5 for one in found.arguments}
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
