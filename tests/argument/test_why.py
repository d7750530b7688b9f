import random
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.argument import why
from moot.argument.gradual import LEVEL, scores
from moot.argument.graph import Graph
from moot.argument.why import (
    Contributions,
    Line,
    attack_lines,
    contributions,
    flip,
)
from tests.kit.clock import Ticking
from tests.kit.examples import examples
from tests.kit.graphs import graphs


@pytest.fixture(autouse=True, scope="module")
def no_time_passes() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("moot.argument.why.time", Ticking())
        yield


def effects(found: Contributions) -> dict[str, float | None]:
    return {item.argument: item.effect for item in found.items}


class TestContributions:
    graph = Graph.of("abcdez", [("b", "a")], [("d", "a"), ("e", "d")], undercuts=[("c", "a")])

    def test_what_raised_and_lowered_it(self) -> None:
        found = contributions(self.graph, "a")
        assert found.score == pytest.approx(0.27)
        assert effects(found) == pytest.approx({"c": -0.2, "b": -0.15, "d": 0.12, "e": 0.02})
        assert [item.argument for item in found.items] == ["c", "b", "d", "e"]
        assert {item.argument: (item.relations, item.distance) for item in found.items} == {
            "b": (("rebuts",), 1),
            "c": (("undercuts",), 1),
            "d": (("supports",), 1),
            "e": ((), 2),
        }
        assert found.left_out == 0

    def test_a_score_that_does_not_settle_has_no_effects(self) -> None:
        groups = {group: [f"{group}{i}" for i in range(6)] for group in "abc"}
        pairs = [(x, y) for one, other in ("ab", "bc", "ca") for x in groups[one] for y in groups[other]]
        graph = Graph.of([name for group in groups.values() for name in group], undercuts=pairs)
        found = contributions(graph, "a0")
        assert found.score is None
        assert set(effects(found).values()) == {None}

    @given(
        kinds=st.lists(st.sampled_from(["attacks", "undercuts", "supports"]), max_size=2),
        weights=st.lists(st.floats(0, 1), min_size=2, max_size=2),
    )
    def test_direct_effects_add_up_where_scores_are_plain_sums(self, kinds: list[str], weights: list[float]) -> None:
        names = "xy"[: len(kinds)]
        attacks, undercuts, supports = (
            [(name, "a") for name, one in zip(names, kinds, strict=True) if one == kind]
            for kind in ("attacks", "undercuts", "supports")
        )
        given = dict(zip(names, weights, strict=False))
        graph = Graph.of(["a", *names], attacks, supports, undercuts=undercuts, weights=given)
        found = contributions(graph, "a")
        if 0 < (found.score or 0) < 1:
            assert sum(item.effect or 0 for item in found.items) == pytest.approx((found.score or 0) - 0.5)

    @given(graph=graphs(most=6), semantics=st.sampled_from(["moot", "dfquad", "energy"]))
    def test_an_effect_is_the_difference_a_removal_makes(self, graph: Graph, semantics: str) -> None:
        found = contributions(graph, "a", semantics)
        assert found.score == pytest.approx(scores(graph, semantics)["a"], abs=1e-8)
        seen = effects(found)
        for name in graph.names[1:]:
            without = scores(graph.without([name]), semantics)["a"]
            if found.score is None or without is None:
                assert seen.get(name) is None
            else:
                assert seen.get(name, 0.0) == pytest.approx(found.score - without, abs=1e-8)


class TestAttackLines:
    def test_shortest_first_through_supports_and_without_defences(self) -> None:
        graph = Graph.of(
            "abcdef", [("b", "a"), ("d", "b"), ("e", "d")], [("c", "b"), ("f", "a")], undercuts=[("e", "f")]
        )
        found = attack_lines(graph, "a")
        assert [str(line) for line in found.lines] == [
            "b rebuts a",
            "c supports b, b rebuts a",
            "e undercuts f, f supports a",
            "e rebuts d, d rebuts b, b rebuts a",
        ]
        assert found.lines[1] == Line(("c", "b", "a"), ("supports", "rebuts"))
        assert found.complete

    def test_bounded(self) -> None:
        names = [f"a{i}" for i in range(30)]
        graph = Graph.of(names, [(one, other) for one in names for other in names])
        found = attack_lines(graph, "a0", most=5)
        assert [len(line.arguments) for line in found.lines] == [2] * 5
        assert not found.complete
        assert not attack_lines(graph, "a0", most=10**6).complete
        assert not attack_lines(Graph.of("abc", [("b", "a"), ("c", "b")]), "a", longest=1).complete
        assert attack_lines(Graph.of("abc", [("b", "a"), ("c", "b")]), "a", longest=2).complete

    @given(graph=graphs(most=5))
    def test_every_line_is_there_once(self, graph: Graph) -> None:
        found = attack_lines(graph, "a", most=10**6)
        assert found.complete
        assert len(set(found.lines)) == len(found.lines)
        assert [len(line.arguments) for line in found.lines] == sorted(len(line.arguments) for line in found.lines)
        named = graph.names
        attacks = {(named[one], named[other]) for one, other in graph.attacks}
        supports = {(named[one], named[other]) for one, other in graph.supports}
        for line in found.lines:
            assert line.arguments[-1] == "a"
            assert len(set(line.arguments)) == len(line.arguments)
            assert sum(relation != "supports" for relation in line.relations) % 2 == 1
            for pair, relation in zip(
                zip(line.arguments, line.arguments[1:], strict=False), line.relations, strict=True
            ):
                assert pair in (supports if relation == "supports" else attacks)


def is_above(graph: Graph, semantics: str = "moot") -> bool | None:
    score = scores(graph, semantics)["a"]
    return None if score is None else score > 0.5 + LEVEL


def smallest(graph: Graph, semantics: str) -> int | None:
    """By trying all subsets of the other arguments, in the whole graph."""
    others = [name for name in graph.names if name != "a"]
    for size in range(1, len(others) + 1):
        for chosen in combinations(others, size):
            if is_above(graph.without(chosen), semantics) not in (None, is_above(graph, semantics)):
                return size
    return None


class TestFlip:
    def test_the_one_argument_it_hangs_on(self) -> None:
        graph = Graph.of("abcd", [("c", "a"), ("d", "c")], weights={"a": 0.62})
        found = flip(graph, "a")
        assert (found.removed, found.before, found.exact) == (("d",), True, True)

    def test_when_nothing_flips_it(self) -> None:
        found = flip(Graph.of("abc", [("b", "c")]), "a")
        assert (found.removed, found.exact, found.tried) == (None, True, 1)

    def test_the_strongest_together_are_no_proof(self) -> None:
        names = [f"s{i}" for i in range(20)]
        graph = Graph.of(["a", *names], supports=[(name, "a") for name in names[:12]], weights={"a": 0.25})
        found = flip(graph, "a", budget=100)
        assert len(found.removed or ()) == 10
        assert not found.exact
        assert is_above(graph.without(found.removed or ())) is False

    def test_a_find_of_the_size_reached_is_exact(self) -> None:
        rivals = {"b": 1.0, "c": 1.0} | dict.fromkeys("defgh", 0.01)
        graph = Graph.of("abcdefgh", [(name, "a") for name in rivals], weights=rivals | {"a": 0.6})
        found = flip(graph, "a", budget=10)
        assert (found.removed, found.exact) == (("b", "c"), True)

    def test_more_candidates_than_can_be_tried_are_no_proof(self) -> None:
        rivals = [f"s{i}" for i in range(12)]
        graph = Graph.of(["a", *rivals], [(name, "a") for name in rivals], weights={"a": 1.0})
        assert flip(graph, "a", budget=3).exact is False

    @examples(40)
    @given(graph=graphs(most=7), semantics=st.sampled_from(["moot", "dfquad"]))
    def test_a_flip_flips_and_is_as_small_as_any(self, graph: Graph, semantics: str) -> None:
        found = flip(graph, "a", semantics)
        assert found.exact
        assert found.before == is_above(graph, semantics)
        assert (None if found.removed is None else len(found.removed)) == smallest(graph, semantics)
        if found.removed is not None:
            assert is_above(graph.without(found.removed), semantics) not in (None, found.before)

    @given(graph=graphs(most=8))
    def test_a_flip_in_haste_flips_too(self, graph: Graph) -> None:
        found = flip(graph, "a", budget=1)
        if found.removed is not None:
            assert is_above(graph.without(found.removed)) not in (None, found.before)
            assert len(found.removed) >= (smallest(graph, "moot") or 0)


def test_the_search_in_a_large_graph_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 150 rebuttals of a, no few removals help, and not every pair is tried."""
    monkeypatch.setattr(why, "MOST_JUDGED", 200)
    names = [f"x{one}" for one in range(150)]
    graph = Graph.of(["a", *names], [(name, "a") for name in names], weights={"a": 0.6})
    found = flip(graph, "a")
    assert (found.before, found.exact) == (False, False)
    assert found.tried < 500


@pytest.mark.parametrize(("size", "examined"), [(1_000, 20), (3_000, 10)])
def test_fewer_arguments_are_examined_in_large_graphs(
    size: int, examined: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(why, "MOST_JUDGED", 100)
    names = [f"a{number}" for number in range(size)]
    found = contributions(Graph.of(names, [(name, names[0]) for name in names[1:]]), names[0])
    assert len(found.items) == examined
    assert found.left_out == size - 1 - examined


def dense(size: int, attackers: int) -> Graph:
    lot = random.Random(3)
    names = [str(number) for number in range(size)]
    return Graph.of(names, {(lot.choice(names), lot.choice(names)) for _ in range(size * attackers)})


def test_the_search_ends_in_seconds_and_says_that_it_was_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """In graphs with many cycles one score takes up to a second."""
    graph = dense(100, 6)
    monkeypatch.setattr("moot.argument.why.time", Ticking(0.25))
    found = flip(graph.reweighted({"1": 0.9}), "1", seconds=4)
    assert found.tried < 20
    assert not found.exact
    shown = contributions(graph, "1", seconds=2)
    assert 5 < len(shown.items) < 10
    assert shown.left_out > 80


@pytest.mark.parametrize("graph", [dense(100, 3), dense(300, 6)])
def test_attacks_alone_never_lift_an_argument_above_its_base_score(graph: Graph) -> None:
    found = flip(graph, "1")
    assert (found.before, found.removed, found.exact, found.tried) == (False, None, True, 1)


def test_strong_attackers_are_found_together_at_once() -> None:
    """Four of 200 attackers have weight: these are removed by what each changes alone, not by trying all sets."""
    weights = {"a": 0.65} | {f"x{one}": 0.3 if one % 50 == 7 else 0.001 for one in range(200)}
    graph = Graph.of(weights, [(name, "a") for name in weights if name != "a"], weights=weights)
    found = flip(graph, "a", budget=250)
    assert set(found.removed or ()) == {"x7", "x57", "x107"}
    assert found.tried < 250
