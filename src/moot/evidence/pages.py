"""The result of fetching a URL, and the extraction of readable text from a body.

No network access. HTML is read by trafilatura, PDF by pypdf; both are loaded when first needed. `readable` may be slow,
and hostile pages make it slow, so it is run in a `reader`.
"""

import codecs
import hashlib
import io
import logging
import re
import time
from dataclasses import dataclass
from typing import Literal

from moot.evidence.hidden import drop_hidden
from moot.plugins.extras import require
from moot.present.data import Data
from moot.text import printable, valid_text

Kind = Literal[
    "no-host",  # the name does not exist, checked twice, while other names do
    "gone",  # 404 or 410, checked twice
    "absent",  # not in the closed pack
    "blocked",  # 401, 403, 429 and similar
    "failing",  # 5xx, a broken connection, an invalid certificate
    "slow",
    "huge",
    "redirects",  # too many redirects
    "refused",  # the URL or its address must not be fetched
    "offline",  # no name can be resolved here
    "unreadable",  # the body has no readable text
]

LONGEST_TEXT = 1_000_000
MOST_PDF_PAGES = 500
MOST_ELEMENTS = 300_000
MOST_ATTRIBUTES = 1_000
_ATTRIBUTE = re.compile(r"""[\s/]++[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"?|'[^']*+'?|[^\s>]*+))?+""")
_TAG = re.compile(rf"<[a-zA-Z][^\s/>]*+(?:{_ATTRIBUTE.pattern})*+")
MOST_FOR_EXTRACTION = 30_000
"""The most HTML elements for which the article is extracted. Beyond this, extraction takes seconds, and minutes for a
page made to be slow; larger pages are used with all their words."""
_ENCODING = re.compile(
    r"utf-8|utf-16(-[lb]e)?|cp125\d|cp(866|874|932|949)|iso8859-\d+|koi8-[ru]|mac-roman|gbk|gb18030|big5(hkscs)?"
    r"|euc_jp|iso2022_jp"
)
"""Encodings used by pages. Python has others, some of which a hostile page could use to slow it down."""
_OTHER_NAMES = {"ascii": "cp1252", "iso8859-1": "cp1252", "gb2312": "gbk", "shift_jis": "cp932", "euc_kr": "cp949"}
"""Encodings that browsers treat as larger character sets, so pages rely on it."""
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_META = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE)
_HTML = re.compile(rb"\s*(<!--.{0,500}?-->\s*)?<(!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_HEADING = re.compile(r"^#{1,6}[ \t]+([^\s#].*)$", re.MULTILINE)
_SILENCE = logging.NullHandler()
"""Keeps messages of libraries off the terminal, unless the program has set up logging."""


class Page(Data):
    """A fetched page. `sha256` is the hash of `text` in UTF-8, so that the text can be checked."""

    url: str
    final_url: str
    status: int
    title: str
    text: str
    sha256: str
    fetched_at: str


class Unfetched(Data):
    """The reason why there is no page."""

    url: str
    kind: Kind
    words: str


@dataclass(frozen=True, slots=True)
class Text:
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Problem:
    """The reason why there is nothing to read."""

    kind: Kind
    words: str


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def readable(body: bytes, content_type: str, charset: str | None = None, *, seconds: float = 30.0) -> Text | Problem:
    """Title and text of a body. The declared content type counts, except for PDF and for bodies without a declared
    type, which are recognised by their content."""
    kind = kind_of(body, content_type)
    if kind == "pdf":
        found = read_pdf(body, seconds=seconds)
    elif kind == "html":
        found = _read_html(decode(body, charset, html=True))
    elif kind == "text":
        found = _read_text(body, charset)
    else:
        found = Problem("unreadable", f"{printable(content_type)[:100] or 'a body of no declared kind'} is not text")
    if isinstance(found, Problem):
        return found
    text = tidy(found.text)
    if not text:
        return Problem("unreadable", "there is no text in it")
    if len(text) > LONGEST_TEXT:
        return Problem("huge", f"its text has more than {LONGEST_TEXT:,} characters")
    return Text(" ".join(tidy(found.title).split())[:300], text)


def decode(body: bytes, charset: str | None = None, *, html: bool = False) -> str:
    """Decode bytes: by byte order mark, by the given charset, by the one an HTML page declares, as UTF-8, or as Western
    text."""
    for mark, name in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace")
    codec = _codec(charset) or (_stated_codec(body) if html else None)
    if codec:
        return body.decode(codec, "replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body.decode("cp1252", "replace")


def tidy(text: str) -> str:
    """Text without lone surrogates, control characters, trailing white space and more than one blank line in a row."""
    text = re.sub(r"\r\n?|[\f\v\x85\u2028\u2029]", "\n", valid_text(text))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in printable(text).split("\n"))).strip()


def heading(text: str) -> str:
    """The first Markdown heading of a text, or an empty string."""
    found = _HEADING.search(text)
    return found.group(1).rstrip("# \t") if found else ""


def read_pdf(body: bytes, *, seconds: float = 30.0) -> Text | Problem:
    """The text of a PDF, page by page: all of it or a problem, never only the first part."""
    require("evidence")
    import pypdf

    logging.getLogger("pypdf").addHandler(_SILENCE)
    end = time.monotonic() + seconds
    pages: list[str] = []
    try:
        with pypdf.apply_configuration(jbig2dec_binary=None, zlib_maximum_output_length=20_000_000):
            reader = pypdf.PdfReader(io.BytesIO(body))
            if len(reader.pages) > MOST_PDF_PAGES:
                return Problem("huge", f"a PDF of more than {MOST_PDF_PAGES} pages")
            for page in reader.pages:
                pages.append(page.extract_text())
                if time.monotonic() > end:
                    return Problem("slow", "the PDF takes too long to read")
            title = (reader.metadata.title if reader.metadata else None) or ""
    except Exception as error:  # a broken PDF can raise anything
        return Problem("unreadable", f"a PDF that cannot be read ({type(error).__name__})")
    return Text(title, "\n\n".join(pages))


def kind_of(body: bytes, content_type: str) -> Literal["pdf", "html", "text", "other"]:
    """How a body is read."""
    declared = content_type.partition(";")[0].strip().lower()
    if body[:1024].lstrip().startswith(b"%PDF-"):
        return "pdf"
    if declared in {"text/html", "application/xhtml+xml"}:
        return "html"
    if declared in {"", "application/octet-stream"} and _HTML.match(body[:2048]):
        return "html"
    if declared.startswith("text/") or declared in {"", "application/json", "application/xml", "application/yaml"}:
        return "text"
    return "text" if declared.endswith(("+json", "+xml")) and not declared.startswith("image/") else "other"


def _read_html(source: str) -> Text | Problem:
    require("evidence")
    import trafilatura

    if _most_attributes(source) > MOST_ATTRIBUTES:
        return Problem("huge", f"HTML with an element of more than {MOST_ATTRIBUTES:,} attributes")
    try:
        tree = trafilatura.load_html(source)
        if tree is None:  # servers also label fragments and plain text as HTML
            tree = trafilatura.load_html(f"<html><body>{source}</body></html>")
        if tree is None:
            return Problem("unreadable", "not HTML that can be read")
        title = tree.findtext(".//title") or tree.findtext(".//h1") or ""
        size = sum(1 for _ in tree.iter())
        if size > MOST_ELEMENTS:
            return Problem("huge", f"HTML of more than {MOST_ELEMENTS:,} elements")
        drop_hidden(tree)
        every_word = trafilatura.html2txt(tree)
        if size > MOST_FOR_EXTRACTION:
            return Text(title, every_word)
        # Pages that are too short or too unusual for the extractor still have words.
        text = trafilatura.extract(tree, include_comments=False, favor_recall=True, deduplicate=False)
        return Text(title, text or every_word)
    except Exception as error:  # a broken page can raise anything, too
        return Problem("unreadable", f"HTML that cannot be read ({type(error).__name__})")


def _most_attributes(source: str) -> int:
    """The most attributes that a tag has. Parsers compare each with all others of its tag, and so take hours."""
    tags = (tag[0] for tag in _TAG.finditer(source) if len(tag[0]) > 2 * MOST_ATTRIBUTES)
    return max((sum(1 for _ in _ATTRIBUTE.finditer(tag)) for tag in tags), default=0)


def _read_text(body: bytes, charset: str | None) -> Text | Problem:
    text = decode(body, charset)
    if "\0" in text:
        return Problem("unreadable", "said to be text, but binary")
    return Text(heading(text), text)


def _codec(name: str | None) -> str | None:
    if not name:
        return None
    try:
        found = codecs.lookup(name.strip("\"' ")).name
    except (LookupError, ValueError):
        return None
    found = _OTHER_NAMES.get(found, found)
    return found if _ENCODING.fullmatch(found) else None


def _stated_codec(body: bytes) -> str | None:
    stated = _META.search(body[:4096])
    codec = _codec(stated.group(1).decode("ascii", "replace")) if stated else None
    return "utf-8" if codec and codec.startswith("utf-16") else codec  # a declaration in UTF-16 is not found
