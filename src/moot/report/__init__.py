"""Reports: what a run left, for people to read. Folded from its log, its journal and its result, and nothing else.

The same files give the same reports, byte for byte. `page` puts them together from what the protocol shows as blocks,
and `safe` keeps what models said from being more than text.
"""

from collections.abc import Sequence

from moot import receipts
from moot.engine.material import gather
from moot.result import Result
from moot.runs import Run


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

    material = gather(run, result)
    return {f"report.{form}": page.render(form, material) for form in forms}


def documents(run: Run, result: Result) -> dict[str, str]:
    """All that a run leaves for people to read, by the names of the files: the reports, its protocol's own, and the
    receipt."""
    material, own = gather(run, result), run.config.protocol.documents
    return reports(run, result) | (own(material) if own is not None else {}) | receipts.documents(material)
