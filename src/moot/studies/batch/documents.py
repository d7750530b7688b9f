"""The documents of a batch for people and programs, written from its ledger alone."""

import json
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from moot.engine.define.plugin_option import plugin_option
from moot.studies.batch.analysis import analyse, spreads
from moot.studies.batch.figures import BatchStatistics, Level
from moot.studies.batch.folder import Batch
from moot.studies.batch.items import read_tournament
from moot.studies.batch.rows import Row, has_failed
from moot.studies.csv_file import csv_file
from moot.studies.page import StudyPage
from moot.studies.template import template_of

if TYPE_CHECKING:
    from moot.studies.tournament import Leaderboard

MOST_OUTCOMES = 5
SWAPPED = {"order": "order swapped", "sides": "sides swapped", "claim": "claim reversed"}
NESTED = {"design", "factors", "contestants", "scores", "flips", "flags", "flag_texts", "answered_by", "readings"}
GO_ON = "Take it up where it stopped; no reply that is on record is paid for again:"


def write_documents(batch: Batch) -> "BatchStatistics | Leaderboard":
    """Write rows, figures and reports again, and return the figures."""
    return write_study(batch)[0]


def write_study(batch: Batch) -> "tuple[BatchStatistics | Leaderboard, StudyPage]":
    """Write rows, figures and reports again, and return the figures and the report."""
    rows = batch.rows()
    figures, page = read_study(batch, str(batch.path))
    for file, data in page.files("statistics.json", figures, rows, _csv_of(rows)).items():
        batch.write(file, data)
    return figures, page


def read_study(batch: Batch, name: str) -> "tuple[BatchStatistics | Leaderboard, StudyPage]":
    """The figures of a batch: its statistics or, if its file has a tournament, the leaderboard; and the current report.
    `name` is that by which it is resumed."""
    rows, about = batch.rows(), batch.about()
    figures: BatchStatistics | Leaderboard
    if (content := about.get("tournament")) is not None:
        design = read_tournament(content, "batch.json")
        figures = design.figures(rows)
        kind, values = "tournament", design.values(figures)
    else:
        figures = analyse(rows)
        kind, values = "batch", _values_of(figures, rows)
    judges = [row.judge_model for row in rows if row.judge_model]
    values |= {
        "asked": [*dict.fromkeys([*(one.model for row in rows for one in row.contestants), *judges])],
        "answered_by": [*dict.fromkeys(name for row in rows for name in row.answered_by)],
        "samplings": [item.config.get("sampling") or {} for item in batch.items()],
    }
    plugins = plugin_option(*sorted({row.protocol for row in rows}), public=True)
    ill = [row for row in rows if has_failed(row)]
    return figures, template_of(kind).page(
        values,
        figures.notes,
        template_of("batch").parts("ends", {"spent": spreads(rows), "ill": ill}),
        title=about["file"],
        about=f"{about['created'][:16].replace('T', ' ')} UTC",
        name=name.rpartition("/")[2],
        unfinished=[GO_ON] if batch.is_unfinished() else [],
        command=shlex.join(["moot", *plugins, "batch", "--resume", name]),
    )


def _values_of(found: BatchStatistics, rows: Sequence[Row]) -> dict[str, Any]:
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


def _flat(row: Row, factors: Sequence[str], designs: Sequence[str]) -> dict[str, Any]:
    """One row as plain cells. Several names share a cell, in speaking order, separated by semicolons."""
    whole = row.model_dump(mode="json", exclude=NESTED)
    return {
        **{key: whole.pop(key) for key in ("id", "group", "protocol", "status", "reason")},
        **{f"design.{name}": row.design.get(name) for name in designs},
        **{f"factor.{name}": row.factors.get(name) for name in factors},
        **whole,
        "flags": "; ".join(row.flags),
        "answered_by": "; ".join(row.answered_by),
        "personas": "; ".join(contestant.name for contestant in row.contestants),
        "models": "; ".join(contestant.model for contestant in row.contestants),
        "sides": "; ".join(contestant.side or "" for contestant in row.contestants).strip("; "),
        "scores": json.dumps(row.scores, ensure_ascii=False) if row.scores else None,
        "flips": len(row.flips),
        "flips_without_evidence": sum(not flip.evidence for flip in row.flips),
    }


def _csv_of(rows: Sequence[Row]) -> str:
    factors = list(dict.fromkeys(name for row in rows for name in row.factors))
    designs = list(dict.fromkeys(name for row in rows for name in row.design))
    table = [_flat(row, factors, designs) for row in rows]
    return csv_file(list(table[0]) if table else [], (row.values() for row in table))
