"""The trivial graph format: a line `id label` for each argument, a line `#`, a line `id id label` for each relation.

An argument's label is its text. A relation's label is attack, undercut or support; the default is attack. A plain
framework is written without labels, as solvers expect. Identifiers cannot contain white space. If a name does, all
arguments are numbered and their names become labels, which is reported as a loss.
"""

import re

from moot.argument.formats.base import ATTACK, Builder, FormatError, kind_of, list_losses, quoted, texts
from moot.argument.graph import Graph
from moot.text import one_line

_TOKEN = re.compile(r"(?!#\Z|\ufeff)\S+")  # the last would be a byte order mark at the start of a file


def read(text: str) -> Graph:
    builder = Builder()
    seen_mark = False
    for number, raw in enumerate(text.split("\n"), 1):
        words = raw.strip(" \t\r")
        if not words:
            continue
        if words == "#" and not seen_mark:
            seen_mark = True
        elif not seen_mark:
            name, *label = re.split(r"[ \t]+", words, maxsplit=1)
            builder.add(name, number, text="".join(label))
        else:
            _relate(builder, words, number)
    if not seen_mark:
        raise FormatError("there is no line # between the arguments and the relations")
    return builder.graph()


def write(graph: Graph) -> str:
    tokens = _has_tokens(graph)
    ids = graph.names if tokens else [str(number) for number in range(1, len(graph) + 1)]
    labels = texts(graph) if tokens else graph.names
    lines = [f"{name} {one_line(label)}".rstrip() for name, label in zip(ids, labels, strict=True)]
    lines.append("#")
    for source, target, kind in graph.relations():
        lines.append(f"{ids[source]} {ids[target]}" + ("" if kind == ATTACK else f" {kind}"))
    return "\n".join(lines) + "\n"


def losses(graph: Graph) -> list[str]:
    carried = ("supports", "undercut marks")
    if not _has_tokens(graph):
        return ["names (they become 1, 2, 3… with the names as labels)", *list_losses(graph, carried)]
    found = list_losses(graph, (*carried, "texts"))
    if any(text != one_line(text) for text in texts(graph)):
        found.append("line breaks, spacing and control characters of texts")
    return found


def _has_tokens(graph: Graph) -> bool:
    return all(_TOKEN.fullmatch(name) and one_line(name) == name for name in graph.names)


def _relate(builder: Builder, words: str, line: int) -> None:
    parts = re.split(r"[ \t]+", words, maxsplit=2)
    if len(parts) < 2:
        raise FormatError(f"{quoted(words)} is not a relation of the form: id id [attack|undercut|support]", line)
    kind = kind_of(parts[2] if len(parts) > 2 else "", line)
    builder.relate(kind, builder.number(parts[0], line), builder.number(parts[1], line))
