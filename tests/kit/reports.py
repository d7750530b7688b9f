"""What a written report is made of, as a browser and a reader of Markdown see it."""

import re
from html.parser import HTMLParser

from markdown_it import MarkdownIt

import moot
from moot.report.page import replay_script

PROSE = {"p", "strong", "em", "code", "pre", "ul", "ol", "li", "blockquote", "hr", "br"}
VOID = {"meta", "link", "br", "hr", "input"}


def scripts_in(text: str) -> list[str]:
    """The scripts of a page. A tag with attributes, such as the address of another script, is given as it begins."""
    return [found or begun for found, begun in re.findall(r"<script>(.*?)</script>|(<script)", text, re.DOTALL)]


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))


def elements(page: str) -> list[tuple[str, dict[str, str]]]:
    """The elements of a page, each with its attributes."""
    parser = _Elements()
    parser.feed(page)
    return parser.found


class Outline(HTMLParser):
    """The elements of a page in order: those of the page itself, and those that were made of prose."""

    def __init__(self, run: moot.Run) -> None:
        super().__init__()
        self.page: list[tuple[str, list[str]]] = []
        self.prose: list[tuple[str, list[tuple[str, str | None]]]] = []
        self._open: list[bool] = []
        self.feed((run.path / "report.html").read_text("utf-8"))
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(tag, attrs)
        if tag not in VOID:
            classes = (dict(attrs).get("class") or "").split()
            self._open.append(bool({"said", "reason"} & set(classes)))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(tag, attrs)

    def _note(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if any(self._open):
            self.prose.append((tag, attrs))
        else:
            self.page.append((tag, sorted(name for name, _ in attrs)))

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()


def blocks(run: moot.Run) -> list[tuple[str, str]]:
    """The blocks of report.md outside all quotations, as a reader of Markdown with tables and HTML sees them."""
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    found = []
    depth = 0
    for token in parser.parse((run.path / "report.md").read_text("utf-8")):
        depth -= token.type == "blockquote_close"
        if depth == 0:
            found.append((token.type, token.tag))
        depth += token.type == "blockquote_open"
    return found


def blocks_without_code(run: moot.Run) -> list[tuple[str, str]]:
    """Versions of a text are shown as code, with as many blocks as they have."""
    return [block for block in blocks(run) if block[0] != "code_block"]


def assert_same_shape(plain: moot.Run, hostile: moot.Run) -> None:
    """Nothing that is said becomes a part of a report: it has the same elements and blocks as with plain words, prose
    makes only harmless ones, no link leaves the page, and nothing runs or steers a terminal."""
    one, other = Outline(plain), Outline(hostile)
    assert other.page == one.page
    assert {tag for tag, _ in other.prose} <= PROSE
    assert all(attrs in ([], [("class", "verbatim")]) for _, attrs in other.prose)
    assert blocks_without_code(hostile) == blocks_without_code(plain)
    page, markdown = ((hostile.path / f"report.{form}").read_text("utf-8") for form in ("html", "md"))
    assert set(re.findall(r'(?:href|src)="(?!#e?\w+")([^"]*)"', page)) == {"data:,"}
    assert scripts_in(page) == [replay_script()]
    for text in (page, markdown):
        assert re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text) == []
