"""What the report of every protocol has: the frame, what each agent saw, calls and cost, failures, the receipt.

Knows the files of a run but no protocol. Templates escape by themselves whatever is not marked as safe.
"""

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2 import BaseLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from moot.entry import Entry
from moot.errors import ReplayDivergence
from moot.journal import Record, conversations
from moot.models.base import Message
from moot.payloads import Header
from moot.report import safe
from moot.result import Result, Spent, cast_names, part_of, spent_on
from moot.runs import Run
from moot.text import printable

LONGEST_TITLE, LONGEST_PREMISE = 200, 500
"""Characters. Both may be much longer, and then stand below in full: the verdict is not to be pushed off the page."""
COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")
"""The colours that the page has readable shades of; every other one is shown as `neutral`."""


@dataclass(frozen=True, slots=True)
class Material:
    """What a report is made of: the files of one run, read once. `names` are the agents' by their parts; `entries` and
    what `shown` makes of the text of a call, by its key, are what readers may see."""

    name: str
    topic: str
    origin: Mapping[str, Any] | None
    result: Result
    entries: list[Entry]
    records: list[Record]
    header: Header | None
    names: dict[str, str]
    shown: Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class Table:
    """The first `texts` columns hold words, the others figures. `total` sets the last row apart."""

    columns: list[str]
    rows: list[list[str]]
    texts: int = 1
    total: bool = False


@dataclass(frozen=True, slots=True)
class Exchange:
    """One call as its agent saw it: so many messages as before, these new ones, and what it replied."""

    key: str
    model: str
    earlier: int
    sent: list[Message]
    reply: str


@dataclass(frozen=True, slots=True)
class Seen:
    agent: str
    exchanges: list[Exchange]


def gather(run: Run, result: Result) -> Material:
    protocol, standing = run.config.protocol, run.entries()
    entries = protocol.readable(standing)
    header = next((entry.data for entry in entries if isinstance(entry.data, Header)), None)
    topic = header.topic if header else getattr(run.config.debate, "topic", run.config.protocol.name)
    return Material(
        name=run.name,
        topic=topic,
        origin=run.config.origin,
        result=result,
        entries=entries,
        records=run.records(),
        header=header,
        names=cast_names(entries),
        shown=protocol.shown(standing),
    )


def render(template: str, material: Material, sections: Mapping[str, object]) -> str:
    """The template, filled with what every report shows and with the protocol's own `sections`."""
    html = template.endswith(".html.jinja")
    page = _environment(html=html).get_template(template)
    seen = what_each_agent_saw(material) if html else None
    text = page.render(**of_every_report(material), **sections, seen=seen)
    return text if html else re.sub(r"\n{3,}", "\n\n", text)


def of_every_report(material: Material) -> dict[str, object]:
    """What the templates show whatever the protocol is, but for what each agent saw."""
    name, header = shlex.quote(material.name), material.header
    return {
        "run": material,
        "result": material.result,
        "title": clip(safe.one_line(material.topic), LONGEST_TITLE),
        "premise": clip(safe.one_line(header.premise), LONGEST_PREMISE) if header and header.premise else None,
        "agents": cost_by_agent(material.result),
        "calls": cost_by_call(material),
        "command": {verb: f"moot {verb} {name}" for verb in ("resume", "verify", "replay")},
    }


def what_each_agent_saw(material: Material) -> tuple[list[Seen], str | None]:
    """Every call by agent, in the order of the cast; and why it ends early where the journal does not add up.

    A part that is played more than once, each time without memory of the time before, is one agent here: the keys tell
    the times apart.
    """
    by_agent: dict[str, list[Exchange]] = {part: [] for part in material.names}
    fault = None
    try:
        for record, request in conversations(material.records):
            sent = record.sent or []
            earlier, reply = len(request) - len(sent), material.shown(record.key, record.reply or "")
            sent = [Message(one.role, material.shown("", one.content)) for one in sent]
            exchange = Exchange(_numbered(record), record.model or "", earlier, sent, reply)
            by_agent.setdefault(part_of(record.agent), []).append(exchange)
    except ReplayDivergence as error:
        fault = str(error)
    return [Seen(material.names.get(part, part), exchanges) for part, exchanges in by_agent.items()], fault


def cost_by_agent(result: Result) -> Table:
    rows = [_spent(name, spent) for name, spent in result.spent_by.items()]
    columns = ["Agent", "Calls", "Tokens in", "Cached", "Out", "Cost"]
    return Table(columns, [*rows, _spent("All", result.spent)], total=True)


def cost_by_call(material: Material) -> Table:
    """One row for each reply that was asked for, with the attempts it took and what they cost together. A fork has not
    paid for those it inherited."""
    inherited = (material.origin or {}).get("records", 0)
    attempts: dict[str, list[Record]] = {}
    for number, record in enumerate(material.records, 1):
        if record.kind != "fact":
            key = _numbered(record) + (" (inherited)" if number <= inherited else "")
            attempts.setdefault(key, []).append(record)
    columns = ["Call", "Model", "Tokens in", "Cached", "Out", "Cost", "Seconds", "Attempts"]
    return Table(columns, [_call(key, records) for key, records in attempts.items()], texts=2)


def colour_class(colour: str) -> str:
    return f"c-{colour if colour in COLOURS else 'neutral'}"


def clip(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"


def minutes(seconds: float) -> str:
    """A time span in words, no more exact than is of use."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    return f"{whole // 60} min {whole % 60} s"


def _numbered(record: Record) -> str:
    """The key of a call, with its number where an answer had to be asked for again."""
    return record.key if record.attempt == 1 else f"{record.key} #{record.attempt}"


def _call(key: str, records: list[Record]) -> list[str]:
    reply = next((record for record in records if record.kind == "reply"), None)
    model = (reply or records[-1]).model or ""
    told = any(record.usage for record in records)
    paid = _figures(spent_on(records)) if told else ["unknown" if reply else ""] * 4
    return [key, model, *paid, f"{reply.seconds:.1f}" if reply else "no reply", f"{len(records)}"]


def _spent(name: str, spent: Spent) -> list[str]:
    return [name, _count(spent.calls), *_figures(spent)]


def _figures(spent: Spent) -> list[str]:
    return [_count(spent.input), _count(spent.cached), _count(spent.output), dollars(spent.cost)]


def _count(number: int | None) -> str:
    return "unknown" if number is None else f"{number:,}"


def dollars(cost: float | None) -> str:
    if cost is None:
        return "unknown"
    return f"${cost:.4f}" if cost >= 0.01 else f"${cost:.6f}" if cost else "$0"


@cache
def _environment(*, html: bool) -> Environment:
    return environment_of(PackageLoader("moot", "report"), html=html)


def environment_of(loader: BaseLoader, *, html: bool) -> Environment:
    """Templates in which everything is text unless marked otherwise: HTML is escaped as HTML, Markdown as Markdown."""
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable if html else _inert,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "prose": safe.prose,
        "quote": safe.quote,
        "one_line": safe.one_line,
        "colour": colour_class,
        "minutes": minutes,
        "code": _code,
        "table": markdown_table,
    }
    return environment


def _printable(value: object) -> object:
    return value if isinstance(value, Markup) else printable(str(value))


def _inert(value: object) -> Markup:
    return value if isinstance(value, Markup) else safe.inline(value)


def _code(line: str) -> Markup:
    """A line of an indented code block, where Markdown reads nothing but the end of the line."""
    return Markup(printable(line).replace("\n", " "))  # noqa: S704


def markdown_table(table: Table) -> Markup:
    """The table with its columns aligned, so that it reads well unrendered too."""
    rows = [[str(safe.inline(cell)) for cell in row] for row in (table.columns, *table.rows)]
    widths = [max(3, *(len(row[i]) for row in rows)) for i in range(len(table.columns))]
    rule = [("-" * width if i < table.texts else "-" * (width - 1) + ":") for i, width in enumerate(widths)]
    rows.insert(1, rule)
    padded = [
        [
            cell.ljust(width) if i < table.texts else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        for row in rows
    ]
    return Markup("\n".join(f"| {' | '.join(row)} |" for row in padded))  # noqa: S704 (made of cells escaped just now)
