"""The documents of a batch for people and programs, written from its ledger alone."""

import shlex
from typing import TYPE_CHECKING

from moot.engine.define.plugin_option import plugin_option
from moot.studies.batch.analysis import analyse, spreads
from moot.studies.batch.completeness import has_failed
from moot.studies.batch.figures import BatchStatistics
from moot.studies.batch.folder import Batch
from moot.studies.batch.items import read_tournament
from moot.studies.batch.report import values_of
from moot.studies.batch.tables import csv_of
from moot.studies.page import StudyPage
from moot.studies.template import template_of

if TYPE_CHECKING:
    from moot.studies.tournament import Leaderboard

GO_ON = "Take it up where it stopped; no reply that is on record is paid for again:"


def write_documents(batch: Batch) -> "BatchStatistics | Leaderboard":
    """Write rows, figures and reports again, and return the figures."""
    return write_study(batch)[0]


def write_study(batch: Batch) -> "tuple[BatchStatistics | Leaderboard, StudyPage]":
    """Write rows, figures and reports again, and return the figures and the report."""
    rows = batch.rows()
    figures, page = read_study(batch, str(batch.path))
    for file, data in page.files("statistics.json", figures, rows, csv_of(rows)).items():
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
        kind, values = "batch", values_of(figures, rows)
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
