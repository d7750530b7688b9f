"""Escapes untrusted text for Markdown: nothing in it becomes an element, link, heading or table of the document around
it. The results are `Markup`, which templates insert unchanged."""

import re
from itertools import chain

from markupsafe import Markup

from moot.present import Table
from moot.text import one_line, printable

_EVERYWHERE = re.compile(r"[\\`<\[\]&|]")
_IN_A_LINE = re.compile(r"[\\`<\[\]&|*~#]|(?<!\w)_|_(?!\w)")
_BEGINNING = re.compile(r"^(\d*)([-+>=.)])")
_AT_START = re.compile(r"^([ \t]*(?:(?:[-+*]|\d+[.)])[ \t]+)*)([#~>]|[=-]+[ \t]*$)")


def quote(text: str) -> Markup:
    """Text as a block quote that its content cannot break out of. Emphasis and lists still work in it."""
    lines = [_AT_START.sub(r"\1\\\2", _EVERYWHERE.sub(r"\\\g<0>", line)) for line in plain(text).split("\n")]
    return Markup("\n".join(f"> {line}".rstrip() for line in lines))  # noqa: S704 (escaped for Markdown just now)


def article(text: str) -> Markup:
    """A Markdown document. Its headings, lists and emphasis stay; links, images, HTML and tables do not work."""
    return Markup(_EVERYWHERE.sub(r"\\\g<0>", plain(text)))  # noqa: S704 (escaped for Markdown just now)


def line(text: object) -> Markup:
    """Text for the start of a line, where it does not become a list, quote or heading."""
    return Markup(_BEGINNING.sub(r"\1\\\2", inline(text)))  # noqa: S704 (escaped for Markdown just now)


def inline(text: object) -> Markup:
    """Text for a heading, a table cell or the middle of a sentence; use `line` at the start of a line."""
    return Markup(_escaped(text))  # noqa: S704 (escaped for Markdown just now)


def _escaped(text: object) -> str:
    return _IN_A_LINE.sub(r"\\\g<0>", one_line(text))


def table(block: Table) -> Markup:
    """The table with aligned columns, so that its source is readable too."""
    texts = (block.columns, *block.rows)
    # A report has hundreds of cells, most of them alike: escape each text once.
    cells = {cell: _escaped(cell) for cell in set(chain(*texts))}
    rows = [[cells[cell] for cell in row] for row in texts]
    widths = [max(3, *(len(row[i]) for row in rows)) for i in range(len(block.columns))]
    rule = [("-" * width if i < block.texts else "-" * (width - 1) + ":") for i, width in enumerate(widths)]
    rows.insert(1, rule)
    padded = [
        [
            cell.ljust(width) if i < block.texts else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        for row in rows
    ]
    return Markup("\n".join(f"| {' | '.join(row)} |" for row in padded))  # noqa: S704 (made of cells escaped just now)


def plain(text: str) -> str:
    """Printable text with line breaks where a reader sees them."""
    # These two end a line on a screen but not in Markdown, so a quoted line could seem to leave its quote.
    return printable(text).replace("\u2028", "\n").replace("\u2029", "\n").strip("\n")
