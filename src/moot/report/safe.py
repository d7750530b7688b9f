"""Untrusted text as HTML that can do nothing but be read.

Models, topics and names are untrusted: nothing in them may become an element, a link, a heading or a table of the
report. The results are `Markup`, which the templates insert unchanged; they escape everything else.
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import chain

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from moot.present import Table
from moot.present.markdown import plain
from moot.text import printable

LONGEST_PROSE = 20_000
"""Characters. Statements are far shorter. Longer text is shown unparsed, since parsing takes too long."""
DEEPEST_PROSE = 20
"""Levels of nested lists and quotes. The parser drops deeper text, so deeper text is shown unparsed."""

_SIGNS = re.compile(r"[\\`*_\[\]<>&\"]")


def prose(text: str) -> Markup:
    """Markdown as HTML. HTML, links, images and headings in it are shown as typed."""
    text = plain(text)
    if len(text) <= LONGEST_PROSE:
        if (paragraphs := _unmarked(text)) is not None:
            return Markup("".join([f"<p>{one}</p>\n" for one in paragraphs]))  # noqa: S704 (nothing to escape in it)
        markdown = _markdown()
        tokens = markdown.parse(text)
        if all(token.level < DEEPEST_PROSE - 1 for token in tokens):
            # The renderer escapes all text, and with these rules disabled it makes no harmful element.
            return Markup(markdown.renderer.render(tokens, markdown.options, {}))  # noqa: S704
    return Markup('<p class="verbatim">{}</p>').format(text)


def _unmarked(text: str) -> list[str] | None:
    """The paragraphs of a text in which Markdown and HTML have nothing to read, as in most statements; None for any
    other. The parser takes a hundred times as long for the same."""
    if _SIGNS.search(text) is not None:
        return None
    paragraphs = text.split("\n\n")
    # What begins with a letter is no list, rule, heading or block of code. The parser trims lines and breaks them.
    plain_ones = all(one[:1].isalpha() and "\n" not in one and not one[-1].isspace() for one in paragraphs)
    return paragraphs if plain_ones else None


def table(block: Table, name: str) -> Markup:
    """A table that scrolls sideways and has a name for screen readers."""
    # A report has hundreds of cells, most of them alike: escape each text once.
    cells = {cell: escape(printable(cell)) for cell in set(chain(block.columns, *block.rows))}
    looks = ["" if number < block.texts else ' class="n"' for number in range(len(block.columns))]
    columns = "".join(
        f'<th scope="col"{look}>{cells[cell]}</th>' for cell, look in zip(block.columns, looks, strict=True)
    )
    rows = []
    for row in block.rows:
        rest = "".join(f"<td{look}>{cells[cell]}</td>" for cell, look in zip(row[1:], looks[1:], strict=True))
        rows.append(f'<tr><th scope="row">{cells[row[0]]}</th>{rest}</tr>\n')
    if block.total and rows:
        rows[-1] = rows[-1].replace("<tr>", '<tr class="total">', 1)
    return Markup(  # noqa: S704 (made of cells escaped just now)
        f'<div class="scroll" role="region" aria-label="{escape(printable(name))}" tabindex="0">\n<table>\n'
        f"<thead><tr>{columns}</tr></thead>\n<tbody>\n{''.join(rows)}</tbody>\n</table>\n</div>\n"
    )


@cache
def _markdown() -> MarkdownIt:
    """CommonMark with line breaks as typed, and without anything that could mislead a reader."""
    markdown = MarkdownIt("commonmark", {"html": False, "xhtmlOut": False, "breaks": True, "maxNesting": DEEPEST_PROSE})
    markdown.disable(["html_block", "html_inline", "image", "link", "autolink", "reference"])
    markdown.add_render_rule("heading_open", lambda *_: "<p><strong>")
    markdown.add_render_rule("heading_close", lambda *_: "</strong></p>\n")
    markdown.add_render_rule("fence", _fence)
    markdown.parse("x")  # it sorts its rules on first use, which is not thread-safe
    return markdown


def _fence(_self: object, tokens: Sequence[Token], index: int, *_: object) -> str:
    """A block of code that shows the info string of its fence as text; renderers usually drop it or make it a class."""
    info, code = escape(tokens[index].info.strip()), escape(tokens[index].content)
    return f"<pre><code>{info}\n{code}</code></pre>\n" if info else f"<pre><code>{code}</code></pre>\n"
