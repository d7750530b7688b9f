"""Bodies that are odd, broken or made to be slow."""

import io
import subprocess
import sys

import pypdf
import pytest

from moot.evidence.pages import Problem, Text, decode, readable, tidy
from tests.kit.pages import pdf


def written(writer: pypdf.PdfWriter) -> bytes:
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_a_pdf_of_too_many_pages() -> None:
    writer = pypdf.PdfWriter()
    for _ in range(501):
        writer.add_blank_page(100, 100)
    found = readable(written(writer), "application/pdf")
    assert isinstance(found, Problem)
    assert found.kind == "huge"


def test_a_pdf_that_takes_too_long() -> None:
    found = readable(pdf("words"), "application/pdf", seconds=-1)
    assert isinstance(found, Problem)
    assert found.kind == "slow"


def test_a_pdf_with_a_password() -> None:
    writer = pypdf.PdfWriter(clone_from=pypdf.PdfReader(io.BytesIO(pdf("secret words"))))
    writer.encrypt("password", algorithm="RC4-128")
    found = readable(written(writer), "application/pdf")
    assert isinstance(found, Problem)
    assert found.kind == "unreadable"


def test_a_pdf_has_a_title() -> None:
    writer = pypdf.PdfWriter(clone_from=pypdf.PdfReader(io.BytesIO(pdf("some words"))))
    writer.add_metadata({"/Title": "On  words"})
    assert readable(written(writer), "application/pdf") == Text("On words", "some words")


@pytest.mark.parametrize("cut", range(20, 700, 60))
def test_a_pdf_that_breaks_off(cut: int) -> None:
    found = readable(pdf("some words")[:cut], "application/pdf")
    assert isinstance(found, Problem) or found.text == "some words"


def test_html_of_very_many_elements() -> None:
    large = "<html><head><title>t</title></head><body>" + "<p>some <b>words</b></p>" * 20_000 + "</body></html>"
    found = readable(large.encode(), "text/html")
    assert isinstance(found, Text)
    assert found.text.count("some") == 20_000
    huge = "<html><body>" + "<br>" * 300_001 + "words</body></html>"
    refused = readable(huge.encode(), "text/html")
    assert isinstance(refused, Problem)
    assert refused.kind == "huge"


@pytest.mark.parametrize(
    "page",
    [
        "<div>" * 200 + "words",
        "<p>words",
        "<!doctype html><title>t</title><p>words",
        "\n<div>words</div>",
        "words",
        "<?xml version='1.0' encoding='utf-8'?><html><body><p>words</p></body></html>",
        "<html><body><p>words</p>" + "</p>" * 1000,
        "<html><body><table><tr><td>words</td></tr></table></body></html>",
    ],
)
def test_odd_html(page: str) -> None:
    found = readable(page.encode(), "text/html")
    assert isinstance(found, Text)
    assert found.text.strip("| ") == "words"


def test_html_nested_beyond_measure() -> None:
    found = readable(b"<div>" * 100_000 + b"words", "text/html")
    assert isinstance(found, Problem) or found.text == "words"


def test_text_of_too_many_characters() -> None:
    found = readable(b"word " * 200_001, "text/plain")
    assert isinstance(found, Problem)
    assert found.kind == "huge"


def test_untidy_text() -> None:
    assert tidy("a \t\r\n\r\n\n\n\nb\u202ec\ud800 \n") == "a\n\nb\ufffdc\ufffd"


def test_a_meta_tag_that_cannot_be_right() -> None:
    assert decode("é <meta charset=utf-16>".encode(), html=True).startswith("é")


def test_long_runs_of_nothing_take_no_time() -> None:
    """Each of these is quadratic for a careless pattern, and would not end."""
    for body in (" " * 900_000 + "x", "# " + " " * 900_000 + "x", "# x" + "# " * 450_000 + "x", "\n" * 900_000 + "x"):
        found = readable(body.encode(), "text/markdown")
        assert isinstance(found, Text)
        assert found.text.endswith("x")


def test_reading_says_nothing_on_the_terminal() -> None:
    """In a process of its own: here pytest listens to what libraries log."""
    read = "from moot.evidence.pages import readable\nprint(readable(b'%PDF-1.4\\nstartxref\\n9', '').kind)\n"
    read += "print(readable(b'<html></html>', 'text/html').kind)"
    done = subprocess.run([sys.executable, "-c", read], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("unreadable\nunreadable\n", "")
