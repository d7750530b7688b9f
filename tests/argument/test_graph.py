"""The argument graph: a value that is edited into others."""

import math
from collections.abc import Callable

import pytest

from moot.argument import ArgumentError, Graph


def small() -> Graph:
    return Graph.of(
        ["a", "b", "c"],
        attacks=[("a", "b")],
        supports=[("b", "c")],
        undercuts=[("c", "a")],
        weights={"a": 0.25},
        texts={"b": "Because."},
    )


def test_names_become_numbers() -> None:
    graph = small()
    assert graph.names == ("a", "b", "c")
    assert (graph.attacks, graph.undercuts) == (((0, 1), (2, 0)), (False, True))
    assert graph.supports == ((1, 2),)
    assert graph.weights == (0.25, None, None)
    assert graph.texts == ("", "Because.", "")
    assert [graph.number(name) for name in "abc"] == [0, 1, 2]


def test_a_relation_said_twice_counts_once() -> None:
    graph = Graph.of("ab", [("a", "b"), ("b", "a"), ("a", "b")], [("a", "a"), ("a", "a")], undercuts=[("a", "b")])
    assert (graph.attacks, graph.undercuts) == (((0, 1), (1, 0)), (True, False))
    assert graph.supports == ((0, 0),)


def test_equality_is_by_names_not_by_order() -> None:
    one = Graph.of("abc", [("a", "b"), ("b", "c")], weights={"a": 0.5}, texts={"c": "x"})
    other = Graph.of("cba", [("b", "c"), ("a", "b")], weights={"a": 0.5}, texts={"c": "x"})
    assert one == other
    assert hash(one) == hash(other)
    assert one != Graph.of("abc", [("a", "b"), ("b", "c")], weights={"a": 0.4}, texts={"c": "x"})
    assert one != Graph.of("abc", [("b", "c")], undercuts=[("a", "b")], weights={"a": 0.5}, texts={"c": "x"})
    assert one != "abc"


def test_an_unknown_name_says_which_come_near() -> None:
    graph = Graph.of(["alpha", "beta"])
    with pytest.raises(ArgumentError, match=r"no argument 'alpah' among the 2; did you mean 'alpha'\?"):
        graph.number("alpah")


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: Graph.of("aba"), "'a' is there twice"),
        (lambda: Graph.of("ab", [("a", "x")]), "no argument 'x'"),
        (lambda: Graph.of("ab", weights={"x": 0.5}), "no argument 'x'"),
        (lambda: Graph.of("ab", texts={"x": "?"}), "no argument 'x'"),
        (lambda: Graph.of("ab", weights={"b": 1.5}), "weight of 'b' is 1.5"),
        (lambda: Graph.of("ab", weights={"b": -0.1}), "weight of 'b' is -0.1"),
        (lambda: Graph.of("ab", weights={"b": math.nan}), "weight of 'b' is nan"),
        (lambda: Graph.numbered("ab", [(0, 2)]), "attacks name an argument beyond the 2"),
        (lambda: Graph.numbered("ab", supports=[(-1, 0)]), "supports name an argument beyond the 2"),
        (lambda: Graph.numbered("ab", [(0, 1)], undercuts=[True, False]), "2 undercut marks for 1 attacks"),
        (lambda: Graph.numbered("ab", weights=[0.5]), "1 weights for 2 arguments"),
        (lambda: Graph.numbered("ab", texts=["x"]), "1 texts for 2 arguments"),
        (lambda: small().without(["x"]), "no argument 'x'"),
        (lambda: small().without(attacks=[("b", "a")]), "no attack of 'b' on 'a'"),
        (lambda: small().without(supports=[("a", "c")]), "no support of 'a' on 'c'"),
        (lambda: small().with_argument("a"), "'a' is there twice"),
        (lambda: small().reweighted({"x": 1}), "no argument 'x'"),
    ],
)
def test_what_makes_no_sense_is_refused(make: Callable[[], object], reason: str) -> None:
    with pytest.raises(ArgumentError, match=reason):
        make()


def test_taking_away() -> None:
    graph = small()
    assert graph.without(["a"]) == Graph.of("bc", supports=[("b", "c")], texts={"b": "Because."})
    assert graph.without(attacks=[("c", "a")], supports=[("b", "c")]) == Graph.of(
        "abc", [("a", "b")], weights={"a": 0.25}, texts={"b": "Because."}
    )
    assert graph.without() == graph


def test_adding_an_argument_and_taking_it_away_again() -> None:
    graph = small()
    larger = graph.with_argument(
        "d", attacks=["a"], supports=["b"], attacked_by=["c"], supported_by=["d"], weight=1, text="New."
    )
    assert larger == Graph.of(
        "abcd",
        [("a", "b"), ("d", "a"), ("c", "d")],
        [("b", "c"), ("d", "b"), ("d", "d")],
        undercuts=[("c", "a")],
        weights={"a": 0.25, "d": 1},
        texts={"b": "Because.", "d": "New."},
    )
    assert larger.without(["d"]) == graph
    assert Graph.of("a").with_argument("b").weights == (None, None)


def test_other_weights() -> None:
    assert Graph.of("ab").reweighted({"b": 0.75}) == Graph.of("ab", weights={"b": 0.75})
    assert small().reweighted({"a": 1.0, "b": 0.0}).weights == (1.0, 0.0, None)
    with pytest.raises(ArgumentError, match="not within"):
        small().reweighted({"b": 1.5})
    assert small().reweighted({}) == small()
