"""The documents of a run for people. The engine renders nothing: it gets functions that make documents, and makes
sure that a failure in one does not affect the others."""

import logging
from collections.abc import Callable, Mapping
from html import escape

from moot.engine.outcome.result import Files, Result
from moot.engine.staging.runs import Run
from moot.errors import ReportFailed
from moot.plugins.guard import Broken, guarded
from moot.record.stores.base import RESULT
from moot.text import printable

REPORTS = ("report.md", "report.html")
Documents = Callable[[], Mapping[str, str]]
"""Makes documents by file name."""
Finisher = Callable[[Run, Result, Files | None], Mapping[str, Documents]]
"""The documents to make for a run with a result, by description, from its entries and records if they are known."""


def finished(
    run: Run, result: Result, finish: Finisher | None, files: Files | None = None
) -> tuple[dict[str, str], ReportFailed | None]:
    """The documents of a run, and an error for those that failed. A report that failed says so in its place. `files`
    are the entries and records if they have already been read."""
    to_make = guarded(lambda: finish(run, result, files)) if finish is not None else {}
    if isinstance(to_make, Broken):
        return finished_from(run, {}, dict.fromkeys(REPORTS, to_make.why))
    return finished_from(run, to_make)


def finished_from(
    run: Run, to_make: Mapping[str, Documents], failed: Mapping[str, str] | None = None
) -> tuple[dict[str, str], ReportFailed | None]:
    """The same from the functions that make documents; `failed` are earlier failures with their reasons."""
    documents: dict[str, str] = {}
    faults = dict(failed or {})
    for name, make in to_make.items():
        made = guarded(lambda make=make: dict(make()))  # type: ignore[misc]
        if isinstance(made, Broken):
            faults[name] = made.why
        else:
            documents |= made
    for name in faults.keys() & REPORTS:
        # A missing page is left out, but an old one would be taken for the page of this result.
        if name == REPORTS[0] or run.place.read(name) is not None:
            documents[name] = _in_place_of(name, faults[name])
    return documents, ReportFailed(faults) if faults else None


def note_unmade(run: Run, failed: ReportFailed | None) -> None:
    """Log one line about documents that failed at the end of a debate, which still has a result."""
    if failed is not None:
        logging.getLogger(__name__).warning("%s: %s", run.name, printable(str(failed)))


def _in_place_of(report: str, why: str) -> str:
    line = printable(f"The report could not be made: {why}")
    if report.endswith(".html"):
        return f'<!doctype html>\n<meta charset="utf-8">\n<title>No report</title>\n<p>{escape(line)}</p>\n'
    return f"{line}\n\nThe result is in {RESULT}.\n"
