"""The report of a batch, from its figures and rows by the words of `report.yaml`."""

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from moot.engine.define.plugin_option import plugin_option
from moot.present import Facts
from moot.studies.batch.completeness import has_failed
from moot.studies.batch.figures import BatchStatistics, Level
from moot.studies.batch.rows import Row
from moot.studies.batch.spending import spreads
from moot.studies.page import Findings, ReportSection, StudyPage
from moot.studies.template import template_of

MOST_OUTCOMES = 5
GO_ON = "Take it up where it stopped; no reply that is on record is paid for again:"
SWAPPED = {"order": "order swapped", "sides": "sides swapped", "claim": "claim reversed"}


def findings(found: BatchStatistics, rows: Sequence[Row]) -> Findings:
    """The statistics of a batch for its report."""
    flips = found.flips
    known = (
        {
            "right before": flips.first_right,
            "right after": flips.right,
            "right → wrong": flips.right_to_wrong,
            "wrong → right": flips.wrong_to_right,
        }
        if flips
        else {}
    )
    values = {
        **dict(found),
        "swapped": SWAPPED,
        "done": found.by_status.get("done", 0) - found.duplicates,
        "answered": [row for row in rows if row.status == "done" and row.headline],
        "known_answers": list(known.items()),
        "measured": [_measured(number, name, levels) for number, (name, levels) in enumerate(found.factors.items(), 1)],
    }
    return template_of("batch").findings("batch", values, found.notes)


def _measured(number: int, name: str, levels: Sequence[Level]) -> dict[str, Any]:
    """A factor, with what was measured of it: rates of claims or answers or, where there are neither, outcomes."""
    outcomes: list[tuple[str, str, int]] = []
    for level in levels:
        several = list(level.outcomes.items())
        outcomes += [(level.value, outcome, count) for outcome, count in several[:MOST_OUTCOMES]]
        if others := sum(count for _, count in several[MOST_OUTCOMES:]):
            outcomes.append((level.value, "others", others))
    return {
        "number": number,
        "name": name,
        "levels": levels,
        "lacking": any(level.done < level.planned or level.undecided for level in levels),
        "failed": any(level.failed for level in levels),
        "upheld": any(level.upheld.n or level.upheld.missing for level in levels),
        "right": any(level.right.n or level.right.missing for level in levels),
        "outcomes": outcomes,
    }


def report_page(
    name: str,
    about: Mapping[str, Any],
    rows: Sequence[Row],
    found: Findings,
    made: Mapping[str, str],
    *,
    unfinished: bool,
) -> StudyPage:
    """The report. `made` says with which models; `unfinished` means that there are debates to resume."""
    plugins = plugin_option(*sorted({row.protocol for row in rows}), public=True)
    ends = template_of("batch").parts("ends", {"spent": spreads(rows), "ill": [row for row in rows if has_failed(row)]})
    return StudyPage(
        kind=found.kind,
        title=about["file"],
        about=f"{about['created'][:16].replace('T', ' ')} UTC",
        headline=found.headline,
        claims=found.claims,
        notes=found.notes,
        parts=[
            *found.parts,
            *ends,
            ReportSection("method", "Method", found.method),
            ReportSection("made", "What this was made with", "", [Facts(list(made.items()))]),
        ],
        name=name.rpartition("/")[2],
        unfinished=[GO_ON] if unfinished else [],
        command=shlex.join(["moot", *plugins, "batch", "--resume", name]),
    )
