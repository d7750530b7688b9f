from itertools import pairwise, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.argument.gradual import GRADUAL, Scores, scores
from moot.argument.graph import ArgumentError, Graph
from tests.kit.examples import examples
from tests.kit.graphs import by_definition, graphs

semantics_names = pytest.mark.parametrize("semantics", GRADUAL)


def clique(size: int, *, undercuts: bool = False, prefix: str = "a") -> Graph:
    pairs = list(permutations([f"{prefix}{i}" for i in range(size)], 2))
    return Graph.of(
        [f"{prefix}{i}" for i in range(size)], () if undercuts else pairs, undercuts=pairs if undercuts else ()
    )


def ring(size: int = 6, *, groups: str = "abc") -> Graph:
    """Groups in a ring; every member undercuts every member of the next group."""
    members = {group: [f"{group}{i}" for i in range(size)] for group in groups}
    onward = zip(groups, groups[1:] + groups[0], strict=True)
    return Graph.of(
        [name for several in members.values() for name in several],
        undercuts=[pair for one, other in onward for pair in product(members[one], members[other])],
    )


def settled(found: Scores) -> dict[str, float]:
    return {name: score for name, score in found.by_name.items() if score is not None}


class TestKnownValues:
    def test_the_scheme_of_the_persuasion_protocol(self) -> None:
        graph = Graph.of("abcdef", [("b", "a")], [("d", "a"), ("e", "d")], undercuts=[("c", "a")])
        found = scores(graph)
        assert found["d"] == pytest.approx(0.6)
        assert found["a"] == pytest.approx(0.5 + 0.2 * 0.6 - 0.3 * 0.5 - 0.4 * 0.5)
        assert (found.certificate, found.unique, found.converged, found.iterations) == ("acyclic", True, True, 0)
        assert found.residual == 0

    def test_a_support_and_an_attack_by_the_same(self) -> None:
        graph = Graph.of("ab", [("a", "b")], [("a", "b")])
        assert scores(graph, "dfquad")["b"] == 0.5
        assert scores(graph)["b"] == pytest.approx(0.45)

    def test_questions_that_make_no_sense(self) -> None:
        graph = Graph.of("ab", [("a", "b")])
        with pytest.raises(ArgumentError, match="there are moot, dfquad"):
            scores(graph, "tea leaves")
        with pytest.raises(ArgumentError, match="no argument 'z'"):
            scores(graph)["z"]

    @semantics_names
    def test_extreme_sums_stay_finite(self, semantics: str) -> None:
        many = [f"s{i}" for i in range(1500)]
        for weight in (0.0, 0.5, 1.0):
            weights = dict.fromkeys(many, 1.0) | {"up": weight, "down": weight}
            graph = Graph.of(
                ["up", "down", *many], [(s, "down") for s in many], [(s, "up") for s in many], weights=weights
            )
            assert all(0 <= score <= 1 for score in settled(scores(graph, semantics)).values())


class TestStates:
    def test_above_below_untouched_and_level(self) -> None:
        graph = Graph.of("abcdez", [("a", "b"), ("z", "e")], [("a", "c")], weights={"z": 0.0})
        found = scores(graph)
        states = {name: found.state(name) for name in graph.names}
        assert states == {
            "a": "untouched",
            "b": "below",
            "c": "above",
            "d": "untouched",
            "e": "level",
            "z": "untouched",
        }


class TestCycles:
    @pytest.mark.parametrize(("size", "undercuts"), [(5, False), (4, True)])
    def test_cliques_that_swing_for_ever_without_damping(self, size: int, undercuts: bool) -> None:
        graph = clique(size, undercuts=undercuts)
        found = scores(graph)
        assert (found.converged, found.certificate, found.unique, found.stable) == (True, "monotone", True, True)
        assert settled(found) == pytest.approx(dict.fromkeys(found.graph.names, 0.5 / 2.2))
        assert found.residual <= 1e-12
        swing = dict.fromkeys(graph.names, 0.5)
        for _ in range(100):
            swing = {name: by_definition(graph, "moot", name, swing) for name in graph.names}
        assert set(swing.values()) == {0.5}
        assert by_definition(graph, "moot", "a0", swing) == 0

    def test_a_ring_that_has_a_limit_cycle_gets_no_numbers(self) -> None:
        graph = ring().with_argument("x", attacked_by=["a0"]).with_argument("y", supports=["x"])
        found = scores(graph)
        assert not found.converged
        assert not found.unique
        assert found.residual > 0.01
        assert set(found.unsettled) == {*ring().names, "x"}
        assert (found["a0"], found["x"], found["y"]) == (None, None, 0.5)
        assert (found.state("x"), found.state("y")) == ("unsettled", "untouched")
        fixpoint = 0.5 / 3.4
        low, high = found.bounds("a0")
        assert 0 <= low < fixpoint < high <= 0.5
        assert found.bounds("x") == pytest.approx((0.6 - 0.3 * high, 0.6 - 0.3 * low))
        assert found.bounds("y") == (0.5, 0.5)
        assert found.values.count(None) == 19

    def test_what_cannot_depend_on_the_unsettled_has_a_score(self) -> None:
        graph = ring().with_argument("x", attacked_by=["a0"], weight=0.0)
        assert scores(graph)["x"] == 0

    def test_two_equal_camps_are_in_balance_but_not_stable(self) -> None:
        camps = [f"{camp}{i}" for camp in "ab" for i in range(3)]
        across = [(one, other) for one in camps for other in camps if one[0] != other[0]]
        found = scores(Graph.of(camps, undercuts=across))
        assert (found.converged, found.certificate, found.unique, found.stable) == (True, "none", False, False)
        assert settled(found) == pytest.approx(dict.fromkeys(found.graph.names, 0.5 / 2.2))

    def test_bounds_that_meet_prove_uniqueness(self) -> None:
        graph = clique(4)
        found = scores(graph, "dfquad")
        assert (found.certificate, found.unique) == ("monotone", True)
        # Mutual supporters lift each other to the ceiling: no contraction, yet no other fixpoint.
        mutual = [(one, other) for one in "abcdef" for other in "abcdef" if one != other]
        lifted = scores(Graph.of("abcdef", supports=mutual))
        assert (lifted.certificate, lifted.unique, lifted["a"]) == ("monotone", True, 1)

    def test_slow_ones_are_not_taken_for_circles(self) -> None:
        # Each plain step takes but a two-thousandth off the distance, each of the averaged ones half of that.
        graph = Graph.of("ab", [("a", "b"), ("b", "a")], weights={"a": 0.9995, "b": 0.9994})
        found = scores(graph, "dfquad")
        assert found.converged
        assert found["a"] == pytest.approx(0.9995 * (1 - 0.9994) / (1 - 0.9995 * 0.9994), abs=1e-7)


@semantics_names
class TestProperties:
    @examples(15)
    @given(graph=graphs())
    def test_scores_are_fixpoints_within_0_and_1(self, semantics: str, graph: Graph) -> None:
        found = scores(graph, semantics)
        scored = settled(found)
        assert all(0 <= score <= 1 for score in scored.values())
        assert found.converged == (len(scored) == len(graph))
        if found.converged:
            for name, score in scored.items():
                assert by_definition(graph, semantics, name, scored) == pytest.approx(score, abs=1e-9)

    @examples(15)
    @given(graph=graphs(acyclic=True))
    def test_one_pass_equals_iteration(self, semantics: str, graph: Graph) -> None:
        found = scores(graph, semantics)
        assert (found.certificate, found.iterations, found.residual) == ("acyclic", 0, 0)
        iterated = dict.fromkeys(graph.names, 0.5)
        for _ in range(len(graph)):
            iterated = {name: by_definition(graph, semantics, name, iterated) for name in graph.names}
        assert found.by_name == pytest.approx(iterated, abs=1e-12)

    @examples(15)
    @given(graph=graphs(), data=st.data())
    def test_the_order_of_arguments_does_not_matter(self, semantics: str, graph: Graph, data: st.DataObject) -> None:
        names = graph.names
        order = data.draw(st.permutations(names))
        attacks = [(names[a], names[b]) for a, b in graph.attacks]
        weights = {name: weight for name, weight in zip(names, graph.weights, strict=True) if weight is not None}
        marked = [pair for pair, undercut in zip(attacks, graph.undercuts, strict=True) if undercut]
        supports = [(names[a], names[b]) for a, b in graph.supports]
        other = Graph.of(order, reversed(attacks), supports, undercuts=marked, weights=weights)
        one, two = scores(graph, semantics), scores(other, semantics)
        assert one.converged == two.converged
        assert settled(one) == pytest.approx(settled(two), abs=1e-9)

    @examples(5)
    @given(graph=graphs(most=6), data=st.data())
    def test_a_unique_fixpoint_is_met_from_anywhere(self, semantics: str, graph: Graph, data: st.DataObject) -> None:
        found = scores(graph, semantics)
        if not found.unique:
            return
        start = data.draw(st.lists(st.floats(0, 1), min_size=len(graph), max_size=len(graph)))
        x = dict(zip(graph.names, start, strict=True))
        for _ in range(1500):
            x = {name: x[name] + 0.1 * (by_definition(graph, semantics, name, x) - x[name]) for name in graph.names}
        moves = max(abs(by_definition(graph, semantics, name, x) - x[name]) for name in graph.names)
        if moves < 1e-12:
            assert found.by_name == pytest.approx(x, abs=1e-8)


def test_each_of_many_components_settles_as_alone() -> None:
    parts = [clique(size, undercuts=size % 2 == 0, prefix=f"{size}.{copy}.") for size in range(2, 9) for copy in "xy"]
    parts += [ring()]
    related = [(part.names[a], part.names[b], mark) for part in parts for a, b, mark in part.relations()]
    together = Graph.of(
        [name for part in parts for name in part.names],
        [(one, other) for one, other, kind in related if kind == "attack"],
        undercuts=[(one, other) for one, other, kind in related if kind == "undercut"],
    )
    found = scores(together)
    for part in parts:
        assert {name: found[name] for name in part.names} == scores(part).by_name


def test_a_chain_deeper_than_the_stack() -> None:
    size = 4_000
    line = list(pairwise(range(size)))
    found = scores(Graph.numbered([str(i) for i in range(size)], line))
    assert found.certificate == "acyclic"
    assert found[str(size - 1)] == pytest.approx(0.5 / 1.3)
    ends = scores(Graph.numbered(found.graph.names, [*line, (size - 1, size - 2)]))
    assert (ends.certificate, ends.unique) == ("contraction", True)
