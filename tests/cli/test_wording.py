"""Lines on a terminal: they break between words, and not inside what is there to be copied."""

import io

import click
import pytest
from rich.console import Console
from rich.style import Style
from rich.text import Text

from moot.cli.layout import Piece, laid_out
from moot.cli.main import COMMANDS, cli
from moot.cli.wording import at_words, say
from moot.engine.define.shipped import OFFERED


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Set --role judge=openai/gpt-5 or -m.", ["Set --role", "judge=openai/gpt-5 or", "-m."]),
        ("It is here. `moot list` shows it.", ["It is here.", "`moot list` shows it."]),
        ("To continue: moot resume debates/x -m a/b", ["To continue:", "moot resume debates/x -m a/b"]),
        ("Try: python -m moot duel 'a b c'", ["Try:", "python -m moot duel 'a b c'"]),
        ("One.\nTwo.", ["One.", "Two."]),
        ("Say which:\n  the one with a long name", ["Say which:", "  the one with a long", "  name"]),
        ("城市应该禁止私家车 进入市中心", ["城市应该禁止私家车", "进入市中心"]),
        ("unbreakable" * 3, ["unbreakable" * 3]),
        (f"moot: {'unbreakable' * 3} is here", [f"moot: {'unbreakable' * 3}", "is here"]),
        ("", [""]),
    ],
)
def test_lines_break_between_words(text: str, lines: list[str]) -> None:
    assert at_words(text, 22) == "\n".join(lines)


def test_a_file_has_a_sentence_in_one_line() -> None:
    words = "word " * 40
    screen = io.StringIO()
    say(Console(file=screen, width=30), words)
    assert screen.getvalue() == f"{words.rstrip()}\n"
    say(Console(file=(seen := io.StringIO()), width=30, force_terminal=True, color_system=None), words)
    assert max(map(len, seen.getvalue().splitlines())) <= 30


def drawn(*parts: object) -> list[str]:
    console = Console(file=(screen := io.StringIO()), width=40)
    for part in parts:
        console.print(part)
    return [line.rstrip() for line in screen.getvalue().splitlines()]


def test_a_heading_that_is_too_long_is_not_cut() -> None:
    short, long = "Ada · turn 1", "Ada · round 2 · claim A9, undercutting the step to A1"
    for label, first in ((short, f"{short} {'─' * 27}"), (long, "Ada · round 2 · claim A9, undercutting")):
        assert drawn(laid_out(Piece("speech", Text(label), Text("It is so."), Style())))[0] == first
    assert "the step to A1" in drawn(laid_out(Piece("speech", Text(long), Text("So."), Style())))


@pytest.mark.parametrize("name", [*OFFERED, *COMMANDS])
def test_help_breaks_no_line_at_a_hyphen(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    for width in (44, 72, 100):
        shown = command.get_help(click.Context(command, info_name=name, terminal_width=width, **cli.context_settings))
        assert [line for line in shown.splitlines() if line[-1:] == "-" and line[-2:] != " -"] == []
        assert "\N{NON-BREAKING HYPHEN}" not in shown
