"""Assumption-based argumentation: published examples, and the definitions on small frameworks."""

import random
from dataclasses import replace
from itertools import combinations

import pytest

from moot.argument import (
    Derivation,
    FormatError,
    Graph,
    Structure,
    contributions,
    credulous,
    extensions,
    flip,
    higher,
    sceptical,
)
from moot.argument.formats import guess, read, write
from moot.argument.formats.aba import with_atom

# Of the rules of ICCMA 2023: p ← q, a; q ←; r ← b, c; contraries of a, b, c are r, s, t.
COMPETITION = "# by hand\np aba 8\na 1\na 2\na 3\nc 1 6\nc 2 7\nc 3 8\nr 4 5 1\nr 5\nr 6 2 3\n"


def test_the_example_of_the_competition() -> None:
    graph = read(COMPETITION, "aba")
    assert guess(COMPETITION) == "aba"
    assert set(graph.names) == {"1", "2", "3", "4<-1", "5<-", "6<-2+3"}
    assert replace(graph, structure=Structure()) == Graph.of(graph.names, [("6<-2+3", "1"), ("6<-2+3", "4<-1")])
    assert graph.structure.derivations["6<-2+3"] == Derivation("6", ("2", "3"))
    assert graph.structure.underived == {"7", "8"}
    assert read(write(graph, "json")) == graph
    assert list(extensions(graph, "PR")) == [frozenset({"2", "3", "5<-", "6<-2+3"})]


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        (
            "p aba 8\na 1\na 2\na 3\na 4\nc 2 6\nc 3 7\nc 4 8\nr 5 1\nr 7 5 2\nr 6 3\nr 8 1 2\n",
            [{"1"}, {"1", "2"}, {"1", "3", "4"}],
        ),
        ("p aba 4\na 1\nc 1 3\nr 2 3\nr 2 1 4\nr 3 2 4\nr 3 4 2\nr 4 1\nr 4 3 2\n", [set()]),
        # Nothing can be concluded from rules that only need each other.
        ("p aba 3\na 1\nc 1 2\nr 2 3\nr 3 2\n", [{"1"}]),
        ("p aba 2\na 1\nc 1 2\nr 2\n", [set()]),
        ("p aba 2\na 1\na 2\nc 1 2\nc 2 1", [set(), {"1"}, {"2"}]),
        ("p aba 3\n\n", [set()]),
    ],
)
def test_complete_extensions_as_sets_of_assumptions(text: str, complete: list[set[str]]) -> None:
    found = [{name for name in one if "<-" not in name} for one in extensions(read(text, "aba"), "CO")]
    assert sorted(found, key=sorted) == sorted(complete, key=sorted)


class Definitions:
    """Sets of assumptions by the definitions of flat ABA, with nothing of the library in it."""

    def __init__(self, contraries: dict[int, int], rules: list[tuple[int, list[int]]]) -> None:
        self.contraries, self.rules = contraries, rules
        several = sorted(contraries)
        self.subsets = [frozenset(one) for size in range(len(several) + 1) for one in combinations(several, size)]
        admissible = [one for one in self.subsets if not self.attacks(one, one) and self.defends(one, one)]
        complete = [
            one for one in admissible if all(each in one for each in several if self.defends(one, frozenset([each])))
        ]
        preferred = [one for one in admissible if not any(one < other for other in admissible)]
        within = [one for one in admissible if all(one <= other for other in preferred)]
        self.extensions = {
            "CO": complete,
            "GR": [one for one in complete if all(one <= other for other in complete)],
            "PR": preferred,
            "ST": [
                one
                for one in self.subsets
                if not self.attacks(one, one)
                and all(each in one or self.attacks(one, frozenset([each])) for each in several)
            ],
            "ID": [one for one in within if all(other <= one for other in within)],
        }

    def conclusions(self, assumed: frozenset[int]) -> set[int]:
        found = set(assumed)
        while more := {head for head, body in self.rules if head not in found and found.issuperset(body)}:
            found |= more
        return found

    def attacks(self, one: frozenset[int], other: frozenset[int]) -> bool:
        return not self.conclusions(one).isdisjoint(self.contraries[each] for each in other)

    def defends(self, one: frozenset[int], other: frozenset[int]) -> bool:
        return all(self.attacks(one, rival) for rival in self.subsets if self.attacks(rival, other))


@pytest.mark.parametrize("seed", range(60))
def test_the_definitions_on_random_frameworks(seed: int) -> None:
    dice = random.Random(seed)
    assumptions, atoms = dice.randint(1, 4), 9
    contraries = {one: dice.randint(1, atoms) for one in range(1, assumptions + 1)}
    heads = range(assumptions + 1, atoms + 1)
    rules = [
        (dice.choice(heads), [dice.randint(1, atoms) for _ in range(dice.randint(0, 3))])
        for _ in range(dice.randint(0, 12))
    ]
    lines = [f"a {one}" for one in contraries] + [f"c {one} {other}" for one, other in contraries.items()]
    lines += [" ".join(map(str, ["r", head, *body])) for head, body in rules]
    dice.shuffle(lines)
    graph, definitions = read("\n".join([f"p aba {atoms}", *lines]), "aba"), Definitions(contraries, rules)
    for semantics, wanted in definitions.extensions.items():
        found = list(extensions(graph, semantics))
        sets = [frozenset(int(name) for name in one if "<-" not in name) for one in found]
        assert sorted(map(sorted, sets)) == sorted(map(sorted, wanted))
        for atom in heads:
            larger = with_atom(graph, str(atom))
            held = [atom in definitions.conclusions(one) for one in wanted]
            assert larger is not None
            assert credulous(larger, semantics, str(atom)).accepted == any(held)
            assert sceptical(larger, semantics, str(atom)).accepted == all(held)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a 1", "the first line that is no comment has to be: p aba"),
        ("p aba 2\na 3", "line 2: there is no atom 3 among the 2"),
        ("p aba 2\n# x\na 0", "line 3: there is no atom 0 among the 2"),
        ("p aba 1000001", "more than 1,000,000 atoms"),
        ("p aba 2\na 1 2", "line 2: 2 numbers, where a has one atom"),
        ("p aba 2\na 1\nc 1", "line 3: 1 numbers, where c has two atoms"),
        ("p aba 2\na", "line 2: 'a' is none of: a x, c x y, r h b1 b2"),
        ("p aba 2\na 1\n1 2", "line 3: '1 2' is none of"),
        ("p aba 2\na 1\nc 1 2\nc 1 1", "line 4: the assumption 1 has two contraries"),
        ("p aba 2\nc 1 2", "line 2: 1 has a contrary and is no assumption"),
        ("p aba 2\na 1\nr 1 2", "line 3: a rule leads to the assumption 1; only flat frameworks"),
    ],
)
def test_a_bad_file_is_told_by_line_and_reason(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(text, "aba")
    assert str(caught.value).startswith(message)


def test_rules_that_lead_to_too_many_arguments_are_refused() -> None:
    """Each of 40 steps can be made from two assumptions: 2 to the power of 40 ways to the last."""
    steps = 40
    lines = [f"p aba {3 * steps + 1}", *(f"a {one}" for one in range(1, 2 * steps + 1))]
    for step in range(steps):
        lines += [f"r {2 * steps + step + 1} {2 * step + 1}", f"r {2 * steps + step + 1} {2 * step + 2}"]
    lines.append(" ".join(["r", str(3 * steps + 1), *(str(2 * steps + step + 1) for step in range(steps))]))
    with pytest.raises(FormatError, match="too many sets of assumptions to be read as a graph"):
        read("\n".join(lines), "aba")


def test_large_frameworks_are_read_or_refused() -> None:
    chain = "".join(
        f"a {2 * one + 1}\nc {2 * one + 1} {2 * one + 2}\nr {2 * one + 4} {2 * one + 1}\n" for one in range(4_000)
    )
    assert len(read(f"p aba 9000\n{chain}", "aba")) == 8_000
    with pytest.raises(FormatError, match="more than 10,000 assumptions"):
        read("p aba 999999\n" + "".join(f"a {one}\n" for one in range(1, 20_001)), "aba")
    with pytest.raises(FormatError, match="more than 10,000 arguments"):
        read("p aba 999999\n" + "".join(f"r {one}\n" for one in range(1, 20_001)), "aba")
    half = 2_000
    dense = [f"a {one}\nc {one} {half + 1}\nr {half + 1} {one}\n" for one in range(1, half + 1)]
    with pytest.raises(FormatError, match="more than 1,000,000 attacks"):
        read(f"p aba {half + 1}\n" + "".join(dense), "aba")


def test_what_rests_on_an_assumption_falls_with_it() -> None:
    """Both reasons against 3 rest on 1, so that one removal is enough; without it 5 is not derived any more."""
    graph = read("p aba 7\na 1\na 3\nc 3 4\nr 4 1\nr 5 1\n", "aba")
    left = graph.rejecting(["1"])
    assert set(left.names) == {"3"}
    assert left.structure.underived == {"1", "2", "4", "5", "6", "7"}
    assert graph.structure.falling_with(["4<-1"]) == ["4<-1"]
    found = {one.argument: one.effect for one in contributions(graph, "3").items}
    assert found["1"] == found["4<-1"] == pytest.approx(-0.15)
    assert contributions(graph, "4<-1").parts == ("1",)
    assert not contributions(graph, "4<-1").items


def test_the_fewest_removals_count_what_falls_with_them() -> None:
    """3 has two attackers, which both rest on 1; 1 itself attacks nothing."""
    graph = read("p aba 6\na 1\na 2\na 3\na 4\na 5\nc 3 6\nr 6 1 2\nr 6 1 4\n", "aba")
    turned = flip(graph, higher("5", "3"))
    assert (turned.before, turned.removed, turned.exact) == (True, ("1",), True)


def test_it_is_not_written() -> None:
    with pytest.raises(FormatError, match="aba is read only; graphs can be written as af, apx"):
        write(Graph.of("a"), "aba")
