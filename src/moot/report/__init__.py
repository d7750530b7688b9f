"""Reports: what a run left, for people to read. Folded from its log, its journal and its result, and nothing else.

The same files give the same reports, byte for byte. `page` holds what every protocol's report has, each protocol's
own sections are in the module and the templates of its name, and `safe` keeps what models said from being more
than text.
"""

from typing import Literal

from moot.result import Result
from moot.runs import Run


def write_reports(run: Run, result: Result) -> None:
    """Write `report.md` and `report.html` into the run folder, however the run ended."""
    run.write("report.md", markdown_report(run, result))
    run.write("report.html", html_report(run, result))


def markdown_report(run: Run, result: Result) -> str:
    """The report for a terminal or a forge: verdict, scores, transcript, costs, failures, receipt."""
    return _report(run, result, "md")


def html_report(run: Run, result: Result) -> str:
    """The report as one page that needs no network and runs no script; it also shows what each agent was sent."""
    return _report(run, result, "html")


def _report(run: Run, result: Result, form: Literal["md", "html"]) -> str:
    # Imported here: whoever only runs debates from Python need not wait for a template engine at import.
    from moot.report import duel, page

    material = page.gather(run, result)
    return page.render(f"duel.{form}.jinja", material, duel.sections(material))
