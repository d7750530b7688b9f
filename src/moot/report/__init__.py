"""Reports for people, built only from a run's log, journal and result.

The same files give the same reports, byte for byte. `page` builds them from the protocol's blocks, and `safe` makes
sure that text from models stays text.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache

from moot.engine.define.capabilities import OwnDocuments
from moot.engine.outcome.material import Material, gather
from moot.engine.outcome.questions import QUESTIONS
from moot.engine.outcome.result import Files, Result
from moot.engine.staging.runs import Run
from moot.record.stores.base import CONFIG, JOURNAL, LOG, RESULT
from moot.report import receipts


def reports(material: Material, forms: Sequence[str] = ("md", "html")) -> dict[str, str]:
    """The reports by file name: Markdown for a terminal or a forge, and a page without network access, whose one script
    plays the debate back, with the messages that each agent received."""
    # Imported here so that programs that only run debates do not load a template engine.
    from moot.report import page

    contents = page.contents(material)
    return {f"report.{form}": page.render(form, material, contents) for form in forms}


def documents(run: Run, result: Result, files: Files | None = None) -> dict[str, Callable[[], dict[str, str]]]:
    """All documents of a run for people: those of its protocol, the reports, and the receipt. Each is made separately,
    so that a failure does not affect the others. `files` are the entries and records if they have already been read."""
    return documents_of(gather(run, result, files))


def documents_of(material: Material) -> dict[str, Callable[[], dict[str, str]]]:
    """The same, from files that were already read."""
    from moot.report import page

    contents = cache(lambda: page.contents(material))
    return {
        # First: if a report exists, a receipt exists too.
        receipts.FILE: lambda: receipts.documents(material),
        "the protocol's own documents": lambda: _protocol_documents(material),
        "report.md": lambda: {"report.md": page.render("md", material, contents())},
        "report.html": lambda: {"report.html": page.render("html", material, contents())},
    }


def _protocol_documents(material: Material) -> dict[str, str]:
    """The protocol's documents. It cannot overwrite moot's files or write outside the run."""
    own = material.run.config.protocol.get(OwnDocuments)
    documents = own.write(material) if own else {}
    allowed = {name: text for name, text in documents.items() if _is_allowed(name) and isinstance(text, str)}
    for text in allowed.values():
        text.encode()  # lone surrogates fail here, not later when files are written
    return allowed


def _is_allowed(name: str) -> bool:
    return bool(_PLAIN.fullmatch(name)) and name not in _OWN


_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9]+)+")
_OWN = {
    *(CONFIG, LOG, JOURNAL, RESULT, QUESTIONS, receipts.FILE),
    *("report.md", "report.html", "arguments.json", "deliveries.jsonl"),
}
