"""The report of a study: one page that needs no network and runs no script, and the same as Markdown.

Templates escape by themselves whatever is not marked as safe.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from jinja2 import ChoiceLoader, Environment, PackageLoader

from moot.present import Block
from moot.report.page import environment_of

if TYPE_CHECKING:
    from moot.studies.batch.plots import Forest, Histogram


@dataclass(frozen=True, slots=True)
class Part:
    """A section: what it shows in words, as plots where they help, and as blocks. `count` is how many there are of what
    it lists, where that is worth knowing beforehand."""

    id: str
    heading: str
    lead: str = ""
    blocks: Sequence[Block] = ()
    plots: "Sequence[Forest | Histogram]" = ()
    count: int = 0


@dataclass(frozen=True, slots=True)
class StudyPage:
    """`claims` are what the study found, `notes` what to know before relying on it; `unfinished` says how to go on,
    with the `command` for it."""

    kind: str
    title: str
    about: str
    headline: str
    claims: Sequence[str]
    notes: Sequence[str]
    parts: Sequence[Part]
    name: str
    unfinished: Sequence[str] = ()
    command: str = ""

    def documents(self) -> dict[str, str]:
        """The reports by the names of their files."""
        page, text = (_environment(html=form == "html").get_template(f"study.{form}.jinja") for form in ("html", "md"))
        return {
            "report.html": page.render(study=self),
            "report.md": re.sub(r"\n{3,}", "\n\n", text.render(study=self)),
        }


@cache
def _environment(*, html: bool) -> Environment:
    loader = ChoiceLoader([PackageLoader("moot", "studies"), PackageLoader("moot", "report")])
    return environment_of(loader, html=html)
