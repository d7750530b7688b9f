"""Lines on a terminal: they break between words, and not inside what is there to be copied."""

import io

import click
import pytest
from rich.console import Console

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


@pytest.mark.parametrize("name", [*OFFERED, *COMMANDS])
def test_help_breaks_no_line_at_a_hyphen(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    for width in (44, 72, 100):
        shown = command.get_help(click.Context(command, info_name=name, terminal_width=width, **cli.context_settings))
        assert [line for line in shown.splitlines() if line[-1:] == "-" and line[-2:] != " -"] == []
        assert "\N{NON-BREAKING HYPHEN}" not in shown
