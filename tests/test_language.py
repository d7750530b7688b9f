"""Our own sentences read like plain English: docs and help avoid turns of phrase that readers have to turn round."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from moot.cli.main import cli

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
BETTER = {
    r"\bso (many|often)\b": "the number, or its name: “N times”",
    r", at most\b": "“up to N”, in front",
    r"\b(any|every|no|some)body\b": "the role: a reader, an agent, the judge; or “anyone”, “no one”",
    r"\band is none\b": "“is not a …”",
    r"\b(goes|going|go) on\b|\btake(s|n)? up\b(?! (to|the other))": "continue",
    r"\b(mend(s|ed|ing)?|anew)\b": "fix; again, or a verb with re-",
    r"\b(it|that|which|what) stands\b|\bstands (in|there|below|above)\b": "is",
    r"\bunder way\b": "running, or in progress",
    r"\bways? of debating\b": "protocol",
    r"\bshipped\b": "built-in",
}
"""Phrases, and what to write in their place."""


def faults(text: str) -> list[str]:
    plain = CODE.sub("", text)
    return [
        f"“{plain[max(0, one.start() - 30) : one.end() + 20]}”: {better}"
        for phrase, better in BETTER.items()
        for one in re.finditer(phrase, plain, re.IGNORECASE)
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_reads_like_plain_english(page: Path) -> None:
    assert faults(page.read_text("utf-8")) == []


def helps(command: click.Command = cli, name: str = "moot") -> Iterator[tuple[str, str]]:
    """The help of every command and option, with its place."""
    yield name, command.help or ""
    yield from ((f"{name} {one.opts[0]}", one.help or "") for one in command.params if isinstance(one, click.Option))
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=name)
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None
            yield from helps(found, f"{name} {inner}")


HELPS = dict(helps())


def test_help_reads_like_plain_english() -> None:
    assert {place: found for place, text in HELPS.items() if (found := faults(text))} == {}


def test_help_is_a_sentence() -> None:
    """A capital letter, unless the first word is a value or a name, and a full stop before the default."""
    sentence = re.compile(r"([A-Z0-9-]|moot\b|[\w.]+[,:] ).*[.:…](  \[default: [^\]]+\])?( Repeatable\.)?", re.DOTALL)
    assert [f"{place}: {text}" for place, text in HELPS.items() if not sentence.fullmatch(text.strip())] == []
