"""Contesting a graph: reject, add or re-weigh arguments, and see the effect. No model is asked."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from moot.argument.gradual import LEVEL, Scores, State, scores
from moot.argument.graph import Graph
from moot.argument.propagation import grounded

Kind = Literal["rebuttal", "undercut", "support"]
# A summary names this many arguments and counts the others.
MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Reject:
    """Remove an argument with all its relations."""

    argument: str


@dataclass(frozen=True, slots=True)
class RejectRelation:
    """Remove one relation: the support, or the attack of either kind."""

    source: str
    target: str
    kind: Literal["attack", "support"] = "attack"


@dataclass(frozen=True, slots=True)
class Add:
    """Add a new argument; add its relations with `Relate`."""

    argument: str
    weight: float | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Relate:
    """Add a relation. An existing attack becomes one of this kind, with the weight of that kind."""

    source: str
    target: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Reweigh:
    """Change the base score of an argument."""

    argument: str
    weight: float


Edit = Reject | RejectRelation | Add | Relate | Reweigh


@dataclass(frozen=True, slots=True)
class Standing:
    """The status of an argument: its score (None if not settled), the state of the score, and whether it is
    grounded."""

    score: float | None
    state: State
    grounded: bool


_STATES: dict[State, str] = {
    "above": "above one half",
    "below": "below one half",
    "level": "at one half",
    "untouched": "with nothing for or against it",
    "unsettled": "without a settled score",
}
_STANDS = "By the attacks alone an argument stands (is grounded) if each attack on it is answered, whatever the scores."


@dataclass(frozen=True, slots=True)
class Change:
    """An argument whose status changed; None if it is not in the graph."""

    argument: str
    before: Standing | None
    after: Standing | None

    def __str__(self) -> str:
        if self.after is None:
            return f"{self.argument} is gone"
        if self.before is None:
            return f"{self.argument} is new, with {_score(self.after)}"
        return f"{self.argument} {self._move(self.before, self.after)}"

    def _move(self, before: Standing, after: Standing) -> str:
        if before.score is None or after.score is None:
            moved = f"goes from {_score(before)} to {_score(after)}"
        elif abs(after.score - before.score) <= LEVEL:
            moved = f"stays at {_score(after)}"
        else:
            word = "rises" if after.score > before.score else "falls"
            moved = f"{word} from {_score(before)} to {_score(after)}"
        if before.state != after.state:
            moved += f", now {_STATES[after.state]}"
        if before.grounded != after.grounded:
            moved += f", and {'now' if after.grounded else 'no longer'} stands by the attacks alone"
        return moved

    @property
    def size(self) -> float:
        """How far the score moved; infinite if one of the two is missing."""
        if self.before is None or self.after is None or self.before.score is None or self.after.score is None:
            return float("inf")
        return abs(self.after.score - self.before.score)


@dataclass(frozen=True, slots=True)
class Contest:
    """A graph before and after some edits. `changes` lists the arguments whose status changed, largest change first."""

    edits: tuple[Edit, ...]
    before: Scores
    after: Scores
    changes: tuple[Change, ...]

    def sentences(self) -> Iterator[str]:
        """The contested points first, then the effects."""
        yield f"Contested: {'; '.join(map(edit_in_words, self.edits)) or 'nothing'}."
        told = self.changes[:MOST_NAMED]
        yield from (f"{change}." for change in told)
        if (more := len(self.changes) - MOST_NAMED) > 0:
            yield f"{more} more stand otherwise than before."
        if not self.changes:
            yield "No argument stands otherwise than before."
        if not self.after.converged:
            yield f"The scores of {len(self.after.unsettled)} do not settle."
        if any(one.before and one.after and one.before.grounded != one.after.grounded for one in told):
            yield _STANDS


def contest(graph: Graph, *edits: Edit, result: Graph | None = None) -> Contest:
    """Make the edits one after another and compare. `result` is the graph after the edits where more follows from
    them."""
    other = edited(graph, *edits) if result is None else result
    before, after = scores(graph), scores(other)
    was_grounded, is_grounded = grounded(graph), grounded(other)
    changes = []
    for name in dict.fromkeys((*graph.names, *other.names)):
        change = Change(name, _status(before, name, was_grounded), _status(after, name, is_grounded))
        if _differs(change):
            changes.append(change)
    changes.sort(key=lambda change: -change.size)
    return Contest(edits, before, after, tuple(changes))


def edited(graph: Graph, *edits: Edit) -> Graph:
    """The graph after these edits, made one after another."""
    for edit in edits:
        match edit:
            case Reject(argument):
                graph = graph.without([argument])
            case RejectRelation(source, target, "attack"):
                graph = graph.without(attacks=[(source, target)])
            case RejectRelation(source, target, _):
                graph = graph.without(supports=[(source, target)])
            case Add(argument, weight, text):
                graph = graph.with_argument(argument, weight=weight, text=text)
            case Relate(source, target, "support"):
                graph = graph.with_relations(supports=[(source, target)])
            case Relate(source, target, kind):
                graph = _attacking(graph, source, target, undercut=kind == "undercut")
            case Reweigh(argument, weight):
                graph = graph.reweighted({argument: weight})
    return graph


def _attacking(graph: Graph, source: str, target: str, *, undercut: bool) -> Graph:
    if graph.has_attack(graph.number(source), graph.number(target)):
        graph = graph.without(attacks=[(source, target)])
    chosen = [(source, target)]
    return graph.with_relations(undercuts=chosen) if undercut else graph.with_relations(attacks=chosen)


def edit_in_words(edit: Edit) -> str:
    match edit:
        case Reject(argument):
            return f"{argument} is rejected"
        case RejectRelation(source, target, kind):
            return f"the {kind} of {source} on {target} is rejected"
        case Add(argument, weight):
            return f"{argument} is added" + ("" if weight is None else f" with base score {weight:g}")
        case Relate(source, target, kind):
            return f"{'an' if kind == 'undercut' else 'a'} {kind} of {source} on {target} is added"
        case Reweigh(argument, weight):
            return f"the base score of {argument} is set to {weight:g}"


def _status(result: Scores, name: str, accepted: frozenset[str]) -> Standing | None:
    if name not in result.graph.index:
        return None
    return Standing(result[name], result.state(name), name in accepted)


def _differs(change: Change) -> bool:
    before, after = change.before, change.after
    if before is None or after is None or before.score is None or after.score is None:
        return before != after
    return change.size > LEVEL or (before.state, before.grounded) != (after.state, after.grounded)


def _score(standing: Standing) -> str:
    return "no settled score" if standing.score is None else f"{standing.score:.3f}"
