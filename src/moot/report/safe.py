"""Untrusted text as HTML that can do nothing but be read.

Models, topics and names are untrusted: nothing in them may become an element, a link, a heading or a table of the
report. The results are `Markup`, which the templates insert unchanged; they escape everything else.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from moot.present import Document, Table
from moot.present.documents import NumberedLine, stretches
from moot.present.markdown import plain
from moot.text import printable
from moot.text.citations import IN_DEBATES

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


def linked(html: Markup, links: Sequence[Mapping[str, str]]) -> Markup:
    """The HTML of a text with links from its citations, such as [D1], to these anchors by their numbers, in order. If
    the HTML does not have the same marks any more, citations link to the documents."""
    known, marks = {number: number for link in links for number in link}, len(IN_DEBATES.mark.findall(html))
    anchors = iter(links if marks == len(links) else [known] * marks)

    def with_links(mark: re.Match[str]) -> str:
        anchor = next(anchors)
        return IN_DEBATES.number.sub(lambda one: _link(one[0], anchor.get(one[0])), mark[0])

    return Markup(IN_DEBATES.mark.sub(with_links, str(html))) if known else html  # noqa: S704 (numbers are plain)


def _link(number: str, anchor: str | None) -> str:
    return f'<a href="#{anchor}">{number}</a>' if anchor else number


def lines(block: Document) -> Markup:
    """The lines of a document, numbered. Those that nobody cites are folded away or, if it is too long, left out."""
    parts = []
    for part in stretches(block, excerpt=not block.whole):
        if not (part.near or block.whole):
            parts.append(f'<p class="meta">{part.name}: left out here</p>\n')
            continue
        first = part.lines[0].number
        rows = "".join(_line(block.number, line) for line in part.lines)
        listed = f'<ol class="lines" start="{first}" dir="auto">\n{rows}</ol>\n'
        folded = not (part.near or part.short)
        parts.append(f"<details><summary>{part.name}</summary>\n{listed}</details>\n" if folded else listed)
    return Markup("".join(parts))  # noqa: S704 (every text in it was escaped)


def _line(document: str, line: NumberedLine) -> str:
    pieces = ((escape(printable(text)), quoted) for text, quoted in line.pieces)
    text = "".join(f"<mark>{words}</mark>" if quoted else words for words, quoted in pieces)
    by = (f' <a class="seq" href="#e{seq}" aria-label="Cited in entry {seq}">#{seq}</a>' for seq in line.entries)
    return f'<li id="{document}-L{line.number}">{text}{"".join(by)}</li>\n'


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
