import math
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.argument.gradual import GRADUAL, Scores, scores
from moot.argument.gradual_large import solve_large
from moot.argument.gradual_semantics import CERTIFICATES, MONOTONE, NONE, semantics_named
from moot.argument.gradual_small import solve_small
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

    def test_sums_are_clamped(self) -> None:
        graph = Graph.of("abcdefg", [(name, "a") for name in "bcdefg"], [(name, "b") for name in "cdefg"])
        assert scores(graph)["a"] == 0
        assert scores(graph)["b"] == 1

    def test_h_categorizer(self) -> None:
        graph = Graph.of("abc", [("a", "b"), ("b", "c")], [("a", "c")], weights={"a": 0.5, "b": 0.8})
        assert scores(graph, "hcat").by_name == pytest.approx({"a": 1, "b": 1 / 2, "c": 2 / 3})
        assert scores(graph, "weighted_hcat").by_name == pytest.approx({"a": 0.5, "b": 0.8 / 1.5, "c": 1.5 / 2.3})

    def test_a_self_attack_is_the_golden_ratio(self) -> None:
        found = scores(Graph.of("a", [("a", "a")]), "hcat")
        assert found["a"] == pytest.approx((math.sqrt(5) - 1) / 2, abs=1e-11)
        assert found.unique

    def test_a_support_and_an_attack_by_the_same(self) -> None:
        graph = Graph.of("ab", [("a", "b")], [("a", "b")])
        assert scores(graph, "dfquad")["b"] == 0.5
        assert scores(graph)["b"] == pytest.approx(0.45)

    @semantics_names
    def test_nothing_is_a_graph_too(self, semantics: str) -> None:
        found = scores(Graph.of([]), semantics)
        assert (len(found.by_name), found.converged, found.certificate) == (0, True, "acyclic")

    @semantics_names
    def test_a_lone_argument_keeps_its_base_score(self, semantics: str) -> None:
        assert scores(Graph.of("a"), semantics)["a"] == (1 if "hcat" in semantics else 0.5)
        if semantics != "hcat":
            assert scores(Graph.of("a", weights={"a": 0.3}), semantics)["a"] == 0.3

    def test_questions_that_make_no_sense(self) -> None:
        graph = Graph.of("ab", [("a", "b")])
        assert scores(graph, "qe").semantics == "energy"
        with pytest.raises(ArgumentError, match="there are moot, hcat"):
            scores(graph, "tea leaves")
        for tolerance in (0.0, -1.0, 1.0, math.nan):
            with pytest.raises(ArgumentError, match="tolerance"):
                scores(graph, tolerance=tolerance)
        with pytest.raises(ArgumentError, match="no argument 'z'"):
            scores(graph)["z"]

    @semantics_names
    def test_extreme_sums_stay_finite(self, semantics: str) -> None:
        many = [f"s{i}" for i in range(1500)]
        for weight in (0.0, 0.5, 1.0):
            weights = dict.fromkeys(many, 1.0) | {"up": weight, "down": weight}
            graph = Graph.of(["up", "down", *many], [(s, "down") for s in many], [(s, "up") for s in many])
            chosen = semantics_named(semantics)
            base = np.array([weights[name] for name in graph.names])
            for found in (solve_small(graph, chosen, base, 1e-12), solve_large(graph, chosen, base, 1e-12)):
                assert found is not None
                assert ((found.values >= 0) & (found.values <= 1)).all()


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

    def test_a_support_is_nothing_to_a_semantics_that_reads_none(self) -> None:
        assert scores(Graph.of("ab", supports=[("a", "b")]), "hcat").state("b") == "untouched"


class TestCycles:
    @pytest.mark.parametrize(("size", "undercuts"), [(5, False), (4, True)])
    def test_cliques_that_swing_for_ever_without_damping(self, size: int, undercuts: bool) -> None:
        graph = clique(size, undercuts=undercuts)
        found = scores(graph)
        assert (found.converged, found.certificate, found.unique, found.stable) == (True, "monotone", True, True)
        assert found.array == pytest.approx(0.5 / 2.2)
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
        assert np.isnan(found.array).sum() == 19

    def test_what_cannot_depend_on_the_unsettled_has_a_score(self) -> None:
        graph = ring().with_argument("x", attacked_by=["a0"], weight=0.0)
        assert scores(graph)["x"] == 0

    def test_two_equal_camps_are_in_balance_but_not_stable(self) -> None:
        camps = [f"{camp}{i}" for camp in "ab" for i in range(3)]
        across = [(one, other) for one in camps for other in camps if one[0] != other[0]]
        found = scores(Graph.of(camps, undercuts=across))
        assert (found.converged, found.certificate, found.unique, found.stable) == (True, "none", False, False)
        assert found.array == pytest.approx(0.5 / 2.2)

    def test_few_attacks_contract(self) -> None:
        found = scores(Graph.of("abc", [("a", "b"), ("b", "c"), ("c", "a")]))
        assert (found.certificate, found.unique) == ("contraction", True)
        assert found.array == pytest.approx(0.5 / 1.3)

    def test_bounds_that_meet_prove_uniqueness(self) -> None:
        graph = clique(4)
        found = scores(graph, "dfquad")
        assert (found.certificate, found.unique) == ("monotone", True)
        # Mutual supporters lift each other to the ceiling: no contraction, yet no other fixpoint.
        mutual = [(one, other) for one in "abcdef" for other in "abcdef" if one != other]
        lifted = scores(Graph.of("abcdef", supports=mutual))
        assert (lifted.certificate, lifted.unique, lifted["a"]) == ("monotone", True, 1)

    def test_each_component_for_itself(self) -> None:
        alone = scores(clique(5))
        together = clique(5).with_argument("z", attacks=["z"])
        assert scores(together)["a0"] == alone["a0"]
        assert scores(together)["z"] == pytest.approx(0.5 / 1.3)

    def test_slow_ones_are_not_taken_for_circles(self) -> None:
        # Each plain step takes but a two-thousandth off the distance, each of the averaged ones half of that.
        graph = Graph.of("ab", [("a", "b"), ("b", "a")], weights={"a": 0.9995, "b": 0.9994})
        found = scores(graph, "dfquad")
        assert found.converged
        assert found["a"] == pytest.approx(0.9995 * (1 - 0.9994) / (1 - 0.9995 * 0.9994), abs=1e-7)

    @semantics_names
    def test_the_tolerance_is_kept(self, semantics: str) -> None:
        graph = clique(6, undercuts=True)
        assert scores(graph, semantics).residual <= 1e-12
        rough = scores(graph, semantics, tolerance=1e-4)
        assert rough.converged
        assert rough.residual <= 1e-4
        assert rough.iterations <= scores(graph, semantics).iterations


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
        attacks = [(names[a], names[b]) for a, b in graph.attacks.tolist()]
        weights = None if graph.weights is None else dict(zip(names, graph.weights.tolist(), strict=True))
        marked = [pair for pair, undercut in zip(attacks, graph.undercuts, strict=True) if undercut]
        supports = [(names[a], names[b]) for a, b in graph.supports.tolist()]
        other = Graph.of(order, reversed(attacks), supports, undercuts=marked, weights=weights)
        one, two = scores(graph, semantics), scores(other, semantics)
        assert one.converged == two.converged
        assert settled(one) == pytest.approx(settled(two), abs=1e-9)

    @examples(20)
    @given(graph=graphs(most=14))
    def test_both_solvers_agree(self, semantics: str, graph: Graph) -> None:
        chosen = semantics_named(semantics)
        base = np.full(len(graph), chosen.default) if graph.weights is None else graph.weights
        small, large = solve_small(graph, chosen, base, 1e-12), solve_large(graph, chosen, base, 1e-12)
        assert large is not None
        assert small.values == pytest.approx(large.values, abs=1e-9, nan_ok=True)
        assert small.low == pytest.approx(large.low, abs=1e-9)
        assert small.high == pytest.approx(large.high, abs=1e-9)
        assert small.stable == large.stable
        # One of the two may give up narrowing bounds a little before the other.
        if not {small.certificate, large.certificate} <= {MONOTONE, NONE}:
            assert small.certificate == large.certificate

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


def random_graph(size: int, seed: int, *, acyclic: bool) -> Graph:
    random = np.random.default_rng(seed)
    attacks, supports = random.integers(0, size, (2, size, 2))
    if acyclic:
        attacks, supports = (np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1) for pairs in (attacks, supports))
    names = [f"a{i}" for i in range(size)]
    marks = random.random(len(attacks)) < 0.5
    return Graph.numbered(names, attacks, supports, undercuts=marks, weights=random.random(size))


class TestLarge:
    @semantics_names
    @pytest.mark.parametrize("acyclic", [True, False])
    def test_thousands(self, semantics: str, acyclic: bool) -> None:
        graph = random_graph(3000, 7, acyclic=acyclic)
        found = scores(graph, semantics)
        chosen = semantics_named(semantics)
        assert graph.weights is not None
        base = graph.weights if chosen.weighted else np.ones(len(graph))
        small = solve_small(graph, chosen, base, 1e-12)
        assert found.array == pytest.approx(small.values, abs=1e-9, nan_ok=True)
        assert found.certificate == CERTIFICATES[small.certificate]

    def test_many_components_at_once_each_settle_as_alone(self) -> None:
        parts = [
            clique(size, undercuts=size % 2 == 0, prefix=f"{size}.{copy}.") for size in range(2, 9) for copy in "xy"
        ]
        parts += [ring()]
        offsets = np.cumsum([0, *(len(part) for part in parts)])
        pairs = [part.attacks + offset for part, offset in zip(parts, offsets, strict=False)]
        together = Graph.numbered(
            [name for part in parts for name in part.names],
            np.concatenate(pairs),
            undercuts=np.concatenate([part.undercuts for part in parts]),
        )
        assert len(together) + len(together.attacks) > 500
        large = solve_large(together, semantics_named("moot"), np.full(len(together), 0.5), 1e-12)
        assert large is not None
        for part, offset in zip(parts, offsets, strict=False):
            alone = scores(part)
            assert large.values[offset : offset + len(part)] == pytest.approx(alone.array, abs=1e-11, nan_ok=True)

    def test_a_chain_too_deep_for_levels(self, monkeypatch: pytest.MonkeyPatch) -> None:
        size = 4_000
        monkeypatch.setattr("moot.argument.gradual_large.DEEPEST", size - 1)
        line = np.column_stack([np.arange(size - 1), np.arange(1, size)])
        graph = Graph.numbered([str(i) for i in range(size)], line)
        assert solve_large(graph, semantics_named("hcat"), np.ones(size), 1e-12) is None
        found = scores(graph, "hcat")
        assert found.certificate == "acyclic"
        assert found.array[-1] == pytest.approx((math.sqrt(5) - 1) / 2)
        ends = scores(Graph.numbered(graph.names, np.concatenate([line, [[size - 1, size - 2]]])), "hcat")
        assert (ends.certificate, ends.unique) == ("monotone", True)
