"""Explanations of a score: its supporters and attackers, the lines of attack, and the smallest change that turns it."""

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

from moot.argument.ancestry import Relation, distances_to, incoming, relations_between, score_of, with_ancestry
from moot.argument.gradual import LEVEL, MIDDLE, scores
from moot.argument.graph import Graph

# The search for lines stops after this many paths through the graph.
MOST_WAYS = 20_000
FEWEST_JUDGED, MOST_JUDGED = 10, 5_000
MOST_EXAMINED = 200
# Graphs with many cycles take up to a second to score, so there are limits in seconds as well.
EXAMINING_SECONDS, TURNING_SECONDS = 4.0, 6.0


@dataclass(frozen=True, slots=True)
class Contribution:
    """The effect of one argument on another: the score of the other minus its score without this one.

    `relations` are its direct relations to the other, empty for indirect effects; `distance` is the number of relations
    in between. `effect` is None if either score did not settle.
    """

    argument: str
    relations: tuple[Relation, ...]
    distance: int
    effect: float | None


@dataclass(frozen=True, slots=True)
class Contributions:
    """Strongest first. `left_out` counts the more distant arguments that were not examined. `on_itself` are the
    relations of the argument to itself, which have no effect of their own: it cannot be removed from its own score.

    The effects do not have to add up: one removal can cancel another, or amplify it. They add up to the score minus the
    base score if scores are plain sums: under `moot`, for direct arguments that do not affect each other and are not
    affected by this one, and if no sum leaves 0..1.
    """

    argument: str
    score: float | None
    items: tuple[Contribution, ...]
    left_out: int
    on_itself: tuple[Relation, ...] = ()


def contributions(
    graph: Graph,
    argument: str,
    semantics: str = "moot",
    *,
    seconds: float = EXAMINING_SECONDS,
) -> Contributions:
    """The effect of everything in the argument's ancestry on its score, by removing each, nearest first.

    At most 200 are examined, and fewer in large graphs. None is begun after so many seconds.
    """
    end = time.monotonic() + seconds
    around = with_ancestry(graph, [argument])
    most = min(MOST_EXAMINED, _budget(around))
    distances = distances_to(around, [argument])
    score = scores(around, semantics)[argument]
    others = [name for name in distances if name != argument]
    items = []
    for name in others[:most]:
        if time.monotonic() > end:
            break
        without = score_of(around.without([name]), argument, semantics)
        effect = None if score is None or without is None else score - without
        items.append(Contribution(name, relations_between(around, name, argument), distances[name], effect))
    items.sort(key=lambda item: -abs(item.effect) if item.effect is not None else -math.inf)
    itself = relations_between(around, argument, argument)
    return Contributions(argument, score, tuple(items), len(others) - len(items), itself)


@dataclass(frozen=True, slots=True)
class Line:
    """A path from its first argument to its last; `relations[i]` is between the arguments i and i + 1."""

    arguments: tuple[str, ...]
    relations: tuple[Relation, ...]

    def __str__(self) -> str:
        steps = zip(self.arguments, self.relations, self.arguments[1:], strict=False)
        return ", ".join(f"{one} {relation} {other}" for one, relation, other in steps)


@dataclass(frozen=True, slots=True)
class Lines:
    """Shortest first. `complete`: there are no others."""

    lines: tuple[Line, ...]
    complete: bool


def attack_lines(graph: Graph, argument: str, *, most: int = 10, longest: int = 8) -> Lines:
    """The shortest lines of attack on an argument: paths to it with an odd number of attacks, and any supports.

    A path with an even number defends it, since the attacker of an attacker is on its side. No argument is passed
    twice.
    """
    towards = incoming(graph)
    goal = graph.number(argument)
    lines: list[Line] = []
    ways: list[tuple[tuple[int, ...], tuple[Relation, ...]]] = [((goal,), ())]
    seen = 0
    for _ in range(longest):
        longer = []
        for path, relations in ways:
            for source, relation in towards[path[0]]:
                if source in path:
                    continue
                if seen == MOST_WAYS:
                    return Lines(tuple(lines), complete=False)
                seen += 1
                longer_path = (source, *path), (relation, *relations)
                longer.append(longer_path)
                if sum(one != "supports" for one in longer_path[1]) % 2:
                    if len(lines) == most:
                        return Lines(tuple(lines), complete=False)
                    lines.append(Line(tuple(graph.names[i] for i in longer_path[0]), longer_path[1]))
        ways = longer
    cut_short = any(source not in path for path, _ in ways for source, _ in towards[path[0]])
    return Lines(tuple(lines), complete=not cut_short)


@dataclass(frozen=True, slots=True)
class Flip:
    """Arguments whose removal puts another on the other side of one half; `removed` is None if no set was found.

    `before`: whether it scores above one half, None without a settled score. `exact`: no smaller set does it or,
    without a result, no set does. Otherwise a heuristic chose them, and a smaller set can exist. `tried` counts the
    graphs that were judged.
    """

    removed: tuple[str, ...] | None
    before: bool | None
    exact: bool
    tried: int


def flip(
    graph: Graph,
    argument: str,
    semantics: str = "moot",
    *,
    budget: int | None = None,
    seconds: float = TURNING_SECONDS,
) -> Flip:
    """The smallest set of other arguments whose removal puts this one on the other side of one half.

    First each argument is removed alone, then those together that change most alone. Then sets are tried by size, while
    all sets of a size fit into the budget of graphs to judge: 5,000 by default, and fewer in large graphs. Each of
    these three searches has a third of the seconds, and what those before it left. A score that does not settle does
    not count as a change.
    """
    around = with_ancestry(graph, [argument])
    search = _Search(around, argument, semantics)
    if search.before is None or _cannot_rise(search):
        return search.result(None, exact=True)
    candidates = [name for name in distances_to(around, [argument]) if name != argument]
    budget = _budget(around) if budget is None else budget
    limits = [time.monotonic() + seconds * part / 3 for part in (1, 2, 3)]
    search.end = limits[0]
    if (single := search.first_that_flips((name,) for name in candidates[:budget])) is not None:
        return search.result(single, exact=True)
    complete = len(candidates) <= budget and not search.late
    search.end = limits[1]
    strongest = _strongest_together(search)
    search.end = limits[2]
    size = 2
    # All smaller sets failed, so `strongest` is minimal once its size is reached.
    while complete and size <= len(candidates) and (strongest is None or size < len(strongest)):
        if search.tried + comb(len(candidates), size) > budget:
            complete = False
        elif (found := search.first_that_flips(combinations(candidates, size))) is not None:
            return search.result(found, exact=True)
        else:
            complete = not search.late
        size += 1
    return search.result(strongest, exact=complete)


def _budget(graph: Graph) -> int:
    """The number of graphs to judge, so that large graphs take seconds and not minutes."""
    size = len(graph) + len(graph.attacks) + len(graph.supports)
    return min(MOST_JUDGED, max(FEWEST_JUDGED, MOST_JUDGED * 400 // max(size, 1)))


class _Search:
    """Graphs with some arguments removed, judged by the score of one that stays."""

    def __init__(self, graph: Graph, argument: str, semantics: str) -> None:
        self.graph, self.argument, self.semantics = graph, argument, semantics
        self.score = scores(graph, semantics)[argument]
        self.before = None if self.score is None else self.score - MIDDLE > LEVEL
        self.tried, self.end = 1, 0.0
        self.alone: dict[str, float] = {}
        """The score without one argument."""

    @property
    def late(self) -> bool:
        return time.monotonic() > self.end

    def first_that_flips(self, sets: Iterable[tuple[str, ...]]) -> tuple[str, ...] | None:
        """The first of these sets whose removal flips the verdict; None if there is none, or the time is up."""
        for removed in sets:
            if self.late:
                return None
            if self.flips(removed):
                return removed
        return None

    def flips(self, removed: Sequence[str]) -> bool:
        self.tried += 1
        score = score_of(self.graph.without(removed), self.argument, self.semantics)
        if score is not None and len(removed) == 1:
            self.alone[removed[0]] = score
        return score is not None and (score - MIDDLE > LEVEL) != self.before

    def result(self, removed: tuple[str, ...] | None, *, exact: bool) -> Flip:
        return Flip(removed, self.before, exact, self.tried)


def _cannot_rise(search: _Search) -> bool:
    """By the supports alone: in every semantics attacks only lower, and supports and their strength only raise."""
    graph = search.graph
    if search.before:
        return False
    attacks = [(graph.names[one], graph.names[other]) for one, other in graph.attacks]
    found = scores(with_ancestry(graph.without(attacks=attacks), [search.argument]), search.semantics)
    highest = found[search.argument] if found.unique else None
    return highest is not None and highest - MIDDLE <= LEVEL


def _strongest_together(search: _Search) -> tuple[str, ...] | None:
    """Remove all that do not take the score further from the other side, the strongest first, each judged when it was
    removed alone: this takes few steps, but does not see what arguments do together."""
    score = search.score
    if score is None:
        return None
    sign = 1 if search.before else -1
    chosen = [name for name, alone in search.alone.items() if sign * (score - alone) >= -LEVEL]
    chosen.sort(key=lambda name: sign * search.alone[name])
    for number in range(2, len(chosen) + 1):
        if search.late:
            return None
        if search.flips(chosen[:number]):
            return _needed(search, chosen[:number])
    return None


def _needed(search: _Search, removed: list[str]) -> tuple[str, ...]:
    """Those of the removed arguments without which the score does not change sides."""
    for name in tuple(removed):
        fewer = [other for other in removed if other != name]
        if search.late:
            break
        if fewer and search.flips(fewer):
            removed = fewer
    return tuple(name for name in search.alone if name in removed)
