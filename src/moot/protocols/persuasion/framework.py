"""From a dialogue to its bipolar argumentation framework, its scores, and the winner. No model is asked."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from moot.api import Entry, first_data
from moot.protocols.persuasion.moves import ADDED, OTHER, ROOT, Move, Proposition, Side
from moot.protocols.persuasion.payloads import (
    DecidedBy,
    DerivedAttack,
    DialogueMove,
    FallenArgument,
    Framework,
    FrameworkArgument,
    FrameworkRelation,
    ScoresCertificate,
    SharedContext,
    TurnForfeited,
)
from moot.protocols.persuasion.position import Dialogue

if TYPE_CHECKING:
    from moot.argument.gradual import Scores
    from moot.argument.graph import Graph

DECIMALS = 6
CLOSE = 0.01
"""Root scores within this distance do not decide."""
EQUAL = 10.0**-DECIMALS
MOST_PREFERRED = 16
RULES = {"clash": "it clashes with what was granted", "unbacked": "the reason that was owed for it is missing"}
"""Why a rule retracts something."""
MIDDLE = 0.5
WITH_FACT = 0.7
"""The base score of what a fact bears out: a fact is a reason that nobody disputes."""


def dialogue_of(entries: Sequence[Entry]) -> Dialogue | None:
    """The dialogue in a log; None before its context is on record."""
    context = first_data(entries, SharedContext)
    if context is None:
        return None
    moves = tuple(_made(entry.data) for entry in entries if isinstance(entry.data, DialogueMove))
    facts = {fact.id: fact.quote for fact in context.facts}
    dialogue = Dialogue(context.proposition, context.denial, context.rounds, facts, moves, turns_in(entries))
    given_up = dialogue.given_up
    return dialogue.at(dialogue.turn, dialogue.words_for(given_up)) if given_up else dialogue


def turns_in(entries: Sequence[Entry]) -> int:
    """The number of turns before the closing, including forfeited and skipped ones."""
    said = [entry for entry in entries if entry.phase != "closing"]
    turns = [entry.data.turn for entry in said if isinstance(entry.data, DialogueMove | TurnForfeited)]
    return max(turns) + 1 if turns else 0


def payload_of(move: Move, failure: str | None = None) -> DialogueMove:
    """A move as a payload for the log."""
    effects = {"adds": sorted(move.adds, key=_number), "removes": sorted(move.removes, key=_number)}
    told: dict[str, Any] = {
        key: list(value) if isinstance(value, tuple) else value for key, value in asdict(move).items()
    }
    return DialogueMove(**told | effects, failure=failure)


def _made(data: DialogueMove) -> Move:
    told = {name: getattr(data, name) for name in Move.__slots__}
    puts = tuple(Proposition(one.id, one.content, one.by, tuple(one.evidence), tuple(one.bears)) for one in data.puts)
    lists = {name: tuple(told[name]) for name in ("premises", "evidence")}
    return Move(**told | lists | {"puts": puts, "adds": frozenset(data.adds), "removes": frozenset(data.removes)})


def graph_of(dialogue: Dialogue) -> "Graph":
    """The framework as a graph: the arguments that are left and their relations, and what fell."""
    return graph_from(_left(dialogue), relations(dialogue), fallen(dialogue), fallen_relations(dialogue))


def graph_that_counts(dialogue: Dialogue) -> "Graph":
    """The same without what fell."""
    return graph_from(_left(dialogue), relations(dialogue))


def _left(dialogue: Dialogue) -> list[Proposition]:
    return [dialogue.propositions[one] for one in dialogue.standing()]


def graph_from(
    arguments: Sequence[Proposition | FrameworkArgument],
    related: Iterable[FrameworkRelation],
    fell: Iterable[FallenArgument] = (),
    fell_related: Iterable[FrameworkRelation] = (),
) -> "Graph":
    from moot.argument.graph import Fallen, Graph, Kind

    texts = {one.id: one.content for one in arguments}
    weights = {one.id: WITH_FACT for one in arguments if any(fact != ADDED for fact in one.bears)}
    pairs: dict[str, list[tuple[str, str]]] = {"support": [], "rebut": [], "undercut": []}
    for one in related:
        pairs[one.kind].append((one.source, one.target))
    graph = Graph.of(texts, pairs["rebut"], pairs["support"], undercuts=pairs["undercut"], texts=texts, weights=weights)
    kinds: dict[str, Kind] = {"rebut": "attack", "undercut": "undercut", "support": "support"}
    return replace(
        graph,
        fallen=tuple(Fallen(one.id, one.content, one.fate, one.reason) for one in fell),
        fallen_relations=tuple((one.source, one.target, kinds[one.kind]) for one in fell_related),
    )


def relations(dialogue: Dialogue) -> list[FrameworkRelation]:
    """Supports, rebuts and undercuts between propositions still held, each once, in order. φ and ¬φ deny each other."""
    standing = set(dialogue.standing())
    return _related(
        one
        for move in dialogue.moves
        if move.act == "since" or (move.attack and dialogue.stands(move))
        for one in _put(dialogue, move, dialogue.left_of(move))
        if {one.source, one.target} <= standing
    )


def fallen_relations(dialogue: Dialogue) -> list[FrameworkRelation]:
    """What was ever related and is not any more."""
    left = {(one.source, one.target) for one in relations(dialogue)}
    raised = _related(one for move in dialogue.moves for one in _put(dialogue, move, move.premises))
    return [one for one in raised if (one.source, one.target) not in left]


def _put(dialogue: Dialogue, move: Move, premises: Iterable[str]) -> Iterator[FrameworkRelation]:
    """The relations that a move put forward."""
    if move.act == "since":
        for premise in premises:
            yield FrameworkRelation(source=premise, target=move.proposition, kind="support", move=move.id)
    elif move.counters is not None and move.attack is not None:
        yield FrameworkRelation(source=move.proposition, target=move.counters, kind=move.attack, move=move.id)
        if {move.proposition, move.counters} == dialogue.roots.keys():
            yield FrameworkRelation(source=move.counters, target=move.proposition, kind=move.attack, move=move.id)


def _related(found: Iterable[FrameworkRelation]) -> list[FrameworkRelation]:
    first: dict[tuple[str, str, str], FrameworkRelation] = {}
    for one in found:
        first.setdefault((one.source, one.target, one.kind), one)
    return [*first.values()]


def fallen(dialogue: Dialogue) -> list[FallenArgument]:
    """What was raised and is held by nobody any more, with the last reason for it."""
    standing, found = set(dialogue.standing()), dict[str, FallenArgument]()
    for move in dialogue.moves:
        for one in move.removes - standing:
            found[one] = FallenArgument(
                id=one,
                content=dialogue.propositions[one].content,
                side=move.side,
                move=move.id,
                fate="struck" if move.rule else "withdrawn",
                reason=f"{RULES[move.rule]}, in {move.id}" if move.rule else f"in {move.id}",
            )
    return [found[one] for one in dialogue.propositions if one in found]


def derived(related: Sequence[FrameworkRelation]) -> list[DerivedAttack]:
    """Supported attacks (X supports Y, Y attacks Z) and secondary ones (X attacks Y, Y supports Z)."""
    onward: dict[str, list[FrameworkRelation]] = {}
    for one in related:
        onward.setdefault(one.source, []).append(one)
    pairs = [(one, to) for one in related for to in onward.get(one.target, ())]
    found = [
        DerivedAttack(
            source=one.source,
            target=to.target,
            kind="supported" if one.kind == "support" else "secondary",
            via=to.source,
        )
        for one, to in pairs
        if (one.kind == "support") != (to.kind == "support")
    ]
    return sorted(found, key=lambda one: one.kind != "supported")


def framework(dialogue: Dialogue) -> Framework:
    """The framework, its scores and extensions, and the winner by the rules."""
    related, graph = relations(dialogue), graph_of(dialogue)
    from moot.argument.dung import extensions
    from moot.argument.gradual import scores
    from moot.argument.propagation import grounded

    own, dfquad = scores(graph, "moot"), scores(graph, "dfquad")
    accepted = grounded(graph)
    found = list(islice(extensions(graph, "PR"), MOST_PREFERRED + 1))
    preferred = sorted(
        (sorted(one, key=_number) for one in found[:MOST_PREFERRED]), key=lambda one: [*map(_number, one)]
    )
    arguments = [_argument(dialogue, name, own, dfquad) for name in graph.names]
    sums = surviving_sums(own, {one.id: one.side for one in arguments})
    winner, decided_by = decide(dialogue, own, sums)
    by_semantics: dict[str, Side | None] = {
        "moot": by_roots(own, dialogue.counter_root),
        "dfquad": by_roots(dfquad, dialogue.counter_root),
        "grounded": _accepted(graph, dialogue.counter_root, [accepted]),
        "preferred": _accepted(graph, dialogue.counter_root, found) if len(found) <= MOST_PREFERRED else None,
    }
    return Framework(
        root=ROOT,
        counter_root=dialogue.counter_root,
        arguments=arguments,
        relations=related,
        fallen=fallen(dialogue),
        fallen_relations=fallen_relations(dialogue),
        derived=derived(related),
        certificate=_certificate(own),
        dfquad_certificate=_certificate(dfquad),
        grounded=sorted(accepted, key=_number),
        preferred=preferred,
        preferred_more=len(found) > MOST_PREFERRED,
        ended=dialogue.ended,
        surviving_sums=dict(sums.items()),
        winner=winner,
        decided_by=decided_by,
        by_semantics=by_semantics,
        hangs_on_semantics=dialogue.given_up is None and hangs_on_semantics(winner, by_semantics),
    )


def hangs_on_semantics(winner: str | None, by_semantics: Mapping[str, Side | None]) -> bool:
    """Whether one semantics favours a side other than the winner, or than another semantics."""
    return len({winner, *by_semantics.values()} - {None}) > 1


def decide(dialogue: Dialogue, own: "Scores", sums: Mapping[Side, float | None]) -> tuple[Side | None, DecidedBy]:
    """Who wins and by which rule: nobody where that is left to the moderator, or where there was no debate."""
    if given_up := dialogue.given_up:
        # Who says nothing does not win by a reason that was never asked for.
        if given_up.rule == "unbacked" and not dialogue.took_part(OTHER[given_up.side]):
            return None, "nothing"
        return OTHER[given_up.side], "concession" if given_up.act == "concede" else "retraction"
    if not any(map(dialogue.took_part, OTHER)):
        return None, "nothing"
    return by_scores(own, dialogue.counter_root, sums)


def by_scores(
    own: "Scores", counter_root: str | None, sums: Mapping[Side, float | None]
) -> tuple[Side | None, DecidedBy]:
    """The winner by figures: the roots' scores or, if they are close, the sums of surviving arguments."""
    if (side := by_roots(own, counter_root)) is not None:
        return side, "root scores"
    pro, opp = sums["PRO"], sums["OPP"]
    unsettled = None in roots_of(own, counter_root)
    if unsettled or pro is None or opp is None or abs(pro - opp) <= EQUAL:
        return None, "moderator"
    return ("PRO" if pro > opp else "OPP"), "surviving arguments"


def by_roots(own: "Scores", counter_root: str | None) -> Side | None:
    """The side whose root scores higher; nobody when they are close or not settled."""
    phi, other = roots_of(own, counter_root)
    if phi is None or other is None or round(abs(phi - other), DECIMALS) <= CLOSE:
        return None
    return "PRO" if phi > other else "OPP"


def roots_of(own: "Scores", counter_root: str | None) -> tuple[float | None, float | None]:
    """s(φ) and s(¬φ). A root that nobody put forward has the score of an undisputed claim."""

    def score(name: str | None) -> float | None:
        return _rounded(own[name]) if name is not None and name in own.graph.index else MIDDLE

    return score(ROOT), score(counter_root)


def surviving_sums(own: "Scores", sides: Mapping[str, Side]) -> dict[Side, float | None]:
    """For each side the sum of its surviving arguments' scores; unknown when one of its scores is."""
    sums: dict[Side, float | None] = {}
    for side in OTHER:
        mine = [_rounded(own[name]) for name in own.graph.names if sides.get(name) == side]
        known = [score for score in mine if score is not None]
        whole = len(known) == len(mine)
        sums[side] = round(sum(score for score in known if score > MIDDLE), DECIMALS) if whole else None
    return sums


def _accepted(graph: "Graph", counter_root: str | None, families: Sequence[frozenset[str]]) -> Side | None:
    """The side whose root is in all of these sets; None if this holds for both or for no root. Where ¬φ is not in the
    graph the opponent has doubted φ, and is right if every set attacks φ or φ is gone."""
    phi = all(ROOT in one for one in families)
    if counter_root is None or counter_root not in graph.index:
        return "PRO" if phi else "OPP" if all(_defeats(graph, one) for one in families) else None
    other = all(counter_root in one for one in families)
    return None if phi == other else "PRO" if phi else "OPP"


def _defeats(graph: "Graph", accepted: frozenset[str]) -> bool:
    """Whether a set of arguments attacks φ; without φ there is nothing to defeat any more."""
    if ROOT not in graph.index:
        return True
    return any(graph.has_attack(graph.number(one), graph.number(ROOT)) for one in accepted)


def _argument(dialogue: Dialogue, name: str, own: "Scores", dfquad: "Scores") -> FrameworkArgument:
    proposition = dialogue.propositions[name]
    # The owner: the side that put it forward and holds it, or the first of them.
    side = proposition.by if (proposition.by, name) in dialogue.put_in else OTHER[proposition.by]
    score, state = _rounded(own[name]), own.state(name)
    fate: Literal["stands", "questioned", "conceded"] = "questioned" if dialogue.owes(side, name) else "stands"
    if name in dialogue.stores[OTHER[side]]:
        fate = "conceded"
    return FrameworkArgument(
        id=name,
        content=proposition.content,
        side=side,
        move=dialogue.put_in[side, name],
        evidence=list(proposition.evidence),
        bears=list(proposition.bears),
        score=score,
        state="above" if state == "untouched" and score != MIDDLE else state,
        fate=fate,
        dfquad=_rounded(dfquad[name]),
    )


def _certificate(found: "Scores") -> ScoresCertificate:
    facts = ScoresCertificate.model_validate(found, from_attributes=True)
    return facts.model_copy(update={"residual": round(found.residual, DECIMALS)})


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, DECIMALS)


def _number(name: str) -> int:
    return int(name[1:])
