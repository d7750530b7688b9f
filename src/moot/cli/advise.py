"""The command that says which protocol fits a question, and what each would cost."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

import moot
from moot.cli.hints import command
from moot.cli.options import JSON, MODEL_OPTIONS, print_json, settings_of, stdin_text, with_options
from moot.cli.subjects import read_text
from moot.engine.advice import KINDS, advise
from moot.engine.registry import get_protocol
from moot.text import printable
from moot.text.figures import dollars
from moot.text.prose import plural


@click.command("advise")
@click.argument("question")
@click.option("--rules", is_flag=True, help="Print all rules, too.")
@with_options(MODEL_OPTIONS)
@JSON
def advise_(question: str, rules: bool, as_json: bool, **settings: Any) -> int:
    """Say which way of debating fits a question, and what it would cost.

    By rules about the form of the question; no model is asked, and nothing is spent. QUESTION is a text, the name of a
    text file, or `-` for standard input.
    """
    file = Path(question) if len(question) < 200 and "\n" not in question else None
    document = file is not None and file.is_file()
    text = read_text(file) if document and file else stdin_text("question") if question == "-" else question
    if not text.strip():
        raise moot.ConfigError("the question is empty")
    found = advise(text, document=document)
    rows = _rows(found.protocols, text, settings_of(**settings))
    if as_json:
        kind = {name: getattr(found.kind, name) for name in ("name", "about", "reason", "rule")}
        print_json({"kind": {**kind, "unread": found.unread}, "protocols": rows})
        return 0
    click.echo(f"This looks like {found.kind.about}: {found.kind.reason}.")
    if found.unread:
        click.echo("The rules read English words; of this question only the form was looked at.")
    _print(rows, question)
    if rules:
        click.echo("\nThe rules, of which the first that applies decides:")
        for number, one in enumerate(KINDS, 1):
            click.echo(f"{number}. {one.about}: {one.rule}")
    return 0


def _rows(names: Sequence[str], question: str, settings: dict[str, Any]) -> list[dict[str, Any]]:
    """What each protocol would cost, without those that cannot be asked this: some want a claim."""
    rows, refused = list[dict[str, Any]](), list[moot.ConfigError]()
    for name in names:
        try:
            rows.append(_row(name, question, settings))
        except moot.ConfigError as error:
            refused.append(error)
    if not rows and refused:
        raise refused[0]
    return rows


def _row(name: str, question: str, settings: dict[str, Any]) -> dict[str, Any]:
    protocol = get_protocol(name)
    plan = asyncio.run(moot.plan(moot.configure(name, **{protocol.subject.key: question}, **settings)))
    tokens = plan.typical.input + plan.typical.output
    return {
        "protocol": name,
        "gives": protocol.gives or protocol.about,
        "calls": plan.calls,
        "longest_chain": plan.longest_chain,
        "tokens": tokens,
        "cost": plan.typical.cost,
    }


def _print(rows: list[dict[str, Any]], question: str) -> None:
    from rich.console import Console
    from rich.text import Text

    from moot.cli.wording import hanging, say, show

    console = Console()
    indent = max((len(row["protocol"]) for row in rows), default=0) + 2
    for row in rows:
        figures = f"{plural(row['calls'], 'call')}, {row['longest_chain']} in a row · {row['tokens']:,} tokens"
        show(console, Text())
        name = Text(row["protocol"].ljust(indent), "bold")
        show(console, hanging(name, Text(printable(row["gives"]))))
        show(console, hanging(" " * indent, Text(f"{figures} · {dollars(row['cost'])}", "dim")))
    show(console, Text())
    if rows:
        say(console, f"Try it: {command(rows[0]['protocol'], question)}")
