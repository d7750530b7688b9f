"""Dung's semantics: textbook facts, the definitions themselves on small graphs, and laws on larger ones."""

import random
import sys
from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.argument import (
    SEMANTICS,
    Answer,
    ArgumentError,
    Graph,
    asp,
    credulous,
    extension,
    extensions,
    grounded,
    labelling,
    sceptical,
)
from moot.argument.families import product
from moot.argument.parts import parts
from moot.argument.propagation import UNDECIDED
from moot.argument.sat import Search
from tests.kit.oracle import Oracle

Pairs = list[tuple[str, str]]


def sets(*words: str) -> set[frozenset[str]]:
    return {frozenset(word) for word in words}


def found(graph: Graph, semantics: str) -> set[frozenset[str]]:
    listed = list(extensions(graph, semantics))
    assert len(listed) == len(set(listed))
    return set(listed)


NIXON = Graph.of("ab", [("a", "b"), ("b", "a")])
ODD = Graph.of("abc", [("a", "b"), ("b", "c"), ("c", "a")])
# a and b attack each other, both attack c, which attacks d.
FLOATING = Graph.of("abcd", [("a", "b"), ("b", "a"), ("a", "c"), ("b", "c"), ("c", "d")])
# Caminada's example: preferred {a} and {b, d}, of which only the second is stable and semi-stable.
CAMINADA = Graph.of("abcde", [("a", "b"), ("b", "a"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "c")])
SELF = Graph.of("ab", [("a", "a"), ("a", "b")])


@pytest.mark.parametrize(
    ("graph", "semantics", "wanted"),
    [
        (NIXON, "PR", sets("a", "b")),
        (NIXON, "CO", sets("", "a", "b")),
        (NIXON, "GR", sets("")),
        (NIXON, "ID", sets("")),
        (ODD, "ST", set()),
        (ODD, "PR", sets("")),
        (ODD, "SST", sets("")),
        (FLOATING, "PR", sets("ad", "bd")),
        (FLOATING, "GR", sets("")),
        (FLOATING, "ID", sets("")),
        (CAMINADA, "PR", sets("a", "bd")),
        (CAMINADA, "ST", sets("bd")),
        (CAMINADA, "SST", sets("bd")),
        (CAMINADA, "ID", sets("")),
        (SELF, "PR", sets("")),
        (SELF, "ST", set()),
    ],
)
def test_textbook(graph: Graph, semantics: str, wanted: set[frozenset[str]]) -> None:
    assert found(graph, semantics) == wanted


@pytest.mark.parametrize("semantics", SEMANTICS)
def test_the_empty_framework_has_one_empty_extension(semantics: str) -> None:
    empty = Graph.of([])
    assert list(extensions(empty, semantics)) == [frozenset()]
    assert extension(empty, semantics) == frozenset()


def test_no_extension_is_not_an_empty_extension() -> None:
    assert extension(ODD, "ST") is None
    assert extension(ODD, "PR") == frozenset()
    # One part without a stable extension leaves the whole without.
    beside = ODD.with_argument("x").with_argument("y", attacks=["y"])
    assert list(extensions(beside, "ST")) == []
    for name in beside.names:
        assert credulous(beside, "ST", name) == Answer(False, None)
        assert sceptical(beside, "ST", name) == Answer(True, None)


def test_floating_acceptance_and_its_certificates() -> None:
    assert sceptical(FLOATING, "PR", "d") == Answer(True, None)
    assert sceptical(FLOATING, "CO", "d") == Answer(False, frozenset())
    assert sceptical(FLOATING, "PR", "a") == Answer(False, frozenset("bd"))
    assert credulous(FLOATING, "PR", "a") == Answer(True, frozenset("ad"))
    assert credulous(FLOATING, "PR", "c") == Answer(False, None)


def test_a_labelling() -> None:
    assert labelling(CAMINADA, ["a"]) == {"a": "in", "b": "out", "c": "undec", "d": "undec", "e": "undec"}
    assert labelling(ODD, extension(ODD, "GR") or ()) == dict.fromkeys("abc", "undec")


@pytest.mark.parametrize("ask", [extension, extensions])
def test_an_unknown_semantics_or_argument_is_an_error(ask: object) -> None:
    assert callable(ask)
    with pytest.raises(ArgumentError, match="no semantics 'XX'; there are CO, GR"):
        ask(NIXON, "XX")
    with pytest.raises(ArgumentError, match="no argument 'x'"):
        credulous(NIXON, "PR", "x")
    with pytest.raises(ArgumentError, match="no argument 'x'"):
        labelling(NIXON, "x")


def test_support_is_not_looked_at() -> None:
    assert found(Graph.of("ab", [("a", "b"), ("b", "a")], [("a", "b")]), "PR") == sets("a", "b")


def random_graph(seed: int, size: int, density: float) -> tuple[list[str], Pairs]:
    dice = random.Random(seed)
    names = [f"a{number}" for number in range(size)]
    # Self-attacks are made rarer, else hardly anything could be accepted.
    return names, [(a, b) for a in names for b in names if dice.random() < density * (0.3 if a == b else 1)]


@pytest.mark.parametrize("seed", range(60))
def test_the_definitions_on_random_graphs(seed: int) -> None:
    names, attacks = random_graph(seed, seed % 9, [0.08, 0.15, 0.25, 0.4][seed % 4])
    graph, oracle = Graph.of(names, attacks), Oracle(names, attacks)
    for semantics in SEMANTICS:
        wanted = oracle.extensions[semantics]
        assert found(graph, semantics) == wanted, semantics
        one = extension(graph, semantics)
        assert one in wanted if wanted else one is None, semantics
        for name in names:
            holding = {each for each in wanted if name in each}
            yes, always = credulous(graph, semantics, name), sceptical(graph, semantics, name)
            assert yes.accepted == bool(holding), (semantics, name)
            assert yes.certificate in holding if holding else yes.certificate is None, (semantics, name)
            assert always.accepted == (holding == wanted), (semantics, name)
            assert always.certificate is None or always.certificate in wanted - holding, (semantics, name)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("base", ["AD", "CO", "ST"])
def test_both_solvers_enumerate_the_same(seed: int, base: str) -> None:
    names, attacks = random_graph(seed, 14, 0.15)
    graph = Graph.of(names, attacks)
    for part in parts(graph.attacks, [UNDECIDED] * len(graph)):
        with Search(part.attackers, base) as search:  # type: ignore[arg-type]
            every = set(search.each())
        assert every == set(asp.each(part.attackers, base))  # type: ignore[arg-type]
        some = list(islice(every, 3))
        assert every - set(some) == set(asp.each(part.attackers, base, some))  # type: ignore[arg-type]
        if base != "ST":
            with Search(part.attackers, base) as search:  # type: ignore[arg-type]
                most = list(search.maximal())
            assert set(most) == {one for one in every if not any(one < other for other in every)}
            assert sorted(map(sorted, most)) == sorted(map(sorted, asp.maximal(part.attackers, base)))  # type: ignore[arg-type]
            assert set(most[1:]) == set(asp.maximal(part.attackers, base, most[:1]))  # type: ignore[arg-type]
            with Search(part.attackers, base) as search:  # type: ignore[arg-type]
                widest = list(search.widest())
            assert sorted(map(sorted, widest)) == sorted(map(sorted, asp.widest(part.attackers, base)))  # type: ignore[arg-type]


@pytest.mark.parametrize("base", ["AD", "CO", "ST"])
def test_models_are_read_without_the_inner_parts_of_clingo(base: asp.Base, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(3)
    attackers = tuple(tuple(sorted({dice.randrange(9) for _ in range(2)})) for _ in range(9))

    def listed() -> list[list[frozenset[int]]]:
        return [sorted(search(attackers, base), key=sorted) for search in (asp.each, asp.maximal, asp.widest)]

    quickly = listed()
    assert len(quickly[0]) > 1 or base == "ST"
    monkeypatch.setitem(sys.modules, "clingo._internal", None)  # as if it were not there
    assert listed() == quickly


@pytest.mark.parametrize("seed", range(6))
def test_many_extensions_agree_with_questions_about_single_arguments(seed: int) -> None:
    """Enumeration goes through clingo here, questions through SAT; neither knows of the other."""
    names, attacks = random_graph(seed, 24, 0.09)
    graph = Graph.of(names, attacks)
    for semantics in ("CO", "PR", "ST", "SST"):
        every = found(graph, semantics)
        for name in names:
            assert credulous(graph, semantics, name).accepted == any(name in one for one in every), (semantics, name)
            assert sceptical(graph, semantics, name).accepted == all(name in one for one in every), (semantics, name)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    size = draw(st.integers(0, 16))
    names = [f"n{number}" for number in range(size)]
    numbers = st.integers(0, max(size - 1, 0))
    pairs = draw(st.lists(st.tuples(numbers, numbers), max_size=2 * size)) if size else []
    return Graph.numbered(names, pairs)


@given(graphs(), st.randoms(use_true_random=False))
def test_the_order_of_arguments_does_not_matter(graph: Graph, dice: random.Random) -> None:
    names = list(graph.names)
    dice.shuffle(names)
    pairs = [(graph.names[one], graph.names[other]) for one, other in graph.attacks]
    dice.shuffle(pairs)
    other = Graph.of(names, pairs)
    assert other == graph
    for semantics in SEMANTICS:
        assert found(graph, semantics) == found(other, semantics)


def test_parts_multiply_without_being_enumerated() -> None:
    names = [f"{side}{number}" for number in range(300) for side in "ab"]
    mutual = [pair for number in range(300) for pair in ((f"a{number}", f"b{number}"), (f"b{number}", f"a{number}"))]
    graph = Graph.of(names, mutual)
    first = list(islice(extensions(graph, "PR"), 50))
    assert len(set(first)) == 50
    assert all(len(one) == 300 for one in first)


def test_a_chain_is_decided_from_its_end() -> None:
    size = 5_000
    chain = Graph.numbered(map(str, range(size)), pairwise(range(size)))
    assert grounded(chain) == frozenset(map(str, range(0, size, 2)))
    assert list(extensions(chain, "PR")) == [grounded(chain)]


@pytest.mark.parametrize("seed", range(5))
def test_grounded_on_larger_graphs_is_complete_and_least(seed: int) -> None:
    size = 2_000
    dice = random.Random(seed)
    pairs = [(dice.randrange(size), dice.randrange(size)) for _ in range(2 * size)]
    graph = Graph.numbered(map(str, range(size)), pairs)
    labels = labelling(graph, grounded(graph))
    attackers: dict[str, list[str]] = {name: [] for name in graph.names}
    for one, other in graph.attacks:
        attackers[graph.names[other]].append(labels[graph.names[one]])
    for name, label in labels.items():
        if label == "in":
            assert set(attackers[name]) <= {"out"}
        else:
            assert (label == "out") == ("in" in attackers[name])
            assert set(attackers[name]) > {"out"} or "out" not in attackers[name]
            assert attackers[name]
    preferred = extension(graph, "PR")
    assert preferred is not None
    assert grounded(graph) <= preferred


def test_products_are_lazy_and_gone_through_again_when_too_large_to_keep() -> None:
    made = []

    def source(size: int, what: int) -> object:
        def members() -> object:
            made.append(what)
            return (frozenset({what, number}) for number in range(size))

        return members

    assert list(product([])) == [()]
    assert list(product([source(0, -1), source(3, -2)])) == []  # type: ignore[list-item]
    pairs = list(product([source(2, -1), source(3, -2)]))  # type: ignore[list-item]
    assert len(set(pairs)) == 6
    made.clear()
    assert len(list(product([source(2, -1), source(60_000, -2)]))) == 120_000  # type: ignore[list-item]
    assert made == [-1, -2, -2]
