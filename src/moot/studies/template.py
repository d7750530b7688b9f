"""The words of a study's report: its headline, claims, notes and sections, in one template for each kind of study.

Texts are templates of Jinja over the figures. In a table, `rows` is an expression for what it lists, and `cells` has an
expression for each column, in which `one` is what a row is about. A heading such as `Rate | 95 % interval` stands for
several columns. A section with `each` is made once for each value, called `this`; one without rows is left out, unless
it says what is so `otherwise`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2 import Environment, StrictUndefined
from jinja2 import Template as JinjaTemplate
from pydantic import BaseModel

from moot.present import Block, Facts, Paragraph, Table
from moot.studies import cells
from moot.studies.page import Mark, Plot, ReportSection, StudyPage
from moot.text import one_line
from moot.text.yaml import shipped_yaml

MOST_PLOTTED = 30
Values = Mapping[str, Any]


class Note(BaseModel):
    """What must be known before relying on the figures."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Template:
    content: Values

    def text(self, key: str, values: Values) -> str:
        return _rendered(self.content[key], values)

    def note(self, code: str, **values: Any) -> Note:
        return Note(code=code, text=_rendered(self.content["notes"][code], values))

    def page(
        self, values: Values, notes: Sequence[Note], ends: Sequence[ReportSection] = (), **about: Any
    ) -> StudyPage:
        """The report with these figures; `about` are the other fields of the page."""
        made = [(name, text) for name, words in self.content["made"].items() if (text := _rendered(words, values))]
        method = [ReportSection("method", "Method", self.content["method"])] if "method" in self.content else []
        facts = ReportSection("made", "What this was made with", "", [Facts(made)])
        return StudyPage(
            kind=self.content["kind"],
            headline=self.text("headline", values),
            claims=[line for text in self.text("claims", values).split("\n") if (line := text.strip())],
            notes=[note.text for note in notes],
            parts=[*self.parts("sections", values), *ends, *method, facts],
            **about,
        )

    def parts(self, key: str, values: Values) -> list[ReportSection]:
        return [part for section in self.content[key] for part in _parts(section, values)]


@cache
def template_of(study: str) -> Template:
    """The template of a kind of study, by the name of its folder."""
    return Template(shipped_yaml(f"moot.studies.{study}", "report.yaml"))


def _parts(section: Values, values: Values) -> Iterator[ReportSection]:
    for this in _value(section["each"], values) if "each" in section else [None]:
        here = {**values, "this": this}
        heading = _rendered(section["heading"], here)
        tables = [_table(one, here, f"{heading}, as a table") for one in section["tables"]]
        blocks: list[Block] = [table for table in tables if table.rows]
        if not blocks and "otherwise" not in section:
            continue
        plots = [plot for spec in section.get("plots", ()) if (plot := _plot(spec, here)).marks]
        yield ReportSection(
            id=_rendered(section["id"], here),
            heading=heading,
            lead=_rendered(section.get("lead", ""), here),
            blocks=blocks or [Paragraph(section["otherwise"])],
            plots=plots,
            count=_value(section.get("count", "0"), here),
        )


def _table(table: Values, values: Values, name: str) -> Table:
    shown = [
        (_rendered(heading, values).split(" | "), expression)
        for heading, expression in table["cells"].items()
        if _value(table.get("only_if", {}).get(heading, "true"), values)
    ]
    rows = [
        [cell for _, expression in shown for cell in _cells(_value(expression, {**values, "one": row}))]
        for row in _value(table["rows"], values)
    ]
    columns = [heading for headings, _ in shown for heading in headings]
    texts = _value(str(table.get("texts", 1)), values)
    return Table(columns, rows, texts=texts, name=table.get("name", name))


def _cells(value: Any) -> list[str]:
    if isinstance(value, list):
        return [cell for part in value for cell in _cells(part)]
    return [f"{value:,}" if isinstance(value, int) else cells.or_dash(value)]


def _plot(plot: Values, values: Values) -> Plot:
    found = [
        (_value(plot["name"], {**values, "one": one}), *_value(plot["mark"], {**values, "one": one}))
        for one in list(_value(plot["rows"], values))[:MOST_PLOTTED]
    ]
    marks = [Mark(*mark) for mark in found if None not in mark]
    return Plot(_rendered(plot["title"], values), marks, plot.get("reference"))


def _value(expression: str, values: Values) -> Any:
    return _expression(expression)(**values)


def _rendered(text: str, values: Values) -> str:
    return _compiled(text).render(values).strip() if "{" in text else text


@cache
def _compiled(text: str) -> JinjaTemplate:
    return _environment().from_string(text)


@cache
def _expression(text: str) -> Callable[..., Any]:
    return _environment().compile_expression(text, undefined_to_none=False)


@cache
def _environment() -> Environment:
    """Figures and names are values here, never templates; pages escape what comes out."""
    found = Environment(  # noqa: S701 (plain text)
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: one_line(value) if isinstance(value, str) else value,
    )
    found.filters |= cells.FILTERS
    return found
