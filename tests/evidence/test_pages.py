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
    large = "<html><head><title>t</title></head><body>" + "<p>some <b>words</b></p>" * 2_000 + "</body></html>"
    found = readable(large.encode(), "text/html")
    assert isinstance(found, Text)
    assert found.text.count("some") == 2_000
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


@pytest.mark.parametrize(
    "attribute", ["a{}", "a{}=1", 'a{}="<p>"', "a{} = '\"'", '"{}', "/a{}", "a{}=<p"], ids=lambda one: one
)
def test_html_with_very_many_attributes(attribute: str) -> None:
    """A parser compares each with all others."""
    page = "<p>words</p><p {}>more</p><p>words"
    many, some = (" ".join(attribute.format(number) for number in range(count)) for count in (50_000, 900))
    found = readable(page.format(many).encode(), "text/html")
    assert isinstance(found, Problem) and found.kind == "huge"
    assert isinstance(readable(page.format(some).encode(), "text/html"), Text)


def test_a_long_script_is_no_tag() -> None:
    script = "for (let i = 0; i <n && a < b; i++) { f(i) } /* some words of a comment > */ " * 500
    found = readable(f"<p>words</p><script>{script}</script><p>words".encode(), "text/html")
    assert isinstance(found, Text)


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


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>{}</p>",
        '<p style="display: none">{}</p>',
        '<p style="Visibility:Hidden">{}</p>',
        '<p style="font-size:0px">{}</p>',
        '<p style="opacity: 0;">{}</p>',
        '<div style="position:absolute; left:-9999px"><p>{}</p></div>',
        '<div style="height:0;overflow:hidden">{}</div>',
        '<p class="note sr">{}</p><style>.sr, .x {{ display:none !important }}</style>',
        '<p id="secret">{}</p><style>/* c */ #secret{{color: transparent}}</style>',
        '<p style="clip: rect(1px, 1px, 1px, 1px); position: absolute">{}</p>',
        '<p style="position:absolute; left:-999em">{}</p>',
        '<p style="transform: translateX(-9999px)">{}</p>',
        '<p style="font-size: 1px">{}</p>',
        '<p style="color: #fff; background: white">{}</p>',
        '<p style="color: rgba(0, 0, 0, 0)">{}</p>',
        '<p style="filter: opacity(0)">{}</p>',
        '<p style="display: /* so */ none">{}</p>',
        '<span style="position:absolute; width:1px; height:1px; overflow:hidden">{}</span>',
        '<style>.a .b {{ display: none }}</style><div class="a"><p class="b">{}</p></div>',
        '<style>div > p.x {{ display: none }}</style><div><p class="x">{}</p></div>',
        '<style>.a.b {{ display: none }}</style><p class="b a">{}</p>',
        "<style>[data-x] {{ display: none }}</style><p data-x>{}</p>",
        '<style>@media screen {{ .s {{ display: none }} }}</style><p class="s">{}</p>',
        "<noscript><p>{}</p></noscript>",
        "<template><p>{}</p></template>",
        "<!-- {} -->",
        "<script>let text = '{}';</script>",
    ],
)
def test_what_a_page_does_not_show_is_not_its_text(hidden: str) -> None:
    secret = "Nine out of ten doctors drive a tram to work every day."
    shown = "Buses in the old town run on time since the streets were closed. " * 5
    body = (
        f"<html><body><article><p>{shown}</p>{hidden.format(secret)} and a tail<p>{shown}</p></article></body></html>"
    )
    found = readable(body.encode(), "text/html")
    assert isinstance(found, Text)
    assert "Buses in the old town" in found.text
    assert "doctors" not in found.text


@pytest.mark.parametrize(
    "shown",
    [
        '<style>@media print {{ .n {{ display: none }} }}</style><p class="n">{}</p>',
        '<style>.x {{ display: none }} .x {{ display: block }}</style><p class="x">{}</p>',
        '<style>.a .b {{ display: none }}</style><p class="b">{}</p>',
        '<style>.m:hover {{ display: none }}</style><p class="m">{}</p>',
        '<p style="overflow: hidden; height: 0; height: auto">{}</p>',
        '<p style="min-width: 0; border-width: 0; overflow: hidden">{}</p>',
        '<p style="color: #000; background: #fff; margin-left: -10px">{}</p>',
        "<details><summary>More</summary><p>{}</p></details>",
    ],
)
def test_what_only_looks_hidden_is_shown(shown: str) -> None:
    words = "Nine out of ten doctors take a tram to work every day."
    around = "<p>" + "Buses in the old town run on time since the streets were closed. " * 5 + "</p>"
    body = f"<html><body><article>{around}{shown.format(words)}{around}</article></body></html>"
    found = readable(body.encode(), "text/html")
    assert isinstance(found, Text)
    assert words in found.text
