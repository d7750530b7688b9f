"""APX, the facts of ASPARTIX: `arg(a).`, `att(a,b).`, and `sup(a,b).` for bipolar frameworks.

`arg(a,0.7).` gives a base score, as in files of weighted bipolar graphs. A name that is not a plain constant is a
quoted string with the escapes of answer-set programs: \\ \" \n.
"""

import re

from moot.argument.formats.base import (
    ATTACK,
    SUPPORT,
    Builder,
    FormatError,
    line_of,
    list_losses,
    quoted,
)
from moot.argument.graph import Graph

_BLANK = r"(?:\s|%[^\n]*+)*+"
_TERM = r'("(?:[^"\\\n]|\\.)*"|[^\s(),"%]+)'
_FACT = re.compile(
    rf"{_BLANK}(arg|att|sup|support){_BLANK}\({_BLANK}{_TERM}{_BLANK}(?:,{_BLANK}{_TERM}{_BLANK})?\){_BLANK}\."
)
_REST = re.compile(_BLANK)
_PLAIN = re.compile(r"(?!not\Z)(?:[a-z][A-Za-z0-9_]*|0|[1-9][0-9]*)", re.ASCII)
_ESCAPE = re.compile(r"\\(.)")


def read(text: str) -> Graph:
    builder = Builder()
    related: list[tuple[str, str, str, int]] = []
    position = 0
    while fact := _FACT.match(text, position):
        word, first, second = fact.groups()
        position = fact.end()
        start = fact.start(1)
        if word == "arg":
            name = _name(first, text, start)
            builder.add(
                name, line_of(text, start) if name in builder.index else None, weight=_weight(second, text, start)
            )
        elif second is None:
            raise FormatError(f"{word} relates two arguments, and here is one", line_of(text, start))
        else:
            related.append((word, _name(first, text, start), _name(second, text, start), start))
    if (rest := _REST.match(text, position)) and rest.end() < len(text):
        piece = text[rest.end() :].split("\n", 1)[0]
        raise FormatError(
            f"{quoted(piece)} is none of arg(a). arg(a,0.5). att(a,b). sup(a,b).", line_of(text, rest.end())
        )
    if not builder.index:
        raise FormatError("there is no argument in it: arg(a).", line_of(text, len(text)))
    index = builder.index
    for word, source, target, start in related:
        if source not in index or target not in index:
            builder.number(target if source in index else source, line_of(text, start))
        builder.relate(ATTACK if word == "att" else SUPPORT, index[source], index[target])
    return builder.graph()


def write(graph: Graph) -> str:
    if not len(graph):
        raise FormatError("an APX file has an argument at least, and the graph has none")
    terms = [_term(name) for name in graph.names]
    facts = [
        f"arg({term}).\n" if weight is None else f"arg({term},{weight!r}).\n"
        for term, weight in zip(terms, graph.weights, strict=True)
    ]
    for source, target, kind in graph.relations():
        facts.append(f"{'sup' if kind == SUPPORT else 'att'}({terms[source]},{terms[target]}).\n")
    return "".join(facts)


def losses(graph: Graph) -> list[str]:
    return list_losses(graph, ("supports", "weights"))


def _term(name: str) -> str:
    if _PLAIN.fullmatch(name):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _name(term: str, text: str, start: int) -> str:
    if term[0] != '"':
        return term
    if bad := next((mark for mark in _ESCAPE.findall(term) if mark not in '\\"n'), None):
        raise FormatError(f'\\{bad} is no escape; there are \\\\ \\" \\n', line_of(text, start))
    return _ESCAPE.sub(lambda match: "\n" if match[1] == "n" else match[1], term[1:-1])


def _weight(term: str | None, text: str, start: int) -> float | None:
    if term is None:
        return None
    try:
        weight = float(term)
    except ValueError:
        raise FormatError(f"the weight {quoted(term)} is not a number", line_of(text, start)) from None
    if not 0 <= weight <= 1:
        raise FormatError(f"the weight {quoted(term)} is not within 0..1", line_of(text, start))
    return weight
