"""Documents in the reports: their lines with what is quoted, whatever is in them, and not too much of them."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import moot
from moot.engine.outcome.material import gather
from moot.present import Document, Words
from moot.report import reports
from moot.report.markdown import markdown
from moot.report.safe import lines
from tests.kit.duels import duel

HOSTILE = [
    "</li></ol><script>alert(1)</script>",
    "<img src=x onerror=alert(1)> & “words that are quoted, and <b>no more</b>”",
    "\u202egnp.exe\u202c ```",
    "| a | b |",
    "# heading [D1](javascript:alert(1))",
]
QUOTED = "words that are quoted, and <b>no more</b>"


class Elements(HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.ids: list[str] = []
        self.hrefs: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        given = {name: value or "" for name, value in attrs}
        self.ids += [given["id"]] if "id" in given else []
        self.hrefs += [given["href"]] if "href" in given else []

    def handle_data(self, data: str) -> None:
        self.text += data


def debated(folder: Path, texts: list[str], said: str) -> tuple[moot.Run, moot.Result]:
    documents = [{"title": f"Paper {number}", "text": text} for number, text in enumerate(texts, 1)]
    result, _ = duel(folder, {"A/turn/1": said, "A/think/1": "Nobody knows: canary [D1]."}, documents=documents)
    assert result.status == "done", result.reason
    return moot.find_run(result.run), result


def test_a_citation_in_the_report_leads_to_the_marked_line(tmp_path: Path) -> None:
    run, result = debated(tmp_path, ["\n".join(HOSTILE)], f"It has “{QUOTED}” [D1].")
    page = reports(gather(run, result))["report.html"]
    found = Elements(page)
    assert "#D1-L2" in found.hrefs
    assert all(href[1:] in found.ids for href in found.hrefs if href.startswith("#D"))
    assert len(found.ids) == len(set(found.ids))
    assert page.count("<mark>words that are quoted, and &lt;b&gt;no more&lt;/b&gt;</mark>") == 1
    assert found.names.count("script") == 1 and "img" not in found.names, "nothing in a document is an element"
    assert "\u202e" not in page


def test_markdown_has_the_passages_with_their_numbers_and_cannot_be_broken_out_of(tmp_path: Path) -> None:
    long = [*HOSTILE, *(f"Line {number} of the paper." for number in range(6, 100))]
    run, result = debated(tmp_path, ["\n".join(long), "Short."], f"It has “{QUOTED}” [D1].")
    text = reports(gather(run, result))["report.md"]
    given = text[text.index("## Given documents") : text.index("## Calls and cost")]
    rows = re.findall(r"^ {4}([> ]) (\d+)  (.*)$", given, re.MULTILINE)
    assert [(mark, int(number)) for mark, number, _ in rows] == [(" ", 1), (">", 2), (" ", 3), (" ", 4), (" ", 1)]
    assert rows[1][2] == HOSTILE[1] and rows[4][2] == "Short."
    assert "Lines 5 to 99: left out here." in given
    apart = [line for line in given.splitlines() if not line.startswith("    ")]
    assert not any("<script" in line or "javascript" in line for line in apart)


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"“{number}” <&> is a line of this length." for number in range(20_000)),
        "one <line> & no more " * 40_000,
    ],
    ids=["many lines", "one line"],
)
def test_of_a_long_document_the_page_has_the_passages_that_are_quoted(text: str) -> None:
    start = len(text) // 2
    block = Document("D1", "Long", "", text, [Words(start, start + 100, [7])], whole=False)
    for page in (lines(block), markdown([block])):
        assert len(page) < 10_000
        assert "left out" in page or "characters …" in page
    assert Elements(lines(block)).hrefs == ["#e7"]


def test_lines_that_nobody_cites_are_folded_and_no_text_is_cut() -> None:
    text = "\n".join(f"Line {number}." for number in range(1, 101))
    at = text.index("Line 50.")
    overlapping = [Words(at, at + 20, [3]), Words(at + 5, at + 12, [4]), Words(at, at + 20, [5])]
    page = lines(Document("D2", "Plain", "", text, overlapping))
    found = Elements(page)
    assert found.ids == [f"D2-L{number}" for number in range(1, 101)]
    assert found.names.count("details") == 2 and "Lines 1 to 47" in found.text
    assert all(f"Line {number}." in found.text for number in range(1, 101))
    assert found.names.count("mark") == 3, "a quotation that goes on in other lines is marked in each"
    assert found.hrefs == ["#e3", "#e4", "#e5"]
