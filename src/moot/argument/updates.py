"""A file of changes to a graph, as in the dynamic track of ICCMA: one change a line, an answer after each.

`+att(a,b).` adds an attack and `-att(a,b).` removes one, as in .apxm files; `+a b` and `-a b` do the same, as in .tgfm
files. `+arg(c).` and `-arg(c).` add and remove arguments; a removed argument takes its attacks
along, and the arguments that rest on it.
"""

import re
from dataclasses import dataclass

from moot.argument.formats.base import FormatError, quoted
from moot.argument.graph import ArgumentError, Graph

_TERM = r'("(?:[^"\\]|\\.)*"|[^\s(),"%#]+)'
_CHANGE = re.compile(
    rf"([+-])\s*(?:(?:att\s*\(\s*{_TERM}\s*,\s*{_TERM}\s*\)|arg\s*\(\s*{_TERM}\s*\))\s*\.?|{_TERM}\s+{_TERM})"
)


@dataclass(frozen=True, slots=True)
class Update:
    """One attack (source and target) or one argument (only source) that is added or removed."""

    line: int
    text: str
    adds: bool
    source: str
    target: str | None = None


def read_updates(text: str) -> list[Update]:
    """The changes in a text, in order; blank lines and those that begin with # or % are left out."""
    return [
        _update(line.strip(), number)
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip() and line.strip()[0] not in "#%"
    ]


def updated(graph: Graph, update: Update) -> Graph:
    """The graph after a change. What is added must be new, and what is removed must exist."""
    try:
        return _updated(graph, update)
    except ArgumentError as error:
        raise FormatError(f"{quoted(update.text)}: {error}", update.line) from None


def _updated(graph: Graph, update: Update) -> Graph:
    if update.target is None:
        return graph.with_argument(update.source) if update.adds else graph.rejecting([update.source])
    pair = (update.source, update.target)
    if not update.adds:
        return graph.without(attacks=[pair])
    if graph.has_attack(*map(graph.number, pair)):
        raise ArgumentError(f"there is an attack of {pair[0]!r} on {pair[1]!r} already")
    return graph.with_relations(attacks=[pair])


def _update(line: str, number: int) -> Update:
    found = _CHANGE.fullmatch(line)
    if not found:
        raise FormatError(f"{quoted(line)} is none of +att(a,b). -att(a,b). +arg(a). -arg(a). +a b -a b", number)
    sign, source, target, alone, first, second = found.groups()
    names = [_name(term) for term in (source or alone or first, target or second) if term is not None]
    return Update(number, line, sign == "+", *names)


def _name(term: str) -> str:
    if term[0] != '"':
        return term
    return re.sub(r"\\(.)", lambda escape: "\n" if escape[1] == "n" else escape[1], term[1:-1])
