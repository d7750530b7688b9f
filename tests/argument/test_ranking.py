"""Rankings: examples by hand, and the properties that the papers prove."""

import random
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given

from moot.argument import RANKINGS, ArgumentError, Graph, ranking
from moot.argument.ranks import DAMPING
from tests.kit.graphs import graphs, untimed

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


@untimed
@given(graphs())
def test_what_nothing_attacks_is_above_what_something_attacks(graph: Graph) -> None:
    attacked = {graph.names[target] for target in graph.attacks[:, 1].tolist()}
    free = set(graph.names) - attacked
    for semantics in RANKINGS:
        ranks = ranking(graph, semantics)
        assert sorted(chain(*ranks)) == sorted(graph.names)
        if free:
            assert set(ranks[0]) == free


@untimed
@given(graphs())
def test_counting_is_the_solution_of_its_equation(graph: Graph) -> None:
    size = len(graph)
    matrix = np.zeros((size, size))
    for source, target in graph.attacks.tolist():
        matrix[target, source] = 1
    norm = matrix.sum(axis=1).max() or 1
    values = np.linalg.solve(np.eye(size) + DAMPING * matrix / norm, np.ones(size))
    order = {name: place for place, rank in enumerate(ranking(graph, "counting")) for name in rank}
    for one, other in combinations(range(size), 2):
        if values[one] > values[other] + 1e-6:
            assert order[graph.names[one]] < order[graph.names[other]]


def test_an_unknown_ranking_is_refused() -> None:
    with pytest.raises(ArgumentError, match="there is no ranking 'x'; there are burden, counting, discussion"):
        ranking(EXAMPLE, "x")


def test_a_large_graph_is_ranked_without_comparing_every_step() -> None:
    lot = random.Random(7)
    names = [str(number) for number in range(20_000)]
    graph = Graph.of(names, {(lot.choice(names), name) for name in names for _ in range(3)})
    for semantics in RANKINGS:
        assert sorted(name for rank in ranking(graph, semantics) for name in rank) == sorted(names)
