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


def kind(body: bytes, content_type: str = "text/html") -> str | None:
    """The kind of problem with a body, None if it can be read."""
    found = readable(body, content_type)
    return found.kind if isinstance(found, Problem) else None


def shown(body: str, content_type: str = "text/html") -> str:
    found = readable(body.encode(), content_type)
    assert isinstance(found, Text)
    return found.text


def test_a_pdf_of_too_many_pages() -> None:
    writer = pypdf.PdfWriter()
    for _ in range(501):
        writer.add_blank_page(100, 100)
    assert kind(written(writer), "application/pdf") == "huge"


def test_a_pdf_with_a_password() -> None:
    writer = pypdf.PdfWriter(clone_from=pypdf.PdfReader(io.BytesIO(pdf("secret words"))))
    writer.encrypt("password", algorithm="RC4-128")
    assert kind(written(writer), "application/pdf") == "unreadable"


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
    assert shown(large).count("some") == 2_000
    assert kind(b"<html><body>" + b"<br>" * 300_001 + b"words</body></html>") == "huge"


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
    assert shown(page).strip("| ") == "words"


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
    assert (kind(page.format(many).encode()), kind(page.format(some).encode())) == ("huge", None)


def test_a_long_script_is_no_tag() -> None:
    script = "for (let i = 0; i <n && a < b; i++) { f(i) } /* some words of a comment > */ " * 500
    assert shown(f"<p>words</p><script>{script}</script><p>words")


def test_text_of_too_many_characters() -> None:
    assert kind(b"word " * 200_001, "text/plain") == "huge"


def test_untidy_text() -> None:
    assert tidy("a \t\r\n\r\n\n\n\nb\u202ec\ud800 \n") == "a\n\nb\ufffdc\ufffd"


def test_a_meta_tag_that_cannot_be_right() -> None:
    assert decode("é <meta charset=utf-16>".encode(), html=True).startswith("é")


def test_long_runs_of_nothing_take_no_time() -> None:
    """Each of these is quadratic for a careless pattern, and would not end."""
    for body in (" " * 900_000 + "x", "# " + " " * 900_000 + "x", "# x" + "# " * 450_000 + "x", "\n" * 900_000 + "x"):
        assert shown(body, "text/markdown").endswith("x")


def test_reading_says_nothing_on_the_terminal() -> None:
    """In a process of its own: here pytest listens to what libraries log."""
    read = "from moot.evidence.pages import readable\nprint(readable(b'%PDF-1.4\\nstartxref\\n9', '').kind)\n"
    read += "print(readable(b'<html></html>', 'text/html').kind)"
    done = subprocess.run([sys.executable, "-c", read], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("unreadable\nunreadable\n", "")


WORDS = "Nine out of ten doctors take a tram to work every day."
AROUND = "<p>" + "Buses in the old town run on time since the streets were closed. " * 5 + "</p>"


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
    text = shown(f"<html><body><article>{AROUND}{hidden.format(WORDS)} and a tail{AROUND}</article></body></html>")
    assert "Buses in the old town" in text
    assert "doctors" not in text


@pytest.mark.parametrize(
    "visible",
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
def test_what_only_looks_hidden_is_shown(visible: str) -> None:
    body = f"<html><body><article>{AROUND}{visible.format(WORDS)}{AROUND}</article></body></html>"
    assert WORDS in shown(body)
