"""Text that others wrote, as HTML that can only be read.

Models, topics and names are untrusted: nothing in them may become an element, a link, a heading or a table of the
report they are quoted in. What comes out is `Markup`, which the templates take as it is; all else they escape.
"""

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
"""Characters. Statements are far shorter; whatever is longer is shown as it came, since parsing it takes too long."""
DEEPEST_PROSE = 20
"""Levels of lists and quotes within each other. Text below that would be left out, and is shown as it came instead."""


def prose(text: str) -> Markup:
    """Markdown as HTML, without HTML of its own, links, images and headings: these stay visible as they were typed."""
    text = plain(text)
    if len(text) <= LONGEST_PROSE:
        markdown = _markdown()
        tokens = markdown.parse(text)
        if all(token.level < DEEPEST_PROSE - 1 for token in tokens):
            # The renderer escapes all text, and with these rules switched off makes no element that could do harm.
            return Markup(markdown.renderer.render(tokens, markdown.options, {}))  # noqa: S704
    return Markup('<p class="verbatim">{}</p>').format(text)


def table(block: Table, name: str) -> Markup:
    """A table that can be scrolled sideways, and that a screen reader finds by its name."""
    # A report has hundreds of cells, most of them alike: each text is escaped once.
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
    """CommonMark, but that lines end where they were typed to end, and for what could lead or mislead a reader."""
    markdown = MarkdownIt("commonmark", {"html": False, "xhtmlOut": False, "breaks": True, "maxNesting": DEEPEST_PROSE})
    markdown.disable(["html_block", "html_inline", "image", "link", "autolink", "reference"])
    markdown.add_render_rule("heading_open", lambda *_: "<p><strong>")
    markdown.add_render_rule("heading_close", lambda *_: "</strong></p>\n")
    markdown.add_render_rule("fence", _fence)
    markdown.parse("x")  # it sorts its rules at the first use, in which threads must not meet
    return markdown


def _fence(_self: object, tokens: Sequence[Token], index: int, *_: object) -> str:
    """A block of code, with the words beside its fence as text: usually they are dropped or name a class."""
    info, code = escape(tokens[index].info.strip()), escape(tokens[index].content)
    return f"<pre><code>{info}\n{code}</code></pre>\n" if info else f"<pre><code>{code}</code></pre>\n"
