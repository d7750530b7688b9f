r"""Argdown: arguments `<title>: text` with their supporters (+), attackers (-) and undercutters (_) indented below.

A title cannot hold every character, and a text is one paragraph. A name or text that does not fit is written in the
YAML data after the argument, `{name: "…", text: "…", weight: 0.5}`, like the weight.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import count

from moot.argument.formats.base import ATTACK, SUPPORT, UNDERCUT, FormatError, list_losses, texts
from moot.argument.graph import Graph
from moot.text import one_line

_SYMBOLS = {SUPPORT: "+", ATTACK: "-", UNDERCUT: "_"}
_TITLE = re.compile(r"[^\W_](?:[^<>\\{}\[\]]*[^<>\\{}\[\]\s])?")
_NOT_IN_TITLES = re.compile(r"[^\w ,.;!?'()-]+")
_TAKEN = frozenset(
    ("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf")
)
"""Names that exist in every JavaScript object, where Argdown's parser looks up titles."""
_SIMPLE = re.compile(r"[\w ,.;:!?'()+*/=@#%&|~^$-]", re.ASCII)
_MARKUP = re.compile(r"[\\@#*_\[\]<>{}]|/(?=[/*])|={3,}|[.:](?=\S+?[.:])")


def write(graph: Graph) -> str:
    if not len(graph):
        raise FormatError("an Argdown document has an argument at least, and the graph has none")
    titles = list(_titles(graph.names))
    below: list[list[str]] = [[] for _ in titles]
    for source, target, kind in graph.relations():
        # Argdown's parser takes a self-relation for a repetition of an earlier one, so it is written first.
        place = 0 if source == target else len(below[target])
        below[target].insert(place, f"  {_SYMBOLS[kind]} <{titles[source]}>")
    blocks = []
    rows = zip(graph.names, titles, texts(graph), graph.weights, below, strict=True)
    for name, title, text, weight, relations in rows:
        paragraph = one_line(text)
        data: dict[str, str | float] = {}
        if title != name:
            data["name"] = name
        if paragraph != text:
            data["text"] = text
        if weight is not None:
            data["weight"] = weight
        head = f"<{title}>: {_MARKUP.sub(_escaped, paragraph)}" if paragraph else f"<{title}>"
        blocks.append("\n".join([f"{head} {_data(data)}" if data else head, *relations]))
    return "\n\n".join(blocks) + "\n"


def losses(graph: Graph) -> list[str]:
    return list_losses(graph, ("supports", "undercut marks", "weights", "texts"))


def _titles(names: tuple[str, ...]) -> Iterator[str]:
    """A unique title for each name: the name itself, or the part of it that a title can hold."""
    used = set(names) | _TAKEN
    numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: count(1))
    for name in names:
        if _fits(name):
            yield name
            continue
        stem = " ".join(_NOT_IN_TITLES.sub(" ", name).split()).lstrip(" ,.;!?'()-_") or "Argument"
        title = next(one for one in (f"{stem} {number}" for number in numbers[stem]) if one not in used)
        used.add(title)
        yield title


def _fits(name: str) -> bool:
    return bool(_TITLE.fullmatch(name) and name.isprintable() and name == " ".join(name.split()) and name not in _TAKEN)


def _escaped(match: re.Match[str]) -> str:
    return "".join(f"\\{char}" for char in match[0])


def _data(values: dict[str, str | float]) -> str:
    pairs = (f"{key}: {_yaml(value)}" for key, value in values.items())
    return f"{{{', '.join(pairs)}}}"


def _yaml(value: str | float) -> str:
    """A scalar in ASCII. Brackets are written as numbers: Argdown takes the first closing brace as the end of the data,
    and `>:` or `]:` as the end of the title before it. A float has a point; otherwise YAML reads 1e-05 as a word."""
    if isinstance(value, str):
        return "".join(char if _SIMPLE.match(char) else f"\\U{ord(char):08x}" for char in value).join('""')
    return repr(value) if "." in repr(value) else repr(value).replace("e", ".0e")
