"""Reports: what a run left, for people to read. Folded from its log, its journal and its result, and nothing else.

The same files give the same reports, byte for byte. `page` holds what every protocol's report has, each protocol's
own sections are in the module and the templates of its name, and `safe` keeps what models said from being more
than text.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from moot.result import Result
from moot.runs import Run

if TYPE_CHECKING:
    from moot.report.page import Material


def markdown_report(run: Run, result: Result) -> str:
    """The report for a terminal or a forge: verdict, scores, transcript, costs, failures, receipt."""
    return reports(run, result, ["md"])["report.md"]


def html_report(run: Run, result: Result) -> str:
    """The report as one page that needs no network and runs no script; it also shows what each agent was sent."""
    return reports(run, result, ["html"])["report.html"]


def reports(run: Run, result: Result, forms: Sequence[str] = ("md", "html")) -> dict[str, str]:
    """The reports by the names of their files."""
    # Imported here: whoever only runs debates from Python need not wait for a template engine at import.
    from moot.report import page

    material = page.gather(run, result)
    sections = sections_of(result.protocol)(material)
    return {f"report.{form}": page.render(f"{result.protocol}.{form}.jinja", material, sections) for form in forms}


def documents(run: Run, result: Result) -> dict[str, str]:
    """All that a run leaves for people to read, by the names of the files: the reports, and its protocol's own."""
    if result.protocol == "arena":
        from moot.receipts import FILE, receipt_of, receipt_text

        receipt = receipt_of(result, run.entries(), run.records())
        return reports(run, result) | ({FILE: receipt_text(receipt)} if receipt else {})
    if result.protocol != "chaired":
        return reports(run, result)
    from moot.report import chaired_documents, page

    return reports(run, result) | chaired_documents.documents(page.gather(run, result))


def sections_of(protocol: str) -> "Callable[[Material], dict[str, object]]":
    """What the templates of a protocol's name show beside what every report has."""
    match protocol:
        case "duel":
            from moot.report.duel import sections
        case "chaired":
            from moot.report.chaired import sections
        case "panel":
            from moot.report.panel import sections
        case "persuasion":
            from moot.report.persuasion import sections
        case "arena":
            from moot.report.arena import sections
        case "rejudging":
            from moot.report.rejudging import sections
        case "answers":
            from moot.report.answers import sections
        case _:
            raise ValueError(f"there is no report for the protocol {protocol!r}")
    return sections
