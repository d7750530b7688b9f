"""ASPIC+ theories: published examples, and the definitions on small theories."""

import random
from collections.abc import Callable
from itertools import product

import pytest

from moot.argument import ArgumentError, FormatError, Graph, credulous, extensions, grounded, sceptical
from moot.argument.formats import guess, read, write
from moot.argument.formats.aba import with_atom
from tests.kit.steps import assert_linear

# Prakken's snoring professor, with the preferences of TweetyProject's example.
PROFESSOR = """
=> Snores
=> Professor
d1: Snores => Misbehaves
d2: Misbehaves => AccessDenied
d3: Professor => ! AccessDenied
"""
# Caminada and Amgoud's bachelor.
BACHELOR = """
=> WearsRing
=> PartyAnimal
d1: WearsRing => Married
d2: PartyAnimal => Bachelor
s1: Married -> ! Bachelor
s2: Bachelor -> ! Married
"""


def concluded(graph: Graph, semantics: str) -> list[list[str]]:
    return sorted(sorted({name.partition("<-")[0] for name in one}) for one in extensions(graph, semantics))


def test_the_snoring_professor() -> None:
    assert guess(PROFESSOR) == "aspic"
    graph = read(PROFESSOR)
    both = ["Misbehaves", "Professor", "Snores"]
    assert concluded(graph, "PR") == [sorted([*both, "!AccessDenied"]), sorted([*both, "AccessDenied"])]
    assert graph.texts is not None
    assert graph.texts[graph.number("AccessDenied<-1")] == "d2: Misbehaves<-1 => AccessDenied"
    assert concluded(read(PROFESSOR + "d1 < d3 < d2"), "PR") == [sorted([*both, "AccessDenied"])]
    assert concluded(read(PROFESSOR + "d1 < d2\nd2 < d3"), "PR") == [sorted([*both, "!AccessDenied"])]


def test_the_bachelor() -> None:
    graph = read(BACHELOR)
    assert concluded(graph, "GR") == [["PartyAnimal", "WearsRing"]]
    assert concluded(graph, "PR") == [
        ["!Bachelor", "Married", "PartyAnimal", "WearsRing"],
        ["!Married", "Bachelor", "PartyAnimal", "WearsRing"],
    ]


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("=> a\n-> !a", {"!a<-1"}),  # an axiom cannot be undermined
        ("=> bird\n=> penguin\nd1: bird => flies\nd2: penguin => !d1", {"bird<-1", "penguin<-1", "!d1<-1"}),
        ("p: => a\nq: => !a\np < q", {"!a<-1"}),
        # The last link: premises do not count where there are defeasible rules, and any rule is weaker than none.
        ("p: => a\nq: => b\nd: b => !a\np < q", {"a<-1", "b<-1"}),
        ("=> a\na -> b\n=> !b", {"a<-1", "b<-1"}),  # a strict conclusion cannot be rebutted
        ("=> a\na => b\nb => a", {"a<-1", "b<-1"}),  # nothing rests on itself
        ("=> a\n=> --b\na, ~~b -> c", {"a<-1", "b<-1", "c<-1"}),
    ],
)
def test_grounded_arguments(text: str, accepted: set[str]) -> None:
    assert grounded(read(text, "aspic")) == accepted


def test_a_question_about_a_literal() -> None:
    graph = read("=> a\n=> b\nd1: a => c\nd2: b => c\n=> !d1\n=> !a", "aspic")
    larger = with_atom(graph, "c")
    assert larger is not None
    assert sceptical(larger, "PR", "c").accepted
    assert not credulous(graph, "PR", "c<-1").accepted
    denied = with_atom(graph, "!c")
    assert denied is not None
    assert not credulous(denied, "PR", "!c").accepted
    assert with_atom(graph, "e") is None


def test_what_uses_a_premise_falls_with_it() -> None:
    graph = read("=> a\nd1: a => b\nd2: b => c\n=> d", "aspic")
    assert set(graph.rejecting(["a<-1"]).names) == {"d<-1"}
    assert set(graph.rejecting(["b<-1"]).names) == {"a<-1", "d<-1"}
    assert graph.structure.parts_of("c<-1") == ["b<-1", "a<-1"]
    with pytest.raises(ArgumentError, match=r"there is no argument 'c' among the 4; did you mean 'c<-1'\?"):
        graph.rejecting(["c"])
    assert read(write(graph, "json")) == graph


class Definitions:
    """Arguments as nested tuples, found from their conclusions downwards; nothing of the library is in it."""

    def __init__(self, rules: list[tuple[str, tuple[str, ...], str, bool]], order: list[str]) -> None:
        self.rules, self.rank = rules, {name: place for place, name in enumerate(order)}
        heads = {head for _, _, head, _ in rules}
        self.arguments = [one for head in sorted(heads) for one in self.for_(head, frozenset())]

    def for_(self, literal: str, above: frozenset[str]) -> list[tuple]:  # type: ignore[type-arg]
        found = []
        for rule in self.rules:
            if rule[2] == literal and literal not in above:
                below = [self.for_(one, above | {literal}) for one in rule[1]]
                found += [(rule, *parts) for parts in product(*below)]
        return found

    def parts(self, one: tuple) -> list[tuple]:  # type: ignore[type-arg]
        return [one, *(each for part in one[1:] for each in self.parts(part))]

    def last(self, one: tuple) -> set[str]:  # type: ignore[type-arg]
        name, body, _, strict = one[0]
        return {name} if body and not strict else {each for part in one[1:] for each in self.last(part)}

    def premises(self, one: tuple) -> set[str]:  # type: ignore[type-arg]
        return {part[0][0] for part in self.parts(one) if not part[0][1] and not part[0][3]}

    def weaker(self, one: tuple, other: tuple) -> bool:  # type: ignore[type-arg]
        if not self.rank:
            return False
        first, second = self.last(one), self.last(other)
        if not first and not second:
            first, second = self.premises(one), self.premises(other)
        better = {(x, y) for x in self.rank for y in self.rank if self.rank[x] < self.rank[y]}
        return bool(first) and (not second or any(all((x, y) in better for y in second) for x in first))

    def defeats(self, one: tuple, other: tuple) -> bool:  # type: ignore[type-arg]
        for part in self.parts(other):
            name, body, head, strict = part[0]
            if not strict and body and one[0][2] == f"!{name}":
                return True
            denies = f"!{head}" == one[0][2] or head == f"!{one[0][2]}"
            if not strict and denies and not self.weaker(one, part):
                return True
        return False


@pytest.mark.parametrize("seed", range(80))
def test_the_definitions_on_random_theories(seed: int) -> None:
    dice = random.Random(seed)
    literals = ["a", "b", "c", "!a", "!b", "!c", "!d1", "!d2"]
    rules = []
    for number in range(dice.randint(2, 7)):
        body = tuple(dict.fromkeys(dice.choices(literals[:6], k=dice.choice([0, 0, 1, 1, 2]))))
        rules.append((f"d{number}", body, dice.choice(literals), dice.random() < 0.3))
    ordered = [name for name, _, _, strict in rules if not strict]
    dice.shuffle(ordered)
    ordered = ordered[: dice.randint(2, 5)] if dice.random() < 0.6 and len(ordered) > 1 else []
    lines = [f"{name}: {', '.join(body)} {'->' if strict else '=>'} {head}" for name, body, head, strict in rules] + (
        [" < ".join(ordered)] if ordered else []
    )
    dice.shuffle(lines)
    wanted = Definitions(rules, ordered)
    if not wanted.arguments:
        with pytest.raises(FormatError, match="there is no premise"):
            read("\n".join(lines), "aspic")
        return
    graph = read("\n".join(lines), "aspic")
    assert len(graph) == len(wanted.arguments)
    pairs = [(one, other) for one in wanted.arguments for other in wanted.arguments if wanted.defeats(one, other)]
    heads = [name.partition("<-")[0] for name in graph.names]
    found = sorted((heads[one], heads[other]) for one, other in graph.attacks.tolist())
    assert found == sorted((one[0][2], other[0][2]) for one, other in pairs)
    numbered = {one: str(place) for place, one in enumerate(wanted.arguments)}
    again = Graph.of(numbered.values(), [(numbered[one], numbered[other]) for one, other in pairs])
    heads_of = {str(place): one[0][2] for place, one in enumerate(wanted.arguments)}
    for semantics in ("GR", "PR", "ST"):
        assert concluded(graph, semantics) == sorted(
            sorted({heads_of[one] for one in each}) for each in extensions(again, semantics)
        )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("=> a\nnonsense", "line 2: 'nonsense' is none of: a, b -> c"),
        ("=> a b", "line 1: 'a b' is not a literal"),
        ("=> a\na,, b => c", "line 2: '' is not a literal"),
        ("=> a\n=>", "line 2: '' is not a literal"),
        ("d: => a\nd: => b", "line 2: there are two rules called 'd'"),
        ("d: => a\nd < e", "line 2: there is no defeasible rule or ordinary premise called 'e'"),
        ("d: => a\ne: => b\nd < e\ne < d", "the preferences go round in a circle: "),
        ("a => b", "there is no premise in it"),
        ("", "there is no premise in it"),
    ],
)
def test_a_bad_file_is_told_by_line_and_reason(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(text, "aspic")
    assert str(caught.value).startswith(message)


def test_large_theories_are_read_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = "=> a0\n" + "".join(f"a{one} => a{one + 1}\n" for one in range(1_500))
    assert len(read(chain, "aspic")) == 1_501
    names = " < ".join(f"p{one}" for one in range(1_000))
    assert len(read("".join(f"p{one}: => a{one}\n" for one in range(1_000)) + names, "aspic")) == 1_000
    opposed = [f"p{one}: => {'!' * (one % 2)}a\n" for one in range(200)]
    many = "".join(opposed) + " < ".join(f"p{one}" for one in range(200))
    tried = 200 * 100  # each of them by each of the other half
    with monkeypatch.context() as patched:
        patched.setattr("moot.argument.formats.aspic.MOST_TRIED", tried)
        assert len(read(many, "aspic")) == 200
        patched.setattr("moot.argument.formats.aspic.MOST_TRIED", tried - 1)
        with pytest.raises(FormatError, match="too many attacks"):
            read(many, "aspic")
    doubled = "=> a0\n" + "".join(f"a{one} => a{one + 1}\na{one} -> a{one + 1}\n" for one in range(40))
    with pytest.raises(FormatError, match="more than 10,000 arguments"):
        read(doubled, "aspic")
    dense = "".join(f"=> a\nx{one}: a => b\n-> c{one}\nc{one} => !a\n" for one in range(1_000))
    with pytest.raises(FormatError, match=r"more than (10,000 arguments|1,000,000 attacks)"):
        read(dense, "aspic")


def test_a_rule_with_many_premises_takes_linear_time() -> None:
    def reading(size: int) -> Callable[[], object]:
        premises = [f"a{number}" for number in range(size)]
        theory = "".join(f"=> {one}\n" for one in premises) + f"{', '.join(premises)} => z\n"
        assert len(read(theory, "aspic")) == size + 1
        return lambda: read(theory, "aspic")

    assert_linear(reading, 100)


def test_it_is_not_written() -> None:
    with pytest.raises(FormatError, match="aspic is read only"):
        write(Graph.of("a"), "aspic")
