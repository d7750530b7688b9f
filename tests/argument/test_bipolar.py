"""Support as further attacks."""

import random

import pytest

from moot.argument import READINGS, ArgumentError, Graph, abstract, derived_attacks, extensions

# a supports x, which attacks c, which b supports.
CAYROL = Graph.of("abcx", [("x", "c")], [("a", "x"), ("b", "c")])


def attacks(graph: Graph) -> set[str]:
    return {graph.names[one] + graph.names[other] for one, other in graph.attacks.tolist()}


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("supported", {"ac"}),
        ("secondary", set()),
        ("mediated", {"xb"}),
        ("super-mediated", {"xb", "ab"}),
        ("extended", set()),
    ],
)
def test_kinds(kind: str, wanted: set[str]) -> None:
    assert {one + other for one, other in derived_attacks(CAYROL, kind)} == wanted


def test_secondary_and_extended() -> None:
    graph = Graph.of("abcd", [("a", "b")], [("b", "c"), ("a", "d")])
    assert derived_attacks(graph, "secondary") == {("a", "c")}
    assert derived_attacks(graph, "extended") == {("d", "b")}


@pytest.mark.parametrize(
    ("reading", "wanted"),
    [
        ("DEFAULT", {"xc", "ac"}),
        ("SIMPLE_DEDUCTIVE", {"xc", "xb"}),
        ("DEDUCTIVE", {"xc", "ac", "xb"}),
        ("CLOSED_DEDUCTIVE", {"xc", "ac", "xb", "ab"}),
        ("SIMPLE_NECESSITY", {"xc"}),
        ("NECESSITY", {"xc"}),
    ],
)
def test_readings(reading: str, wanted: set[str]) -> None:
    graph = abstract(CAYROL, reading)
    assert attacks(graph) == wanted
    assert not len(graph.supports)


def test_support_goes_along_chains_and_round_cycles() -> None:
    graph = Graph.of("abcx", [("c", "x")], [("a", "b"), ("b", "c"), ("c", "a")])
    assert derived_attacks(graph, "supported") == {("a", "x"), ("b", "x"), ("c", "x")}


def test_what_the_graph_says_is_kept() -> None:
    graph = Graph.of(
        "abc", [("a", "b")], [("b", "c"), ("c", "a")], undercuts=[("b", "a")], weights={"a": 1}, texts={"b": "x"}
    )
    flat = abstract(graph)
    assert flat.weights is not None
    assert flat.weights[0] == 1
    assert flat.texts == ("", "x", "")
    marked = {flat.names[one] + flat.names[other] for one, other in flat.attacks[flat.undercuts].tolist()}
    assert marked == {"ba"}


def test_without_support_nothing_changes() -> None:
    graph = Graph.of("ab", [("a", "b")])
    assert all(abstract(graph, reading) == graph for reading in READINGS)
    assert abstract(Graph.of([])) == Graph.of([])


def test_the_deductive_reading_alone_does_not_close_preferred_sets_under_support() -> None:
    """What brings a self-attacker defends itself by the attack that follows, unless that falls back on it too."""
    graph = Graph.of("cd", [("c", "c")], [("d", "c")])
    assert derived_attacks(graph, "super-mediated") - derived_attacks(graph, "mediated") == {("d", "d")}
    assert list(extensions(abstract(graph, "DEDUCTIVE"), "PR")) == [frozenset("d")]
    assert list(extensions(abstract(graph, "CLOSED_DEDUCTIVE"), "PR")) == [frozenset()]


@pytest.mark.parametrize("seed", range(80))
def test_closed_deductive_preferred_sets_hold_what_they_support(seed: int) -> None:
    dice = random.Random(seed)
    names = [f"a{number}" for number in range(7)]
    drawn = [[(a, b) for a in names for b in names if dice.random() < 0.12] for _ in range(2)]
    graph = Graph.of(names, drawn[0], drawn[1])
    for one in extensions(abstract(graph, "CLOSED_DEDUCTIVE"), "PR"):
        assert all(supported in one for supporter, supported in drawn[1] if supporter in one)


def test_unknown_readings_and_kinds_are_refused() -> None:
    with pytest.raises(ArgumentError, match="no reading 'X' of support; there are DEFAULT"):
        abstract(CAYROL, "X")
    with pytest.raises(ArgumentError, match="kind 'X' are known; there are supported"):
        derived_attacks(CAYROL, "X")
