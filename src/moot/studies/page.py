"""The report of a study: one page without network access or scripts, and the same as Markdown.

Templates escape everything that is not marked as safe.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from jinja2 import ChoiceLoader, Environment, PackageLoader
from pydantic import BaseModel

from moot.present import Block, Table
from moot.report.page import environment_of
from moot.text import printable

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, slots=True)
class Mark:
    """An estimate with its interval, and the text next to it."""

    name: str
    value: float
    low: float
    high: float
    text: str


@dataclass(frozen=True, slots=True)
class Plot:
    """Estimates in rows, on a scale of shares. `reference` is what they are compared with."""

    title: str
    marks: Sequence[Mark]
    reference: float | None = None


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A section: a text, plots if they help, and blocks. `count` is the number of items listed, if it is worth showing
    in advance."""

    id: str
    heading: str
    lead: str = ""
    blocks: Sequence[Block] = ()
    plots: Sequence[Plot] = ()
    count: int = 0


@dataclass(frozen=True, slots=True)
class StudyPage:
    """`claims` are the findings of the study, `notes` the warnings about them; `unfinished` says how to continue, with
    the `command` for it."""

    kind: str
    title: str
    about: str
    headline: str
    claims: Sequence[str]
    notes: Sequence[str]
    parts: Sequence[ReportSection]
    name: str
    unfinished: Sequence[str] = ()
    command: str = ""

    def documents(self) -> dict[str, str]:
        """The reports by file name."""
        page, text = (_environment(html=form == "html").get_template(f"study.{form}.jinja") for form in ("html", "md"))
        return {
            "report.html": page.render(study=self),
            "report.md": re.sub(r"\n{3,}", "\n\n", text.render(study=self)),
        }

    def files(self, name: str, figures: BaseModel, rows: Sequence[BaseModel], table: str) -> dict[str, bytes]:
        """All documents of the study by file name: the figures as `name`, the rows, also as a `table` of CSV, and the
        reports."""
        texts = {
            name: json.dumps(figures.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n",
            "rows.jsonl": "".join(f"{row.model_dump_json()}\n" for row in rows),
            "rows.csv": table,
            **self.documents(),
        }
        return {file: text.encode() for file, text in texts.items()}

    def show(self, console: "Console", widths: Mapping[str, int], more: Sequence[str] = ()) -> None:
        """Print the first table of these sections, in so many columns, and then the claims and notes and `more`."""
        from rich.text import Text

        from moot.cli.blocks import rendered
        from moot.cli.wording import show

        tables = [(part.blocks[0], widths[part.id]) for part in self.parts if part.id in widths]
        narrow = [
            replace(one, columns=one.columns[:width], rows=[row[:width] for row in one.rows])
            for one, width in tables
            if isinstance(one, Table)
        ]
        for shown in rendered(narrow, {}):
            show(console, shown)
        for line in (*self.claims, *self.notes, *more):
            console.print(Text(printable(line)), soft_wrap=True)


@cache
def _environment(*, html: bool) -> Environment:
    loader = ChoiceLoader([PackageLoader("moot", "studies"), PackageLoader("moot", "report")])
    return environment_of(loader, html=html)
