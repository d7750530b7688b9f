"""The report of a study: one page without network access or scripts, and the same as Markdown.

Templates escape everything that is not marked as safe.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from jinja2 import ChoiceLoader, Environment, PackageLoader

from moot.present import Block
from moot.report.page import environment_of


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


@cache
def _environment(*, html: bool) -> Environment:
    loader = ChoiceLoader([PackageLoader("moot", "studies"), PackageLoader("moot", "report")])
    return environment_of(loader, html=html)
