"""Whatever reads text that strangers wrote takes time in proportion to its length, however the text is made.

Every regular expression of the program is found in its source and tried with long texts of one piece repeated, within a
time of the processor. Readers that are more than an expression are tried with texts made for them, and their lines of
Python are counted: a linear reader takes four times as many for four times the text, and a quadratic one sixteen times.
"""

import ast
import asyncio
import json
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from moot.argument import FormatError, Graph, formats
from moot.engine.play.endings import stops_short
from moot.engine.play.objects import mended
from moot.engine.play.prompt import fenced
from moot.engine.play.prose import Prose
from moot.engine.play.reader import parse
from moot.errors import MootError
from moot.evidence.context import read_body
from moot.evidence.diffs import title_of_diff
from moot.evidence.pages import decode, heading, tidy
from moot.evidence.ranking import chunks, words
from moot.feeds.feeds import NoFeed, parse_feed
from moot.models.events import EventReader
from moot.models.failures import quote
from moot.models.http import Endpoint
from moot.models.scripted import ScriptedModel
from moot.models.sizes import parameters_of
from moot.models.speech import Speech
from moot.models.tool_calls import wanted
from moot.pipelines.documents import _quiet
from moot.present.markdown import article, inline
from moot.present.markdown import quote as quoted
from moot.protocols.arena.evidence_quality import evidence_of
from moot.protocols.chaired.citing import addresses_in, said_in
from moot.protocols.chaired.computing import numbers_in, with_results
from moot.protocols.chaired.sentences import sentences
from moot.protocols.oversight import look_up
from moot.protocols.panel.config import title_of
from moot.record.entry import Draft
from moot.record.journal import parse_journal
from moot.report.safe import prose
from moot.runs.receipts import check_receipt
from moot.runs.search import missing, words_of
from moot.studies.evaluate.matching import MATCHES, canonical, quantity
from moot.studies.evaluate.texts import bare, normalised, stated
from moot.text import clip, one_line, printable, valid_text
from moot.text.citations import citations
from moot.text.fences import parts_of
from moot.text.language import is_question, word_count
from moot.text.language import words as words_in
from moot.text.maps import anchor
from moot.text.marks import unmarked, unmarked_json, unmarked_value
from moot.text.masking import masked
from moot.text.names import folded, look_of, name_alone, slug
from moot.text.quotations import find_quote, quotations, set_apart
from moot.text.yaml import parse_yaml
from moot.web.partial_json import PartialReply
from tests.kit.sources import FILES, SOURCE, nodes
from tests.kit.waiting import TooLong, processor_time

LONG = 25_000
"""Characters for an expression."""
SECONDS = 0.25
"""Of the processor. A linear expression takes a thirtieth at most, a quadratic one several times as much."""
STEEP = 5.0
"""Between the four of a linear reader and the sixteen of a quadratic one; the closer to four, the shorter the texts in
which the square of the length shows."""
PIECES = [
    *" \naA1{[<(_-.:\"'\\#*/=%|>,é",
    *("\n ", "- ", "a ", "A-", "A'", "<a", "[a", "{}", "\\a", "1.", "a.a", "#a", '{"', '"a":', " or a", "=== ", "\n\n"),
    *(
        "ANSWER:",
        "answer ",
        "www.",
        "http://",
        "doi:",
        "<!--",
        "/*",
        "//",
        "<meta ",
        "<<<",
        "moot:\n ",
        "A and ",
        "name:",
    ),
    *("<<<a 00000000>>>\n", "\n<<<end 00000000>>>", "should a ", "K1", "[1", "1,111", "\\boxed{", "K", "Ada ", "***"),
]


WAYS = ("match", "search", "fullmatch", "sub", "subn", "findall", "finditer", "split")


@dataclass(frozen=True)
class Use:
    """A pattern and the method that it is used by; `where` is for messages."""

    where: str
    way: str
    pattern: "re.Pattern[Any]"

    def on(self, text: str) -> None:
        given: Any = text.encode() if isinstance(self.pattern.pattern, bytes) else text
        empty: Any = given[:0]
        if self.way in ("sub", "subn"):
            getattr(self.pattern, self.way)(empty, given)
        elif self.way == "finditer":
            list(self.pattern.finditer(given))
        else:
            getattr(self.pattern, self.way)(given)


def uses_in(file: Path) -> Iterator[Use]:
    text = file.read_text("utf-8")
    if "re." not in text or file.name == "__main__.py":
        return
    place = str(file.relative_to(SOURCE))
    module = import_module(
        ".".join(["moot", *file.relative_to(SOURCE).with_suffix("").parts]).removesuffix(".__init__")
    )
    compiled = {name: value for name, value in vars(module).items() if isinstance(value, re.Pattern)}
    for name in [name for name, value in vars(module).items() if isinstance(value, dict)]:
        tables = getattr(module, name)
        compiled |= {f"{name}[{key}]": value for key, value in tables.items() if isinstance(value, re.Pattern)}
    for name, pattern in compiled.items():
        ways = [way for way in WAYS if f"{name}.{way}(" in text] or (["match"] if "[" in name else [])
        yield from (Use(f"{place}: {name}.{way}", way, pattern) for way in ways)
    for node in nodes(file):
        match node:
            case ast.Call(ast.Attribute(ast.Name("re"), way), [ast.Constant(str(written)), *_]) if way in WAYS:
                flags = re.IGNORECASE | re.DOTALL if "DOTALL" in ast.unparse(node) else re.NOFLAG
                yield Use(f"{place}:{node.lineno}: re.{way}", way, re.compile(written, flags))


def is_slow(use: Use, piece: str) -> bool:
    """Whether a long text of that piece takes more than its time."""
    try:
        with processor_time(SECONDS):
            use.on(piece * (LONG // len(piece)) + "\0")
    except TooLong:
        return True
    return False


def test_no_regular_expression_is_slow() -> None:
    assert [
        (use.where, piece) for file in FILES for use in uses_in(file) for piece in PIECES if is_slow(use, piece)
    ] == []


def lines(read: Callable[[str], object], text: str) -> int:
    """How many lines of Python are run for it, counted at each turn of a loop, on whatever machine."""
    count = 0

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        with suppress(MootError, FormatError, NoFeed):
            read(text)
    finally:
        sys.settrace(before)
    return count


def assert_linear(read: Callable[[str], object], make: Callable[[int], str]) -> None:
    short, long = lines(read, make(100)), lines(read, make(400))
    if long > STEEP * short:  # it may have a bound between the two
        short, long = lines(read, make(3200)), lines(read, make(12_800))
    assert long <= STEEP * short, f"{short} lines, and {long} for four times the text"


class Scored(BaseModel):
    score: int


class Chosen(BaseModel):
    text: Literal["So it <s> is.", "So it is."]


def stream(text: str) -> None:
    """A reply that comes letter by letter, as it is read on its way to a page."""
    speech, readable = Speech(lambda text: None), PartialReply()
    events: EventReader[bytes] = EventReader(lambda data: data or None)
    for one in text:
        speech.add(one)
        readable.more(one)
        list(events.more(one.encode()))
    speech.end()


def graph_of(form: str | None) -> Callable[[str], None]:
    def read(text: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            formats.read(text, form)

    return read


def written(text: str) -> None:
    """Graphs whose arguments have such names and texts, in every format."""
    names = [f"{part}{'~' * (place % 7)}{place}" for place, part in enumerate(text[: len(text) // 10])]
    made = Graph.of(names, texts=dict.fromkeys(names, text[:10]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for form in formats.FORMATS:
            formats.write(made, form)


def spoken(text: str) -> None:
    asyncio.run(ScriptedModel({})._speak(text, lambda word: None))


PROSE = Prose(spoken=True, others=["Ada", "Bo"], earlier=[Draft("opening", "Ada", "turn", "a b c d e " * 100)])

READERS: dict[str, Callable[[str], object]] = {
    "an object in a reply": lambda text: parse(Scored, text),
    "objects in a reply": lambda text: parse(Scored, text.replace("a", '{"score": 1} ').replace("1", '{"score": 2}')),
    "JSON that is put right": lambda text: mended("{" + text),
    "a reply in words": PROSE.faults,
    "a stream": stream,
    "a scripted reply": spoken,
    "the title of an idea": title_of,
    "options in a question": lambda text: set_apart(["a", "b"], text),
    "sentences": sentences,
    "citations": said_in,
    "addresses": addresses_in,
    "computations of a statement": with_results,
    "numbers of a statement": numbers_in,
    "quotations in a statement": quotations,
    "a name in a vote": lambda text: name_alone(text, ["Ada", "Bo", "K"]),
    "an answer": lambda text: [canonical(text, one) for one in MATCHES] + [stated(f"ANSWER: {text}")],
    "evidence in a proposal": evidence_of,
    "a question to a person": parts_of,
    "a text that is shortened": lambda text: clip(text, len(text) - 1),
    "the size in the name of a model": lambda text: parameters_of(f"any/{text}"),
    "a fenced text": lambda text: fenced(text, "a label"),
    "prose in a report": prose,
    "Markdown": lambda text: (quoted(text), article(text), inline(text)),
    "the terminal": lambda text: (printable(text), one_line(text), valid_text(text)),
    "the name of a run": slug,
    "a page's words": lambda text: (tidy(text), heading(text), chunks(text), words(text)),
    "a page's bytes": lambda text: decode(text.encode(), html=True),
    "a quotation": lambda text: find_quote(text[:500], text),
    "a feed": lambda text: parse_feed(text, "name"),
    "a feed's titles": lambda text: parse_feed(f"<rss><item><title><![CDATA[{text}]]></title></item></rss>", "name"),
    "a server's words": lambda text: quote(Endpoint("http://x", secret="secret"), text),
    "a journal": lambda text: parse_journal(text.encode().split(b"\n"), "here"),
    "YAML": lambda text: parse_yaml(text.encode(), "here"),
    "YAML in a text": lambda text: parse_yaml(b"a: " + json.dumps(text).encode(), "here"),
    "the language of a topic": lambda text: (is_question(text), word_count(text), words_in(text)),
    "names that are covered": lambda text: masked(text, {"Ada": "A", "Bo": "B", "a": "C", "A-": "D"}),
    "a name as it looks": lambda text: (folded(text), look_of(text)),
    "marks of templates": lambda text: (unmarked(text), unmarked_value({"enum": [text]}), unmarked_json(text)),
    "a text in a schema": lambda text: parse(Chosen, json.dumps({"text": text})),
    "a document": lambda text: read_body(text.encode(), "a.md"),
    "a diff": lambda text: (title_of_diff(f"diff --git {text}"), title_of_diff(f"--- {text}\n+++ {text}")),
    "citations of documents": lambda text: list(citations([text])),
    "a quotation of a document": lambda text: look_up([text[:500]], text),
    "a reply that stops short": lambda text: (stops_short(text, None), stops_short(text, len(text))),
    "a receipt": lambda text: check_receipt(text.encode()),
    "a quantity": lambda text: (quantity(text), normalised(text), bare(text)),
    "words that are looked for": lambda text: missing(words_of(text[:500]), [text]),
    "the anchor of an argument": anchor,
    "a line for a forge": lambda text: _quiet(inline(text)),
    "a wish for a tool": lambda text: wanted([(text, text)] * 100),
    "a graph": graph_of(None),
    "a graph that is written": written,
    **{f"a graph in {form}": graph_of(form) for form in formats.FORMATS},
}


def hostile() -> Iterator[str]:
    """Further pieces, for readers that are more than an expression."""
    yield from PIECES
    yield from ("\n===\n", "\\boxed{", "a\n", "&amp;", "&lt;", "&#9;", "<b>", "a,", "x.", "> ", "` ", "**a ", "__a")
    yield from ("~~~\n", "[a]: - b\n", "<a>: b\n", "a -> b;", "arg(a).", "a --> b\n", "- a: b\n", "? ", "a:\n", "[")
    yield from ("{a: ", "&a ")


@pytest.mark.parametrize("name", READERS)
def test_no_reader_is_slow(name: str) -> None:
    pieces = ["a", "\n", "[", "A-", "~"] if name == "a graph that is written" else dict.fromkeys(hostile())
    for piece in pieces:
        for before in ("", "flowchart BT\n", "digraph {", '{"nodes": [', "p af 9\n") if name == "a graph" else ("",):
            make: Callable[[int], str] = lambda length, b=before, p=piece: b + p * (length // len(p))  # type: ignore[misc] # noqa: E731
            assert_linear(READERS[name], make)


@pytest.mark.parametrize(
    "feed",
    [
        lambda many: "<rss>" + "<item><title>" * 80 + "&amp;lt;a" * many + "</title></item>" * 80 + "</rss>",
        lambda many: "<rss>" + "<item/>" * many + "</rss>",
    ],
    ids=["titles in titles", "items"],
)
def test_only_so_much_of_a_feed_is_read(feed: Callable[[int], str]) -> None:
    few, many = (lines(lambda text: parse_feed(text, "name"), feed(count)) for count in (5_000, 15_000))
    assert many - few <= 10 * 10_000, "an item that is read takes three hundred"
