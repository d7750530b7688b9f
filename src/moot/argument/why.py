"""Explanations of a score: its supporters and attackers, the lines of attack, and the smallest change of the
verdict."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import combinations
from math import comb

import numpy as np

from moot.argument.ancestry import Relation, distances_to, incoming, relations_between, score_of, with_ancestry
from moot.argument.gradual import LEVEL, MIDDLE, scores
from moot.argument.graph import Graph, plain

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
    direct: bool = False,
    most: int | None = None,
    seconds: float = EXAMINING_SECONDS,
) -> Contributions:
    """The effect of everything in the argument's ancestry on its score, by removing each, nearest first.

    With `direct`, only its attackers and supporters. By default at most 200 are examined, and fewer in large graphs.
    None is begun after so many seconds.
    """
    end = time.monotonic() + seconds
    around = with_ancestry(graph, [argument])
    most = min(MOST_EXAMINED, _budget(around)) if most is None else most
    distances = distances_to(around, [argument])
    score = scores(around, semantics)[argument]
    others = [name for name, distance in distances.items() if name != argument and (distance == 1 or not direct)]
    items = []
    for name in others[:most]:
        if time.monotonic() > end:
            break
        without = score_of(around.without([name]), argument, semantics)
        effect = None if score is None or without is None else score - without
        items.append(Contribution(name, relations_between(around, name, argument), distances[name], effect))
    items.sort(key=lambda item: -abs(item.effect) if item.effect is not None else -np.inf)
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
class Question:
    """A verdict on scores: yes if `margin` is positive, None if unknown.

    It is unknown if a score did not settle, or an argument in `about` does not exist. `ceiling` is a margin that no
    removal of other arguments exceeds, None if there is no proof of one.
    """

    words: str
    about: tuple[str, ...]
    weigh: Callable[[Graph], float | None]
    ceiling: Callable[[Graph], float | None] = lambda _: None

    def margin(self, graph: Graph) -> float | None:
        return self.weigh(graph) if all(name in graph.index for name in self.about) else None

    def __call__(self, graph: Graph) -> bool | None:
        margin = self.margin(graph)
        return None if margin is None else margin > LEVEL


def above(argument: str, threshold: float = MIDDLE, *, semantics: str = "moot") -> Question:
    """Does the argument score above the threshold?"""

    def weigh(graph: Graph) -> float | None:
        score = score_of(graph, argument, semantics)
        return None if score is None else score - threshold

    def ceiling(graph: Graph) -> float | None:
        """By the supports alone: in every semantics attacks only lower, and supports and their strength only raise."""
        names = graph.names
        attacks = [(names[one], names[other]) for one, other in plain(graph.attack_pairs)]
        supported = with_ancestry(graph.without(attacks=attacks), [argument])
        found = scores(supported, semantics)
        score = found[argument] if found.unique else None
        return None if score is None else score - threshold

    return Question(f"{argument} scores above {threshold:g}", (argument,), weigh, ceiling)


def higher(one: str, other: str, *, semantics: str = "moot") -> Question:
    """Does the first score higher than the second?"""

    def weigh(graph: Graph) -> float | None:
        found = scores(with_ancestry(graph, [one, other]), semantics)
        first, second = found[one], found[other]
        return None if first is None or second is None else first - second

    return Question(f"{one} scores higher than {other}", (one, other), weigh)


@dataclass(frozen=True, slots=True)
class Flip:
    """Arguments whose removal changes the verdict from `before` to `after`; `removed` is None if no set was found.

    `exact`: no smaller set does it or, without a result, no set does. Otherwise a heuristic chose them, and a smaller
    set can exist. `tried` counts the graphs that were judged.
    """

    removed: tuple[str, ...] | None
    before: object
    after: object
    exact: bool
    tried: int


def flip(
    graph: Graph,
    verdict: Callable[[Graph], object],
    *,
    candidates: Iterable[str] | None = None,
    budget: int | None = None,
    seconds: float = TURNING_SECONDS,
) -> Flip:
    """The smallest set of arguments whose removal changes the verdict.

    First each argument is removed alone, then those together that change most alone. Then sets are tried by size, while
    all sets of a size fit into the budget of graphs to judge. If nothing was found, arguments are removed greedily,
    with the same budget again, and only the first so many. By default it is 5,000, and less in large graphs. Each of
    these four searches has a quarter of the seconds, and what those before it left.
    `candidates` are the arguments that can be removed: by default all or, for a `Question`, the ancestry of its
    arguments, nearest first. A verdict of None does not count as a change.
    """
    if isinstance(verdict, Question) and candidates is None:
        about = [name for name in verdict.about if name in graph.index]
        graph = with_ancestry(graph, about)
        candidates = [name for name in distances_to(graph, about) if name not in about]
    search = _Search(graph, verdict, verdict(graph), list(graph.names if candidates is None else candidates))
    if isinstance(verdict, Question) and search.before is False:
        ceiling = verdict.ceiling(graph)
        if ceiling is not None and ceiling <= LEVEL:
            return search.found(None, exact=True)
    budget = _budget(graph) if budget is None else budget
    limits = [time.monotonic() + seconds * part / 4 for part in (1, 2, 3, 4)]
    size, quick = 1, None
    while size <= len(search.candidates) and search.tried + comb(len(search.candidates), size) <= budget:
        search.end = limits[0] if size == 1 else limits[2]
        chosen = search.first_of(size)
        if chosen is not None:
            return search.found(chosen, exact=True)
        complete = not search.late
        if size == 1:
            search.end = limits[1]
            quick = _by_single_margins(search)
        if not complete:
            break
        size += 1
        if quick is not None and len(quick) == size:
            return search.found(quick, exact=True)
    if size > len(search.candidates):
        return search.found(None, exact=True)
    search.end = limits[3]
    found = _greedy(search, budget) if quick is None else quick
    # All smaller sets failed, so one of this size is minimal.
    return search.found(found, exact=found is not None and len(found) == size)


def _budget(graph: Graph) -> int:
    """The number of graphs to judge, so that large graphs take seconds and not minutes."""
    size = len(graph) + len(graph.attack_pairs) + len(graph.support_pairs)
    return min(MOST_JUDGED, max(FEWEST_JUDGED, MOST_JUDGED * 400 // max(size, 1)))


@dataclass(slots=True)
class _Search:
    graph: Graph
    verdict: Callable[[Graph], object]
    before: object
    candidates: list[str]
    after: object = None
    tried: int = 1
    end: float = 0.0
    margins: dict[str, float] = field(default_factory=dict)
    """Of the graph without one argument, if the verdict has a margin."""

    @property
    def late(self) -> bool:
        return time.monotonic() > self.end

    def first_of(self, size: int) -> tuple[str, ...] | None:
        """The first set of this size that changes the verdict, or None if there is none or the time is up."""
        for chosen in combinations(self.candidates, size):
            if self.late:
                return None
            if self.flips(chosen):
                return chosen
        return None

    def flips(self, removed: Iterable[str]) -> bool:
        self.tried += 1
        removed = list(removed)
        smaller = self.graph.without(removed)
        if isinstance(self.verdict, Question):
            margin = self.verdict.margin(smaller)
            after: object = None if margin is None else margin > LEVEL
            if margin is not None and len(removed) == 1:
                self.margins[removed[0]] = margin
        else:
            after = self.verdict(smaller)
        if after is None or after == self.before:
            return False
        self.after = after
        return True

    def found(self, removed: tuple[str, ...] | None, *, exact: bool) -> Flip:
        return Flip(removed, self.before, None if removed is None else self.after, exact, self.tried)


def _by_single_margins(search: _Search) -> tuple[str, ...] | None:
    """Remove those that bring the verdict closer to changing, the strongest first, each judged when it was removed
    alone: this takes few steps, but does not see what arguments do together."""
    if not isinstance(search.verdict, Question) or (now := search.verdict.margin(search.graph)) is None:
        return None
    sign = 1 if search.before else -1
    closer = [name for name, margin in search.margins.items() if sign * (now - margin) > LEVEL]
    closer.sort(key=lambda name: sign * search.margins[name])
    for number in range(2, len(closer) + 1):
        if search.late:
            return None
        if search.flips(closer[:number]):
            return _without_the_unnecessary(search, closer[:number])
    return None


def _greedy(search: _Search, budget: int) -> tuple[str, ...] | None:
    """Repeatedly remove the argument that brings the verdict closest to changing, then put back the unnecessary
    ones."""
    removed: list[str] = []
    left = search.candidates[:budget]
    end = search.tried + budget
    while left and search.tried < end and not search.late:
        best = _most_telling(search, removed, left)
        removed.append(best)
        left.remove(best)
        if search.flips(removed):
            return _without_the_unnecessary(search, removed)
    return None


def _without_the_unnecessary(search: _Search, removed: list[str]) -> tuple[str, ...]:
    for name in tuple(removed):
        fewer = [other for other in removed if other != name]
        if search.late:
            break
        if fewer and search.flips(fewer):
            removed = fewer
    return tuple(name for name in search.candidates if name in removed)


def _most_telling(search: _Search, removed: list[str], left: list[str]) -> str:
    """The argument whose removal moves the margin most towards the other verdict; without a margin, the first."""
    if not isinstance(search.verdict, Question):
        return left[0]
    known = []
    for place, name in enumerate(left):
        if search.late:
            break
        search.tried += 1
        margin = search.verdict.margin(search.graph.without([*removed, name]))
        if margin is not None:
            known.append((margin, place))
    if not known:
        return left[0]
    chosen = min(known) if search.before is True else max(known, key=lambda one: (one[0], -one[1]))
    return left[chosen[1]]
