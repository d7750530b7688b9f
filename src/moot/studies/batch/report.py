"""The report of a batch, from its figures and rows by the words of `report.yaml`."""

from collections.abc import Sequence
from typing import Any

from moot.studies.batch.figures import BatchStatistics, Level
from moot.studies.batch.rows import Row

MOST_OUTCOMES = 5
SWAPPED = {"order": "order swapped", "sides": "sides swapped", "claim": "claim reversed"}


def values_of(found: BatchStatistics, rows: Sequence[Row]) -> dict[str, Any]:
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
    return {
        **dict(found),
        "swapped": SWAPPED,
        "done": found.by_status.get("done", 0) - found.duplicates,
        "answered": [row for row in rows if row.status == "done" and row.headline],
        "known_answers": list(known.items()),
        "measured": [_measured(number, name, levels) for number, (name, levels) in enumerate(found.factors.items(), 1)],
    }


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
