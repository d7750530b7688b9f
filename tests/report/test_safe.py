"""Plain text is not parsed, and must look as if it were."""

import random

import pytest

from moot.report import safe

PIECES = [
    *(
        "word",
        "É",
        "我",
        "ª",
        "٣",
        " ",
        "  ",
        "\t",
        "\N{NO-BREAK SPACE}",
        "\N{ZERO WIDTH SPACE}",
        *("\n" * n for n in (1, 2, 3)),
    ),
    *(".", "1.", "1)", "-", "+", "=", "---", "===", "#", ">", "!", "(", ")", ":", "//", "http://a.b", "www.a.b"),
    "a@b.c",
    *("'", "’", '"', "~", "~~~", "|", "{", "}", "^", "$", "%", "&amp;", "<b>", "*", "_", "`", "[", "]", "\\"),
]


def test_plain_paragraphs_are_shown_as_the_parser_would_show_them(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = random.Random(7)
    texts = ["".join(drawn.choices(PIECES[: drawn.choice([13, 30, 60])], k=drawn.randint(0, 9))) for _ in range(4000)]
    shown = [safe.prose(text) for text in texts]
    unparsed = []
    find = safe._unmarked
    monkeypatch.setattr(safe, "_unmarked", lambda text: unparsed.append(find(text)))
    for text, found in zip(texts, shown, strict=True):
        assert found == safe.prose(text), text
    assert sum(one is not None for one in unparsed) > 300, "many of them are plain"


@pytest.mark.parametrize("text", ["one *word*", "a <b>", "a & b", '"so"', "1. first", "- one", "> one", "# one", "`a`"])
def test_text_with_signs_is_parsed(text: str) -> None:
    assert safe._unmarked(text) is None
