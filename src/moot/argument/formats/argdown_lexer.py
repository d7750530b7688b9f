"""The tokens of an Argdown document, as Argdown's own lexer finds them: at each place the first kind that fits.

Every search for the end of a token is remembered until the reader has passed it, which keeps the whole linear.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from moot.argument.formats.base import FormatError, quoted

_LINE_END = re.compile(r"[\n\r\u2028\u2029]")
_BLANK = re.compile(r"[\s\ufeff]")
_EMPTY_LINES = re.compile(r"(?:[ \t]*+(?:\r\n|\n)){2,}+")
_NEW_LINE = re.compile(r"[ \t]*+(?:\r\n|\n|\r)")
_BREAKS_AFTER_EMPTY = re.compile(r"(?:[ \t]*+\r\n|\n|\r)*+")
_BREAK_AFTER_LINE = re.compile(r"[ \t]*+(?:\r\n|\n|\r)(?![ \t]*+(?:\r\n|\n|\r))")
# The quotation mark is in Argdown's own patterns.
_RELATION = re.compile(r"([' \t]*+)(\+>|->|<?\+|<?-|><|_>|<_|_(?=\s))")
_INFERENCE = re.compile(r"[' \t]*+--")
_NUMBER = re.compile(r"[' \t]*+\([0-9]+\)")
_ITEM = re.compile(r"([' \t]*+)(?:[0-9]+\.|\*)(?=\s)")
_HEADING = re.compile(r"#++ ")
_OPENING = re.compile(r"(\*\*|__|\*|_)(?!\s)")
_CLOSING = re.compile(r"(?:[ \t]|(?=[\n\r)}_.,!?;:*-]|\Z))")
_TAG = re.compile(r"#[a-zA-z0-9\u00A0-\uD7FF\uF900-\uFDCF\uFDF0-\uFFEF-]++[ \t]?")
_ESCAPED = re.compile(r"\\[^\n\r\u2028\u2029] *+")
_FREE = re.compile(r"[^\\@#*_\[\],.:</>(){}\r\n;-]++")
_OTHER = re.compile(r"[@#*_\[\],.:</>(){};-][ \t]?")
_DASHES = re.compile(r"-{2,}+")
_SPACES = re.compile(r"[ \t]++")
_EQUALS = re.compile(r"={3,}+")
_BRACE = re.compile(r"\}")
_OPEN_END = re.compile(r"\s*+[,}]")
_DATA_STOP = re.compile(r"\}(?=\s[^,}])|[\r\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Token:
    """`text` is the title of a title, the symbol of a relation, and the words of everything else."""

    kind: str
    text: str
    start: int


@dataclass(slots=True)
class Lexer:
    """Reads a text from its start to its end. `tokens` grows; `skipped` is where the last comment or blank ended."""

    text: str
    tokens: list[Token] = field(default_factory=list)
    place: int = 0
    skipped: int = 0
    matched: int = 0
    indents: list[int] = field(default_factory=lambda: [0])
    open_ranges: list[str] = field(default_factory=list)
    inferring: bool = False
    _ends: dict[object, int] = field(default_factory=dict)
    _stops: list[int] = field(default_factory=list)
    _closers: list[int] = field(default_factory=list)

    def run(self) -> list[Token]:
        text = self.text
        self._stops = [found.start() for found in _DATA_STOP.finditer(text)]
        self._closers = [found.start() for found in _BRACE.finditer(text) if not _OPEN_END.match(text, found.end())]
        while self.place < len(text):
            if not any(rule(self) for rule in (_INSIDE_INFERENCE if self.inferring else _RULES)):
                raise FormatError(f"{quoted(text[self.place])} is no Argdown", self.line(self.place))
        if self.tokens and self.tokens[-1].kind == "empty line":
            self.tokens.pop()
        self.close_indents(len(text))
        return self.tokens

    def line(self, place: int) -> int:
        return self.text.count("\n", 0, place) + 1

    def take(self, kind: str, end: int, words: str | None = None) -> bool:
        self.tokens.append(Token(kind, self.text[self.place : end] if words is None else words, self.place))
        self.place = self.matched = end
        return True

    def skip(self, end: int) -> bool:
        self.place = self.skipped = end
        return True

    def last(self) -> str:
        return self.tokens[-1].kind if self.tokens else ""

    def at_line_start(self) -> bool:
        return self.last() in ("", "new line", "empty line")

    def find(self, mark: str | re.Pattern[str], start: int) -> int:
        """The next place of a mark, or the length of the text; the same search is not made twice."""
        known = self._ends.get(mark, -1)
        if known < start:
            if isinstance(mark, str):
                known = self.text.find(mark, start)
            else:
                known = found.start() if (found := mark.search(self.text, start)) else -1
            self._ends[mark] = known = len(self.text) if known < 0 else known
        return known

    def indent_to(self, width: int) -> None:
        if width > self.indents[-1]:
            self.indents.append(width)
            self.tokens.append(Token("indent", "", self.place))
        while len(self.indents) > 1 and width < self.indents[-1]:
            self.indents.pop()
            self.tokens.append(Token("dedent", "", self.place))

    def close_indents(self, place: int) -> None:
        while len(self.indents) > 1:
            self.indents.pop()
            self.tokens.append(Token("dedent", "", place))

    def data_end(self) -> int | None:
        """The end of the YAML data that starts here: the last brace that can close it."""
        stop = bisect_left(self._stops, self.place)
        limit = self._stops[stop] if stop < len(self._stops) else len(self.text)
        closer = bisect_left(self._closers, limit + 1) - 1
        if closer < 0 or self._closers[closer] <= self.place:
            return None
        return self._closers[closer] + 1


def _comment(lexer: Lexer) -> bool:
    text, place = lexer.text, lexer.place
    end = None
    for opening, closing in (("<!--", "-->"), ("/*", "*/")):
        if text.startswith(opening, place):
            found = lexer.find(closing, place + len(opening))
            end = None if found == len(text) else found + len(closing)
    if text.startswith("//", place):
        found = lexer.find(_LINE_END, place)
        end = found if found < len(text) and text[found] in "\r\n" else None
    if end is None:
        return False
    after = {"empty line": _BREAKS_AFTER_EMPTY, "new line": _BREAK_AFTER_LINE}.get(lexer.last())
    if not lexer.inferring and after and (found_break := after.match(text, end)):
        end = found_break.end()
    return lexer.skip(end)


def _front_matter(lexer: Lexer) -> bool:
    opening = _EQUALS.match(lexer.text, lexer.place)
    if opening is None:
        return False
    closing = lexer.find("===", opening.end())
    if closing == len(lexer.text):
        return len(opening[0]) >= 6 and lexer.take("front matter", opening.end())
    found = _EQUALS.match(lexer.text, closing)
    return found is not None and lexer.take("front matter", found.end())


def _data(lexer: Lexer) -> bool:
    end = lexer.data_end() if lexer.text[lexer.place] == "{" else None
    return end is not None and lexer.take("data", end)


def _special(lexer: Lexer) -> bool:
    mark = lexer.text[lexer.place]
    if mark not in ".:":
        return False
    end = lexer.find(mark, lexer.place + 2)
    if end == len(lexer.text) or lexer.find(_BLANK, lexer.place + 1) < end:
        return False
    code = lexer.text[lexer.place : end + 1]
    blank = lexer.text[end + 1 : end + 2] in (" ", "\t")
    return lexer.take("special", end + 1 + blank, SHORT_CODES.get(code[1:-1], code) + (" " if blank else ""))


def _empty_line(lexer: Lexer) -> bool:
    if lexer.last() == "empty line" or not (found := _EMPTY_LINES.match(lexer.text, lexer.place)):
        return False
    if found.end() < len(lexer.text):
        lexer.close_indents(lexer.place)
    return lexer.take("empty line", found.end())


def _line_start(lexer: Lexer) -> bool:
    """What can only stand at the start of a line: an inference, relations, headings, numbers and list items."""
    if not lexer.at_line_start():
        return False
    text, place = lexer.text, lexer.place
    if lexer.last() != "empty line" and (found := _INFERENCE.match(text, place)):
        lexer.close_indents(place)
        lexer.inferring = True
        return lexer.take("inference", found.end())
    if found := _RELATION.match(text, place):
        lexer.indent_to(len(found[1]))
        return lexer.take("relation", found.end(), found[2])
    if found := _HEADING.match(text, place):
        return lexer.take("heading", found.end())
    if found := _NUMBER.match(text, place):
        lexer.close_indents(place)
        return lexer.take("number", found.end())
    if found := _ITEM.match(text, place):
        lexer.indent_to(len(found[1]) + 1)
        return lexer.take("ordered item" if text[found.end() - 1] == "." else "item", found.end())
    return False


def _emphasis(lexer: Lexer) -> bool:
    text, place = lexer.text, lexer.place
    if text[place] not in "*_":
        return False
    for mark in ("**", "__", "*", "_"):
        after = text.startswith(mark, place) and lexer.open_ranges[-1:] == [mark] and lexer.tokens
        if after and lexer.skipped <= lexer.matched and (found := _CLOSING.match(text, place + len(mark))):
            lexer.open_ranges.pop()
            return lexer.take(f"{mark} end", found.end(), found[0] and " ")
    if found := _OPENING.match(text, place):
        lexer.open_ranges.append(found[1])
        return lexer.take(f"{found[1]} start", found.end(), "")
    return False


def _link(lexer: Lexer) -> bool:
    text, place = lexer.text, lexer.place
    if text[place] != "[":
        return False
    middle = lexer.find("]", place + 1)
    if middle == place + 1 or not text.startswith("](", middle):
        return False
    end = lexer.find(")", middle + 2)
    if end == len(text) or end == middle + 2:
        return False
    _, opening, words = _LINE_END.split(text[place:middle])[-1].partition("[")
    if not opening or not words or _LINE_END.search(text, middle, end):
        raise FormatError("a link has to stand in one line", lexer.line(place))
    blank = text[end + 1 : end + 2] in (" ", "\t")
    return lexer.take("link", end + 1 + blank, words + (" " if blank else ""))


def _tag(lexer: Lexer) -> bool:
    text, place = lexer.text, lexer.place
    if text[place] != "#":
        return False
    if text.startswith("(", place + 1):
        end = lexer.find(")", place + 2)
        return place + 2 < end < len(text) and lexer.take("tag", end + 1 + (text[end + 1 : end + 2] in (" ", "\t")))
    found = _TAG.match(text, place)
    return found is not None and lexer.take("tag", found.end())


def _title(lexer: Lexer) -> bool:
    text, place = lexer.text, lexer.place
    opening = text[place : place + 1 + (text[place] == "@")]
    if opening[-1] not in "[<":
        return False
    what, close = ("statement", "]") if opening[-1] == "[" else ("argument", ">")
    first = place + len(opening)
    if opening[0] == "@":
        end = lexer.find(close, first + 1)
        if end == len(text) or lexer.find(_LINE_END, first) < end:
            return False
        return lexer.take("mention", end + 1 + (text[end + 1 : end + 2] in (" ", "\t")))
    end = lexer.find(close + ":", first + 1)
    if end < len(text) and lexer.find(_LINE_END, first) > end:
        return lexer.take(f"{what} definition", end + 2, text[first:end])
    end = lexer.find(close, first + 1)
    if end == len(text) or text[first] == "-" or lexer.find(_LINE_END, first + 1) < end:
        return False
    return lexer.take(f"{what} reference", end + 1, text[first:end])


def _plain(kind: str, pattern: re.Pattern[str]) -> Callable[[Lexer], bool]:
    def rule(lexer: Lexer) -> bool:
        found = pattern.match(lexer.text, lexer.place)
        if found is None:
            return False
        return lexer.skip(found.end()) if kind == "spaces" else lexer.take(kind, found.end())

    return rule


def _escaped(lexer: Lexer) -> bool:
    found = _ESCAPED.match(lexer.text, lexer.place)
    return found is not None and lexer.take("text", found.end(), found[0][1:])


def _inference_end(lexer: Lexer) -> bool:
    found = _DASHES.match(lexer.text, lexer.place)
    if found is None:
        return False
    lexer.inferring = False
    return lexer.take("inference end", found.end())


def _comma(lexer: Lexer) -> bool:
    return lexer.text[lexer.place] == "," and lexer.take("comma", lexer.place + 1)


def _short_codes() -> Iterator[tuple[str, str]]:
    for line in _CODES.split("\n"):
        sign, *words = line.split()
        yield from ((word, sign) for word in words)


_new_line, _spaces = _plain("new line", _NEW_LINE), _plain("spaces", _SPACES)
_words = (_plain("text", _FREE), _plain("text", _OTHER))
_RULES = (_comment, _front_matter, _data, _escaped, _special, _empty_line, _new_line, _line_start, _emphasis, _link,
          _tag, _title, _spaces, *_words)  # fmt: skip
_INSIDE_INFERENCE = (_comment, _new_line, _escaped, _special, _inference_end, _data, _comma, _spaces, *_words)
_CODES = """\
∀ A
∃ E
𝗢 O
𝗣 P
→ ->
↔ <->
¬ ~
∧ ^
∨ v
⊻ v_
◇ <>
◻ []"""
SHORT_CODES = dict(_short_codes())
"""The signs of logic that a word between points or colons stands for. Argdown has smileys besides."""
