"""Graphs for property tests, with names of all kinds; and each gradual semantics as its paper writes it."""

import math
from collections.abc import Mapping

from hypothesis import strategies as st

from moot.argument.graph import Graph

LETTERS = "abcdefghijklmnop"
HOSTILE = [
    '-->', '"', "'", 'a b', 'a\nb', 'a\r\nb', '<b>', ']]>', '&amp;', '&#65;', '#', '##', '%% x', '\\', '\\n', 'a\\',
    '\\"', 'end', 'not', 'é', '日本', '🙂', '<br/>', '#35;', '{x}', '}', '[a]', 'a]', 'a>b', '->', '- x', '+ y', '_',
    '__proto__', 'constructor', '1', '01', '1. x', '.', 'arg(a).', 'a,b', 'p af 3', '===', '//', '/*', '<!--', '@[x]',
    '@<x>', '#tag', '.x.', ':heart:', '*b*', 'a|b', '`', '`x`', '$', 'null', 'true', '~', 'Untitled 1', 'digraph',
    'graph', 'node', '\t', ' ', '  a', 'a  ', '\u2028', '\xa0', '\ufeff', '\x0b', 'subgraph', 's1', 'n1', '(1) x',
    '--', 'a: b', '<_', 'x{', '<a>: b', '[a]: b', '>:', 'x]:', '',
]  # fmt: skip
ANYTHING = st.characters(exclude_categories=["Cs"])
NAMES = st.one_of(st.sampled_from(HOSTILE), st.text(ANYTHING, max_size=6), st.from_regex(r"[a-z][0-9]", fullmatch=True))


@st.composite
def graphs(draw: st.DrawFn, most: int = 8, *, acyclic: bool = False, weighted: bool | None = None) -> Graph:
    names = LETTERS[: draw(st.integers(1, most))]
    pairs = [(one, other) for one in names for other in names if not acyclic or one < other]
    chosen = st.lists(st.sampled_from(pairs), max_size=3 * len(names), unique=True) if pairs else st.just([])
    attacks, supports = draw(chosen), draw(chosen)
    undercuts = attacks[: draw(st.integers(0, len(attacks)))]
    weights = None
    if weighted is True or (weighted is None and draw(st.booleans())):
        weights = draw(st.fixed_dictionaries({name: st.floats(0, 1).map(lambda w: round(w, 3)) for name in names}))
    return Graph.of(names, attacks[len(undercuts) :], supports, undercuts=undercuts, weights=weights)


def by_definition(graph: Graph, semantics: str, name: str, score: Mapping[str, float]) -> float:
    """What the score of one argument has to be, given all scores."""
    named = graph.names
    attacks = [
        (score[named[one]], undercut)
        for (one, other), undercut in zip(graph.attacks, graph.undercuts, strict=True)
        if named[other] == name
    ]
    attackers = [strength for strength, _ in attacks]
    supporters = [score[named[one]] for one, other in graph.supports if named[other] == name]
    weight = graph.weights[graph.number(name)]
    base = 0.5 if weight is None else weight
    energy = sum(supporters) - sum(attackers)
    if semantics == "moot":
        rebutting = sum(strength for strength, undercut in attacks if not undercut)
        undercutting = sum(strength for strength, undercut in attacks if undercut)
        return max(0.0, min(1.0, base + 0.2 * sum(supporters) - 0.3 * rebutting - 0.4 * undercutting))
    if semantics == "dfquad":
        against = 1 - math.prod(1 - strength for strength in attackers)
        in_favour = 1 - math.prod(1 - strength for strength in supporters)
        if against >= in_favour:
            return base - base * (against - in_favour)
        return base + (1 - base) * (in_favour - against)
    if semantics == "energy":

        def h(x: float) -> float:
            return max(x, 0) ** 2 / (1 + max(x, 0) ** 2)

        return base - base * h(-energy) + (1 - base) * h(energy)
    if semantics == "euler":
        return 1 - (1 - base**2) / (1 + base * math.exp(energy))
    assert semantics == "mlp"
    if base in (0, 1):
        return base
    return 1 / (1 + math.exp(-(math.log(base / (1 - base)) + energy)))


@st.composite
def named_graphs(
    draw: st.DrawFn, names: st.SearchStrategy[str] = NAMES, texts: st.SearchStrategy[str] = NAMES
) -> Graph:
    chosen = draw(st.lists(names, unique=True, max_size=6))
    if not chosen:
        return Graph.of([])
    ends = st.sampled_from(chosen)
    pairs = st.lists(st.tuples(ends, ends), max_size=6)
    weights = st.dictionaries(ends, st.floats(0, 1))
    return Graph.of(
        chosen,
        draw(pairs),
        draw(pairs),
        undercuts=draw(pairs),
        weights=draw(weights),
        texts=draw(st.dictionaries(ends, texts)),
    )
