"""The documents of a batch for people and programs, written from its ledger alone."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from moot.studies.batch.analysis import analyse
from moot.studies.batch.figures import BatchStatistics
from moot.studies.batch.folder import Batch
from moot.studies.batch.notes import METHOD
from moot.studies.batch.report import report_page
from moot.studies.batch.rows import Row
from moot.studies.batch.tables import csv_of, jsonl_of, parquet_of
from moot.studies.page import StudyPage
from moot.studies.supplement import sampling_words, supplement


def write_documents(batch: Batch) -> BatchStatistics:
    """Write rows, statistics and reports again, and return the statistics."""
    rows = batch.rows()
    found = analyse(rows)
    figures = json.dumps(found.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"
    made = made_with(batch, rows)
    page = report_page(str(batch.path), batch.about(), rows, found, made, unfinished=batch.is_unfinished())
    documents = {
        "rows.csv": csv_of(rows),
        "rows.jsonl": jsonl_of(rows),
        "rows.parquet": parquet_of(rows),
        "statistics.json": figures.encode(),
        "recompute.py": Path(__file__).with_name("recompute.py.txt").read_bytes(),
        **{name: text.encode() for name, text in page.documents().items()},
    }
    asked = {name: (batch.path / name).read_bytes() for name in ("batch.json", "items.jsonl")}
    kept = {name: data for name, data in documents.items() if data is not None}
    documents["supplement.zip"] = supplement({**asked, **kept}, methods_paragraph(batch, found, made))
    for name, data in documents.items():
        if data is not None:
            batch.write(name, data)
    return found


def page_of(batch: Batch) -> StudyPage:
    """The current report of a batch, without writing anything."""
    rows = batch.rows()
    made = made_with(batch, rows)
    return report_page(batch.path.name, batch.about(), rows, analyse(rows), made, unfinished=batch.is_unfinished())


def made_with(batch: Batch, rows: Sequence[Row]) -> dict[str, str]:
    """The models of the debates, those that answered according to the providers, and how they were sampled."""
    asked = {one.model: None for row in rows for one in row.contestants}
    asked |= {row.judge_model: None for row in rows if row.judge_model}
    answered = dict.fromkeys(name for row in rows for name in row.answered_by)
    sampled = dict.fromkeys(sampling_words(item.config.get("sampling") or {}) for item in batch.items())
    return {
        "Models": ", ".join(asked) or "unknown",
        "Models that answered": ", ".join(answered) or "unknown",
        "Sampling": " / ".join(sampled),
    }


def methods_paragraph(batch: Batch, found: BatchStatistics, made: Mapping[str, str]) -> str:
    """The methods of the batch as a paragraph for a paper."""
    about = batch.about()
    design = ", ".join(name.replace("_", " ") for name, wanted in about["design"].items() if wanted) or "none"
    return (
        f"{found.by_status.get('done', 0)} of {found.debates} debates from {about['file']} came to their end, on "
        f"{found.topics} topics; {found.duplicates} that repeated another word for word were left out. "
        f"{'; '.join(f'{name}: {value}' for name, value in made.items())}. Paired designs: {design}. {METHOD}"
    )
