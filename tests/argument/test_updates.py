"""Changes to a graph, as in the dynamic track of ICCMA."""

import random

import pytest

from moot.argument import FormatError, Graph, extensions, read_updates, updated
from tests.kit.oracle import Oracle


@pytest.mark.parametrize("spelled", ["{}att({},{}).", " {} att ( {} , {} ) .", "{}att({},{})", "{}{} {}"])
def test_changes_in_both_spellings(spelled: str) -> None:
    lines = [spelled.format("+", "a", "b"), "", "# a comment", "% another", spelled.format("-", "a", "b")]
    one, other = read_updates("\r\n".join(lines))
    assert (one.line, one.adds, one.source, one.target) == (1, True, "a", "b")
    assert (other.line, other.adds, other.source, other.target) == (5, False, "a", "b")
    graph = Graph.of("ab")
    assert updated(graph, one) == Graph.of("ab", [("a", "b")])
    assert updated(updated(graph, one), other) == graph


def test_arguments_come_and_go_with_their_attacks() -> None:
    graph = Graph.of("ab", [("a", "b")])
    for update in read_updates('+arg("c d").\n+att("c d",a).\n-arg(a).\n+arg(a).'):
        graph = updated(graph, update)
    assert graph == Graph.of(["b", "c d", "a"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("+att(a,b).", "line 1: '+att(a,b).': there is an attack of 'a' on 'b' already"),
        ("\n-att(b,a).", "line 2: '-att(b,a).': there is no attack of 'b' on 'a'"),
        ("+att(a,x).", "line 1: '+att(a,x).': there is no argument 'x' among the 2"),
        ("+arg(a).", "line 1: '+arg(a).': the argument 'a' is there twice"),
        ("-arg(x).", "line 1: '-arg(x).': there is no argument 'x' among the 2"),
        ("att(a,b).", "line 1: 'att(a,b).' is none of +att(a,b). -att(a,b). +arg(a). -arg(a). +a b -a b"),
        ("+att(a).", "line 1: '+att(a).' is none of"),
        ("+a", "line 1: '+a' is none of"),
        ("+sup(a,b).", "line 1: '+sup(a,b).' is none of"),
    ],
)
def test_a_change_that_cannot_be_made_is_told_by_line(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        for update in read_updates(text):
            updated(Graph.of("ab", [("a", "b")]), update)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("seed", range(20))
def test_after_every_change_the_answers_are_those_of_the_definitions(seed: int) -> None:
    dice = random.Random(seed)
    names = list("abcde")
    graph, attacks = Graph.of(names), set[tuple[str, str]]()
    lines = []
    for _ in range(12):
        pair = (dice.choice(names), dice.choice(names))
        lines.append(f"{'-' if pair in attacks else '+'}att({pair[0]},{pair[1]}).")
        attacks ^= {pair}
    attacks.clear()
    for update in read_updates("\n".join(lines)):
        graph = updated(graph, update)
        attacks ^= {(update.source, str(update.target))}
        oracle = Oracle(names, attacks)
        for semantics in ("CO", "PR", "ST", "SST"):
            assert set(extensions(graph, semantics)) == oracle.extensions[semantics]
