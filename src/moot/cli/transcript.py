"""`moot show`: the log of a debate, or what an agent saw of it. Untrusted text is shown, never obeyed."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click
from rich.console import Console, RenderableType
from rich.constrain import Constrain
from rich.text import Text

import moot
from moot.cli.answers import print_questions
from moot.cli.blocks import rendered
from moot.cli.entry_text import TRENDS, Teller
from moot.cli.summary import print_verdict
from moot.cli.wording import WIDEST, show
from moot.engine.outcome.questions import Answer
from moot.present import Line, Summary
from moot.text import one_line, printable


def print_entries(entries: Sequence[moot.Entry], verdict: Summary | None, questions: Sequence[Answer] = ()) -> None:
    """Print entries with their figures, under what the debate came to and what was asked about it."""
    teller = Teller()
    with _paged() as console:
        if verdict is not None:
            print_verdict(verdict, console)
        print_questions(questions, console)
        for entry in entries:
            line = teller.line(entry)
            private = "" if entry.to == "all" else "  (private)"
            mark = "  (from outside)" if entry.outside else ""
            heading = Text.assemble(f"{entry.seq}  ", (one_line(entry.speaker), teller.cast.style_of(entry.speaker)))
            heading.append(f" · {one_line(entry.type)}").append_text(_figure(line, teller)).append(private + mark)
            heading.stylize("bold")
            _print(heading, console)
            _print(Text(printable(entry.content), "dim" if private else ""), console)
            for part in rendered(line.body, {}):
                show(console, part)
            show(console, Text())


def print_messages(messages: Sequence[moot.Message], agent: str) -> None:
    with _paged() as console:
        if not messages:
            _print(Text(printable(f"{agent} had not been sent anything yet.")), console)
        for message in messages:
            _print(Text(f"── {message.role} ──", style="bold"), console)
            _print(Text(printable(message.content)), console)
            show(console, Text())


def _figure(line: Line, teller: Teller) -> Text:
    """The figure or verdict of an entry, and whose it is."""
    if not line.badge or line.kind not in ("mark", "verdict"):
        return Text()
    whose = teller.cast.name(line.about).append(" ") if line.about else Text()
    return Text(" · ").append_text(whose).append(one_line(line.badge)).append(*TRENDS[line.trend])


def _print(text: Text, console: Console) -> None:
    """Print a text. In a terminal it is wrapped at words; a file has it as it was written."""
    whole: RenderableType = Constrain(text, WIDEST) if console.is_terminal else text
    show(console, whole, soft_wrap=not console.is_terminal)


@contextmanager
def _paged() -> Iterator[Console]:
    """A console whose output goes through a pager, if a person reads it and it is longer than the screen."""
    console = Console()
    if not (console.is_terminal and sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        yield console
        return
    with console.capture() as captured:
        yield console
    text = captured.get()
    if text.count("\n") < console.height:
        click.echo(text, nl=False)
    else:
        click.echo_via_pager(text)  # it sees to it that less takes colours
