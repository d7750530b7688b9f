"""Text that others wrote, made into something that can only be read.

Models, topics and names are untrusted: nothing in them may become an element, a link, a heading or a table of the
report they are quoted in. What comes out is `Markup`, which the templates take as it is; all else they escape.
"""

import re
from collections.abc import Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from moot.text import one_line, printable

LONGEST_PROSE = 20_000
"""Characters. Statements are far shorter; whatever is longer is shown as it came, since parsing it takes too long."""
DEEPEST_PROSE = 20
"""Levels of lists and quotes within each other. Text below that would be left out, and is shown as it came instead."""

_EVERYWHERE = re.compile(r"[\\`<\[\]&|]")
_IN_A_LINE = re.compile(r"[\\`<\[\]&|*~#]|(?<!\w)_|_(?!\w)")
_AT_START = re.compile(r"^([ \t]*(?:(?:[-+*]|\d+[.)])[ \t]+)*)([#~>]|[=-]+[ \t]*$)")


def prose(text: str) -> Markup:
    """Markdown as HTML, without HTML of its own, links, images and headings: these stay visible as they were typed."""
    text = _plain(text)
    if len(text) <= LONGEST_PROSE:
        markdown = _markdown()
        tokens = markdown.parse(text)
        if all(token.level < DEEPEST_PROSE - 1 for token in tokens):
            # The renderer escapes all text, and with these rules switched off makes no element that could do harm.
            return Markup(markdown.renderer.render(tokens, markdown.options, {}))  # noqa: S704
    return Markup('<p class="verbatim">{}</p>').format(text)


def quote(text: str) -> Markup:
    """Text as a Markdown block quote that nothing inside can leave. Emphasis and lists still work in it."""
    lines = [_AT_START.sub(r"\1\\\2", _EVERYWHERE.sub(r"\\\g<0>", line)) for line in _plain(text).split("\n")]
    return Markup("\n".join(f"> {line}".rstrip() for line in lines))  # noqa: S704 (escaped for Markdown just now)


def article(text: str) -> Markup:
    """A whole Markdown document. Its headings, lists and emphasis stay; links, images, HTML and tables do not work."""
    return Markup(_EVERYWHERE.sub(r"\\\g<0>", _plain(text)))  # noqa: S704 (escaped for Markdown just now)


def inline(text: object) -> Markup:
    """Text for a heading, a table cell or the middle of a Markdown sentence; it must not begin a line."""
    return Markup(_IN_A_LINE.sub(r"\\\g<0>", one_line(text)))  # noqa: S704 (escaped for Markdown just now)


def _plain(text: str) -> str:
    # These two end a line on a screen but not in Markdown, so a quoted line could seem to leave its quote.
    return printable(text).replace("\u2028", "\n").replace("\u2029", "\n").strip("\n")


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
