"""The documents of a batch for people and programs, written from its ledger alone."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from moot.studies.batch.analysis import analyse
from moot.studies.batch.figures import BatchStatistics
from moot.studies.batch.folder import Batch
from moot.studies.batch.items import read_tournament
from moot.studies.batch.report import findings, report_page
from moot.studies.batch.rows import Row
from moot.studies.batch.tables import csv_of, jsonl_of
from moot.studies.cells import sampling_words
from moot.studies.page import Findings, StudyPage

if TYPE_CHECKING:
    from moot.studies.tournament import Leaderboard, Tournament


def figures_of(about: Mapping[str, Any], rows: Sequence[Row]) -> "BatchStatistics | Leaderboard":
    """The figures of a batch: its statistics or, if its file has a tournament, the leaderboard."""
    if (design := _tournament_of(about)) is None:
        return analyse(rows)
    return design.figures(rows)


def write_documents(batch: Batch) -> "BatchStatistics | Leaderboard":
    """Write rows, figures and reports again, and return the figures."""
    rows, about = batch.rows(), batch.about()
    figures = figures_of(about, rows)
    found = findings_of(about, figures, rows)
    made = made_with(batch, rows) | dict(found.made)
    page = report_page(str(batch.path), about, rows, found, made, unfinished=batch.is_unfinished())
    documents = {
        "rows.csv": csv_of(rows),
        "rows.jsonl": jsonl_of(rows),
        "statistics.json": (json.dumps(figures.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n").encode(),
        **{name: text.encode() for name, text in page.documents().items()},
    }
    for name, data in documents.items():
        batch.write(name, data)
    return figures


def page_of(batch: Batch) -> StudyPage:
    """The current report of a batch, without writing anything."""
    rows, about = batch.rows(), batch.about()
    found = findings_of(about, figures_of(about, rows), rows)
    made = made_with(batch, rows) | dict(found.made)
    return report_page(batch.path.name, about, rows, found, made, unfinished=batch.is_unfinished())


def _tournament_of(about: Mapping[str, Any]) -> "Tournament | None":
    content = about.get("tournament")
    return None if content is None else read_tournament(content, "batch.json")


def findings_of(about: Mapping[str, Any], figures: "BatchStatistics | Leaderboard", rows: Sequence[Row]) -> Findings:
    """What the figures say, in words and tables."""
    if isinstance(figures, BatchStatistics):
        return findings(figures, rows)
    design = _tournament_of(about)
    assert design is not None  # noqa: S101 (a leaderboard is that of a tournament)
    return design.findings(figures)


def made_with(batch: Batch, rows: Sequence[Row]) -> dict[str, str]:
    """The models of the debates, those that answered according to the providers, and how they were sampled."""
    asked = {contestant.model: None for row in rows for contestant in row.contestants}
    asked |= {row.judge_model: None for row in rows if row.judge_model}
    answered = dict.fromkeys(name for row in rows for name in row.answered_by)
    sampled = dict.fromkeys(sampling_words(item.config.get("sampling") or {}) for item in batch.items())
    return {
        "Models": ", ".join(asked) or "unknown",
        "Models that answered": ", ".join(answered) or "unknown",
        "Sampling": " / ".join(sampled),
    }
