"""The report of a run: the verdict, the protocol's sections, the transcript, the messages of each agent, calls and
cost, failures, the receipt.

It works for any protocol, because sections come as blocks. Templates escape everything that is not marked as safe.
"""

import base64
import hashlib
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import get_args

from jinja2 import BaseLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from moot.engine.define.plugin_option import plugin_option
from moot.engine.outcome.material import Material, transcript
from moot.engine.outcome.result import Result, spent_on
from moot.engine.outcome.stored import Spent
from moot.engine.play.agent import part_of
from moot.engine.sources.context import LISTED
from moot.errors import ReplayDivergence
from moot.models.base import Message
from moot.present import Place, Table
from moot.present.markdown import inline, line, quote, table
from moot.record.journal import SHARED, Record, conversations
from moot.report import bar_chart, safe, score_chart, spread_chart
from moot.report.markdown import markdown
from moot.text import clip, one_line, printable
from moot.text.figures import dollars
from moot.text.initials import initials, initials_of

LONGEST_TITLE, LONGEST_DETAIL = 200, 500
"""Characters. A longer title or detail is cut, and shown in full further down, so that the verdict stays at the top."""
COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")
"""Colours with readable shades on the page; any other is shown as `neutral`."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One call from the agent's view: how many messages it had already seen, the new ones, and its reply."""

    key: str
    model: str
    earlier: int
    sent: list[Message]
    reply: str


@dataclass(frozen=True, slots=True)
class Seen:
    agent: str
    exchanges: list[Exchange]


def render(form: str, material: Material, contents: Mapping[str, object]) -> str:
    """The report in that form, `html` or `md`."""
    page = _environment(html=form == "html").get_template(f"page.{form}.jinja")
    if form == "html":
        return page.render(**contents, seen=what_each_agent_saw(material))
    return re.sub(r"\n{3,}", "\n\n", page.render(**contents))


def contents(material: Material) -> dict[str, object]:
    """The content of a report, except for the messages of each agent."""
    header, plugin = material.header, plugin_option(material.result.protocol, public=True)
    sections = material.sections()
    return {
        "run": material,
        "result": material.result,
        "summary": material.result.summary,
        "title": clip(one_line(material.topic), LONGEST_TITLE),
        "details": {
            key: (clip(one_line(text), LONGEST_DETAIL), text)
            for key, text in (header.details.items() if header else ())
            if key != LISTED  # they have a section
        },
        **{place: [section for section in sections if section.place == place] for place in get_args(Place)},
        "transcript": transcript(material),
        "agents": cost_by_agent(material.result),
        "calls": cost_by_call(material),
        "command": {verb: shlex.join(["moot", *plugin, verb, material.name]) for verb in ("resume", "verify")},
    }


def what_each_agent_saw(material: Material) -> tuple[list[Seen], str | None]:
    """Every call by agent, in the order of the cast, and why the list ends early if the journal is inconsistent.

    A role that is played several times without memory counts as one agent; the keys distinguish the calls.
    """
    by_agent: dict[str, list[Exchange]] = {part: [] for part in material.names}
    shown_once = _once([record.value for record in material.records if record.key.startswith(SHARED)])
    fault = None
    try:
        for record, request in conversations(material.records):
            sent = record.sent or []
            earlier, reply = len(request) - len(sent), material.shown(record.key, record.reply or "")
            asked = {"user": f"{record.key}/asked"}
            sent = [Message(one.role, shown_once(material.shown(asked.get(one.role, ""), one.content))) for one in sent]
            exchange = Exchange(_call_label(record), record.model or "", earlier, sent, reply)
            by_agent.setdefault(part_of(record.agent), []).append(exchange)
    except ReplayDivergence as error:
        fault = str(error)
    return [Seen(material.names.get(part, part), exchanges) for part, exchanges in by_agent.items()], fault


def _once(beginnings: Sequence[str]) -> Callable[[str], str]:
    """A function that leaves out a long beginning of a message if an earlier message had it."""
    seen: set[str] = set()

    def shown(text: str) -> str:
        found = next((one for one in beginnings if text.startswith(one)), None)
        if found is None or found not in seen:
            seen.add(found or "")
            return text
        return "(Here stand the same documents as in the first request above.)\n\n" + text[len(found) :]

    return shown


def cost_by_agent(result: Result) -> Table:
    rows = [_spent(name, spent) for name, spent in result.spent_by.items()]
    columns = ["Agent", "Calls", "Tokens in", "Cached", "Out", "Cost"]
    return Table(columns, [*rows, _spent("All", result.spent)], total=True)


def cost_by_call(material: Material) -> Table:
    """One row for each reply, with its attempts and their total cost. A fork does not pay for the replies it
    inherited."""
    inherited = (material.origin or {}).get("records", 0)
    attempts: dict[str, list[Record]] = {}
    for number, record in enumerate(material.records, 1):
        if record.kind != "fact":
            key = _call_label(record) + (" (inherited)" if number <= inherited else "")
            attempts.setdefault(key, []).append(record)
    columns = ["Call", "Model", "Tokens in", "Cached", "Out", "Cost", "Seconds", "Attempts"]
    return Table(columns, [_call(key, records) for key, records in attempts.items()], texts=2)


def colour_class(colour: str) -> str:
    return f"c-{colour if colour in COLOURS else 'neutral'}"


def minutes(seconds: float) -> str:
    """A time span in words, as exact as is useful."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    total = round(seconds)
    return f"{total // 60} min {total % 60} s"


def _call_label(record: Record) -> str:
    """The key of a call, with its number if the answer was asked for again."""
    return record.key if record.attempt == 1 else f"{record.key} #{record.attempt}"


def _call(key: str, records: list[Record]) -> list[str]:
    reply = next((record for record in records if record.kind == "reply"), None)
    model = (reply or records[-1]).model or ""
    counted = any(record.usage for record in records)
    paid = _figures(spent_on(records)) if counted else ["unknown" if reply else ""] * 4
    return [key, model, *paid, f"{reply.seconds:.1f}" if reply else "no reply", f"{len(records)}"]


def _spent(name: str, spent: Spent) -> list[str]:
    return [name, _count(spent.calls), *_figures(spent)]


def _figures(spent: Spent) -> list[str]:
    return [_count(spent.input), _count(spent.cached), _count(spent.output), dollars(spent.cost)]


def _count(number: int | None) -> str:
    return "unknown" if number is None else f"{number:,}"


@cache
def _environment(*, html: bool) -> Environment:
    return environment_of(PackageLoader("moot", "report"), html=html)


def environment_of(loader: BaseLoader, *, html: bool) -> Environment:
    """Templates that escape everything by default: HTML as HTML, Markdown as Markdown."""
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable if html else _inert,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,  # otherwise it asks for every template in every report whether its file has changed
    )
    environment.filters |= {
        "prose": safe.prose,
        "linked": safe.linked,
        "lines": safe.lines,
        "quote": quote,
        "line": line,
        "one_line": one_line,
        "colour": colour_class,
        "initials": initials,
        "initials_of": initials_of,
        "minutes": minutes,
        "dollars": dollars,
        "code": _code,
        "figure": lambda score: f"{score:g}",
        "table": safe.table if html else table,
        "blocks": markdown,
        "drawing": _drawing,
        "score_layout": lambda block: score_chart.draw(block.lines, block.turns),
        "bar_layout": bar_chart.draw,
        "spread_layout": spread_chart.draw,
    }
    environment.globals |= {"replay_script": Markup(replay_script()), "replay_source": Markup(replay_source())}  # noqa: S704
    return environment


@cache
def replay_script() -> str:
    """The script that plays a debate back."""
    return (files("moot.report") / "replay.js").read_text("utf-8")


def replay_source() -> str:
    """That script, and no other, for a content security policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(replay_script().encode()).digest()).decode()}'"


def _drawing(picture: str) -> Markup:
    """An SVG drawn by moot."""
    return Markup(picture)  # noqa: S704 (every text in it is escaped where it is drawn)


def _printable(value: object) -> object:
    return value if isinstance(value, Markup) else printable(str(value))


def _inert(value: object) -> Markup:
    return value if isinstance(value, Markup) else inline(value)


def _code(line: str) -> Markup:
    """A line of an indented code block, where Markdown interprets only the line break."""
    return Markup(printable(line).replace("\n", " "))  # noqa: S704
