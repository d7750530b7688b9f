"""Reading and writing argument graphs, with one small module per format.

Nothing is lost silently: `losses` lists the parts of a graph that a format cannot hold, and `write` warns with a
`Loss`. To get an error instead: `warnings.simplefilter("error", Loss)`.
"""

import os
import re
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from moot.argument.formats.base import Format as Format
from moot.argument.formats.base import FormatError as FormatError
from moot.argument.formats.base import Loss as Loss
from moot.argument.formats.base import check_texts, quoted
from moot.argument.graph import Graph


def _format_of(name: str, suffixes: tuple[str, ...], module: str = "", *, written_only: bool = False) -> Format:
    """A format whose module is imported when it is used, which most never are."""
    home = f"moot.argument.formats.{module or name}"
    return Format(
        name,
        suffixes,
        lambda graph: import_module(home).write(graph),
        lambda graph: import_module(home).losses(graph),
        None if written_only else lambda text: import_module(home).read(text),
    )


FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        _format_of("af", (".af",)),
        _format_of("apx", (".apx", ".baf", ".bag")),
        _format_of("tgf", (".tgf",)),
        _format_of("json", (".json",), "json_document"),
        _format_of("argdown", (".argdown", ".ad", ".adown"), written_only=True),
        _format_of("dot", (".dot", ".gv"), written_only=True),
        _format_of("mermaid", (".mmd", ".mermaid"), written_only=True),
    )
}
READABLE = tuple(name for name, form in FORMATS.items() if form.read)
_SIGNS = {
    "af": re.compile(r"(?:\s|#[^\n]*\n)*p[ \t]+af\b"),
    "json": re.compile(r"\s*\{\s*\""),
    "apx": re.compile(r"(?:\s|%[^\n]*)*+(?:arg|att|sup)\s*\("),
    "tgf": re.compile(r"(?:.*\n)?#[ \t\r]*(?:\n|\Z)", re.DOTALL),
}
"""The start or a typical part of a file in each format; the first match is used."""


def read(source: str | os.PathLike[str], format: str | None = None) -> Graph:  # noqa: A002 (the word everybody uses)
    """The graph in a file, given as a Path, or in a text, given as a str.

    Without a format, the file extension or the start of the text decides. A bad file is a `FormatError` with the line.
    """
    if isinstance(source, str):
        check_texts([source])
        return _reader(format or guess(source))(source)
    path = Path(source)
    try:
        text = _file_text(path)
        return _reader(format or guess(text, path.suffix.lower()))(text)
    except FormatError as error:
        raise FormatError.in_file(path, error) from None


def write(graph: Graph, format: str) -> str:  # noqa: A002
    """The graph as text. A `Loss` warns about parts that the format cannot hold."""
    form = _format(format)
    check_texts(graph.names)
    check_texts(graph.texts or ())
    if form.read is None:  # for people, who want to see what became of what was raised
        graph = graph.whole()
    if lost := form.losses(graph):
        warnings.warn(f"{format} does not hold {', '.join(lost)}", Loss, stacklevel=2)
    return form.write(graph)


def losses(graph: Graph, format: str) -> list[str]:  # noqa: A002
    """The parts of this graph that `write` would leave out in that format, in words."""
    return _format(format).losses(graph)


def schema() -> dict[str, Any]:
    """The JSON Schema of the format `json`."""
    from moot.argument.formats import json_document

    return json_document.schema()


def guess(text: str, suffix: str = "") -> str:
    """The format for a file extension, or the format that the text looks like."""
    for name, form in FORMATS.items():
        if suffix in form.suffixes:
            return name
    for name, sign in _SIGNS.items():
        if sign.match(text):
            return name
    if "\n" not in text and any(text.lower().endswith(end) for form in FORMATS.values() for end in form.suffixes):
        raise FormatError(f"{quoted(text)} is taken for the text of a graph; to read a file, give a Path")
    raise FormatError(
        f"this is in none of the formats that can be told by their look; say which: {', '.join(READABLE)}"
    )


def _reader(name: str) -> Callable[[str], Graph]:
    if (reader := _format(name).read) is None:
        raise FormatError(f"{name} is only written; a graph is read from {', '.join(READABLE)}")
    return reader


def _format(name: str) -> Format:
    if name not in FORMATS:
        raise FormatError(f"there is no format {quoted(name)}; there are {', '.join(FORMATS)}")
    return FORMATS[name]


def _file_text(path: Path) -> str:
    """The text of a file in UTF-8; a `FormatError` if there is none."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise FormatError("this is not UTF-8 text", line) from None
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}") from error
