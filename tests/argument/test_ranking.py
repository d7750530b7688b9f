"""Rankings: examples by hand, and the properties that the papers prove."""

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import chain, pairwise
from typing import Any

import pytest
from hypothesis import given

from moot.argument import RANKINGS, ArgumentError, Graph, ranking, ranks
from tests.kit.graphs import graphs
from tests.kit.steps import assert_linear

EXAMPLE = Graph.of("abcde", [("a", "e"), ("b", "a"), ("b", "c"), ("c", "e"), ("d", "a"), ("e", "d")])


@pytest.mark.parametrize("semantics", ["discussion", "burden"])
def test_a_small_framework_is_ranked_by_hand(semantics: str) -> None:
    """Two attacks on a and e, one on c and d. The attackers of d and e are attacked more than those of c and a."""
    assert ranking(EXAMPLE, semantics) == [["b"], ["d"], ["c"], ["e"], ["a"]]


def test_burden_and_discussion_differ_where_attackers_differ_in_strength() -> None:
    """Both are attacked twice. Of the attackers of x one has three attackers, of those of y each has one: three
    defenders against two, but burdens of 1 + 1/4 + 1 against 1 + 1/2 + 1/2."""
    pairs = [("p", "x"), ("q", "x"), ("r", "y"), ("s", "y")]
    pairs += [("1", "p"), ("2", "p"), ("3", "p"), ("4", "r"), ("5", "s")]
    graph = Graph.of([*"xypqrs12345"], pairs)
    places = {
        semantics: [name for rank in ranking(graph, semantics) for name in rank if name in "xy"]
        for semantics in ("discussion", "burden")
    }
    assert places == {"discussion": ["x", "y"], "burden": ["y", "x"]}


@given(graphs())
def test_what_nothing_attacks_is_above_what_something_attacks(graph: Graph) -> None:
    attacked = {graph.names[target] for target in graph.attacks[:, 1].tolist()}
    free = set(graph.names) - attacked
    for semantics in RANKINGS:
        ranks = ranking(graph, semantics)
        assert sorted(chain(*ranks)) == sorted(graph.names)
        if free:
            assert set(ranks[0]) == free


def by_definition(graph: Graph, semantics: str) -> list[list[str]]:
    """The ranks as the papers define them, in fractions, with more steps than small graphs need."""
    attackers = [[one for one, other in graph.attacks.tolist() if other == number] for number in range(len(graph))]
    keys: list[Any]
    if semantics == "counting":
        keys = [-value for value in solved(attackers)]
    else:
        keys, values = [()] * len(graph), [Fraction(1)] * len(graph)
        for step in range(9 if semantics == "burden" else 2 * len(graph) + 2):
            if semantics == "burden":
                values = [1 + sum((1 / values[source] for source in sources), Fraction(0)) for sources in attackers]
            else:
                values = [sum((values[source] for source in sources), Fraction(0)) for sources in attackers]
            sign = -1 if semantics == "discussion" and step % 2 else 1
            keys = [(*key, sign * value) for key, value in zip(keys, values, strict=True)]
    return [[graph.names[i] for i, key in enumerate(keys) if key == level] for level in sorted(set(keys))]


def solved(attackers: list[list[int]]) -> list[Fraction]:
    """The solution of v = 1 - 9/10 M v / (the most attackers), by elimination."""
    size, most = len(attackers), max(map(len, attackers)) or 1
    rows = [
        [Fraction(9, 10 * most) * sources.count(column) + (row == column) for column in range(size)] + [Fraction(1)]
        for row, sources in enumerate(attackers)
    ]
    for column in range(size):
        pivot = next(row for row in range(column, size) if rows[row][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for row in range(size):
            if row != column and rows[row][column]:
                factor = rows[row][column]
                rows[row] = [one - factor * other for one, other in zip(rows[row], rows[column], strict=True)]
    return [row[-1] for row in rows]


def path(size: int) -> Graph:
    names = [f"a{number}" for number in range(size)]
    return Graph.of(names, list(pairwise(names)))


@pytest.mark.parametrize("semantics", RANKINGS)
@given(graph=graphs(6))
def test_ranks_are_those_of_the_definition(semantics: str, graph: Graph) -> None:
    assert ranking(graph, semantics) == by_definition(graph, semantics)


@pytest.mark.parametrize("size", [60, 250])
@pytest.mark.parametrize("semantics", RANKINGS)
def test_no_two_arguments_of_a_chain_share_a_rank(semantics: str, size: int) -> None:
    """Each falls between the two before it, so those at even places go down and the others up."""
    graph = path(size)
    even, odd = graph.names[::2], graph.names[1::2]
    assert ranking(graph, semantics) == [[name] for name in [*even, *reversed(odd)]]


@pytest.mark.parametrize("semantics", RANKINGS)
def test_arguments_that_a_symmetry_swaps_share_a_rank(semantics: str) -> None:
    """Each graph stands twice, the second time in another order of names and attacks."""
    lot = random.Random(11)
    for size in (3, 11, 40, 120):
        for density in (0.5, 1, 2, 3):
            pairs = {(lot.randrange(size), lot.randrange(size)) for _ in range(int(size * density))}
            attacks = [(f"{side}{one}", f"{side}{other}") for side in "xy" for one, other in pairs]
            names = [f"{side}{number}" for side in "xy" for number in range(size)]
            lot.shuffle(attacks)
            lot.shuffle(names)
            for rank in ranking(Graph.of(names, attacks), semantics):
                assert {name[1:] for name in rank if name[0] == "x"} == {name[1:] for name in rank if name[0] == "y"}


@pytest.mark.parametrize(
    ("semantics", "of_x", "of_y"),
    [("burden", (1, 5), (2, 2)), ("discussion", (1, 3), (2, 2)), ("counting", (1, 3), (2, 2))],
)
@pytest.mark.parametrize("cyclic", [False, True])
def test_different_attackers_of_equal_weight_make_a_tie(
    semantics: str, of_x: tuple[int, int], of_y: tuple[int, int], cyclic: bool
) -> None:
    """1/2 + 1/6 = 1/3 + 1/3 for burdens, 1 + 3 = 2 + 2 for those that add up. In the cyclic case all steps change."""
    attacks = [("g", "g"), ("g", "h"), ("h", "g"), ("g", "x"), ("g", "y")] if cyclic else []
    free = 0
    for target, numbers in (("x", of_x), ("y", of_y)):
        for place, number in enumerate(numbers):
            attacks.append((f"{target}{place}", target))
            attacks += [(f"f{free + each}", f"{target}{place}") for each in range(number)]
            free += number
    graph = Graph.of(sorted({name for pair in attacks for name in pair}), attacks)
    assert ["x", "y"] in ranking(graph, semantics)


def test_counting_sees_that_fractions_cancel() -> None:
    """With nine attackers at most each counts a tenth: two attackers of one half are as bad as one of 1."""
    attacks = [("f0", "x"), ("p", "y"), ("q", "y"), *((f"f{n}", "z") for n in range(9))]
    attacks += [(f"f{n}", target) for target in "pq" for n in range(5)]
    graph = Graph.of([*"xypqz", *(f"f{n}" for n in range(9))], attacks)
    assert ranking(graph, "counting")[1] == ["x", "y"]


def test_a_ranking_that_takes_too_long_is_refused_and_not_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranks, "MOST_WORK", 100)
    for semantics in ("burden", "discussion"):
        with pytest.raises(ArgumentError, match="can still differ; no ranks are given, as they could be wrong"):
            ranking(path(60), semantics)


@pytest.mark.parametrize("semantics", RANKINGS)
def test_a_long_chain_takes_time_in_proportion(semantics: str) -> None:
    """Each step parts one argument from all behind it, so looking at every argument in every step would take hours."""

    def ranked(size: int) -> Callable[[], object]:
        graph = path(size)
        return lambda: ranking(graph, semantics)

    assert_linear(ranked, 250)


def test_an_unknown_ranking_is_refused() -> None:
    with pytest.raises(ArgumentError, match="there is no ranking 'x'; there are burden, counting, discussion"):
        ranking(EXAMPLE, "x")


def test_a_large_graph_is_ranked_without_comparing_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranks, "MOST_WORK", 1_000_000)
    lot = random.Random(7)
    names = [str(number) for number in range(2_000)]
    for density in (1, 3):
        graph = Graph.of(names, {(lot.choice(names), lot.choice(names)) for _ in range(density * len(names))})
        for semantics in RANKINGS:
            assert sorted(name for rank in ranking(graph, semantics) for name in rank) == sorted(names)
