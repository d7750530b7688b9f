"""Closed packs: what may be in them, how they are searched, and what is said of bad ones."""

import json
from pathlib import Path

import pytest

from moot.errors import ConfigError
from moot.evidence import Corpus, Unfetched, find_quote, relevant, shipped_packs
from moot.evidence.pages import sha256
from moot.evidence.ranking import words
from tests.kit.pages import pdf


def line(url: str, text: str = "words", title: str = "Title") -> str:
    return json.dumps({"url": url, "title": title, "text": text}) + "\n"


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "streets"
    (folder / "more").mkdir(parents=True)
    (folder / "README.md").write_text("about the pack")
    (folder / ".hidden.md").write_text("hidden")
    (folder / "a.md").write_text(
        "---\nurl: https://Streets.example/A/\ntitle: 'Cars: a view'\nyear: 2020\n---\nCars fill streets."
    )
    (folder / "b.md").write_text("Text before.\n\n## Bicycles ##\n\nBicycles need little room on streets.")
    (folder / "c.txt").write_bytes("Trams are loud, naïvely built.".encode())
    (folder / "d.pdf").write_bytes(pdf("Ferries cross the river."))
    (folder / "e.jsonl").write_text(
        line("https://streets.example/e1", "Walking is free.") + "\n" + line("https://streets.example/e2")
    )
    (folder / "more" / "f g.md").write_text("# Buses\n\nBuses carry many.")
    (folder / "image.png").write_bytes(b"\x89PNG")
    (folder / "link.md").symlink_to("/etc/hostname")
    return folder


def test_a_pack_of_all_kinds(pack: Path) -> None:
    corpus = Corpus.load(pack)
    assert [(document.url, document.title) for document in corpus.documents] == [
        ("https://Streets.example/A/", "Cars: a view"),
        ("pack:streets/b.md", "Bicycles"),
        ("pack:streets/c.txt", "c"),
        ("pack:streets/d.pdf", "d"),
        ("https://streets.example/e1", "Title"),
        ("https://streets.example/e2", "Title"),
        ("pack:streets/more/f%20g.md", "Buses"),
    ]
    assert corpus.documents[0].text == "Cars fill streets."
    assert corpus.documents[3].text == "Ferries cross the river."
    assert corpus.ignored == ["image.png"]
    assert all(document.sha256 == sha256(document.text) for document in corpus.documents)


def test_a_document_is_found_by_any_spelling_of_its_url(pack: Path) -> None:
    corpus = Corpus.load(pack)
    for url in ("https://streets.example/A", "HTTPS://STREETS.EXAMPLE:443/A/#top"):
        assert corpus.get(url) is corpus.look_up(url) is corpus.documents[0]
    for url in ("https://streets.example/a", "https://streets.example/A/B", "", "http://streets.example/A"):
        assert corpus.get(url) is None
        missing = corpus.look_up(url)
        assert isinstance(missing, Unfetched)
        assert missing.kind == "absent"


def test_searching(pack: Path) -> None:
    corpus = Corpus.load(pack)
    found = corpus.search("Which bicycle needs room in the street?", 3)
    assert [passage.url for passage in found] == ["pack:streets/b.md", "https://Streets.example/A/"]
    assert found[0].score > found[1].score > 0
    document = corpus.get(found[0].url)
    assert document
    assert document.text[found[0].start :].startswith(found[0].text)
    assert corpus.search("Which bicycle needs room in the street?", 1) == found[:1]
    assert corpus.search("zebra", 3) == corpus.search("the of and", 3) == corpus.search("", 3) == []
    assert corpus.search("bicycles", 0) == []


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("x.jsonl", line("https://a.example/") + "{oops\n", "x.jsonl:2: not JSON"),
        ("x.jsonl", "[]\n", "x.jsonl:1: "),
        ("x.jsonl", '{"url": "https://a.example/", "title": "t"}', "x.jsonl:1: text: Field required"),
        ("x.jsonl", '{"url": "a b", "title": "t", "text": "x"}', "x.jsonl:1: url: "),
        ("x.jsonl", '{"url": 3, "title": "t", "text": "x"}', "x.jsonl:1: url: "),
        ("x.jsonl", "[" * 100_000, "x.jsonl:1: "),
        (
            "x.jsonl",
            line("https://a.example/") + "\n" + line("https://A.example"),
            "x.jsonl:3: https://A.example is in",
        ),
        ("x.jsonl", line("https://a.example/", " \u00a0 "), "x.jsonl:1: there is no text in it"),
        ("x.jsonl", "\n\n", "no Markdown, text, PDF or JSONL documents"),
        ("x.md", "---\nurl: x\n", "x.md:1: front matter without its closing"),
        ("x.md", "---\nurl: x\ntitle: [\n---\nwords", "x.md, front matter is not valid YAML: line "),
        ("x.md", "---\nurl: [1]\n---\nwords", "x.md:1: front matter: url: "),
        ("x.md", "---\n- a\n---\nwords", "x.md, front matter must be a mapping"),
        ("x.md", "---\na: " + "[" * 5000 + "\n---\nwords", "x.md, front matter is not valid YAML: "),
        ("x.md", "---\nurl: x\n---\n", "x.md: there is no text in it"),
        ("x.txt", "one\ntwo\0three", "x.txt:2: not text, but binary"),
        ("x.txt", "", "x.txt: there is no text in it"),
        ("x.txt", "x" * 1_000_001, "x.txt: a document may have 1,000,000 characters"),
        ("x.txt", "x" * (10 * 1024 * 1024 + 1), "x.txt: a file of a pack may have 10,485,760 bytes"),
        ("x.pdf", "no PDF", "x.pdf: a PDF that cannot be read"),
        ("x.png", "", "no Markdown, text, PDF or JSONL documents"),
    ],
)
def test_bad_packs_are_told_what_is_wrong_and_where(tmp_path: Path, name: str, content: str, words: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(ConfigError) as caught:
        Corpus.load(tmp_path)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("name", ["city-cars", "monolith-first"])
def test_shipped_packs_are_whole(name: str) -> None:
    folder = shipped_packs()[name]
    corpus = Corpus.load(folder)
    assert len(corpus.documents) == 12
    assert not corpus.ignored
    for document in corpus.documents:
        assert document.url.startswith(f"https://{name}.example/")
        assert 120 <= len(document.text.split()) <= 250, document.url
        assert document.title
        assert find_quote(document.text.split("\n\n")[-1], document.text)
    readme = (folder / "README.md").read_text("utf-8")
    assert "written for moot" in " ".join(readme.split())
    assert "MIT" in readme


def test_words_are_compared_in_one_form() -> None:
    assert words("The maxRetryCount of HTTPServers, 3 policies") == [
        "maxretrycount",
        "max",
        "retry",
        "count",
        "httpserver",
        "http",
        "server",
        "3",
        "policy",
    ]
    assert words("snake_case_name") == words("snakes cases naming")
    assert len(set(words("price prices priced pricing"))) == 1
    assert len(set(words("plan plans planned planning"))) == 1
    assert words("speed string need bring") == ["speed", "string", "need", "bring"]
    assert words("道路 ÉCOLE") == ["道", "路", "école"]


def test_what_to_show_of_a_long_page() -> None:
    text = "\n\n".join(f"{name} " * 150 for name in ("ferries", "trams", "buses", "bicycles"))
    assert [piece.text.split()[0] for piece in relevant(text, "bicycle or tram", 2)] == ["trams", "bicycles"]
    assert [piece.text.split()[0] for piece in relevant(text, "zebra", 2)] == ["ferries", "trams"]
    assert relevant("short", "zebra", 2)[0].text == "short"
