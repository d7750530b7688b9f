"""What a batch leaves for people and programs to read, made from its ledger and nothing else."""

import json

from moot.studies.batch.analysis import analyse
from moot.studies.batch.figures import BatchStatistics
from moot.studies.batch.folder import Batch
from moot.studies.batch.tables import csv_of, jsonl_of, parquet_of


def write_documents(batch: Batch) -> BatchStatistics:
    """Write rows, statistics and reports anew; the statistics."""
    from moot.studies.batch.report import reports

    rows = batch.rows()
    found = analyse(rows)
    figures = json.dumps(found.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"
    pages = reports(str(batch.path), batch.about(), rows, found, unfinished=batch.is_unfinished())
    documents = {
        "rows.csv": csv_of(rows),
        "rows.jsonl": jsonl_of(rows),
        "rows.parquet": parquet_of(rows),
        "statistics.json": figures.encode(),
        **{name: text.encode() for name, text in pages.items()},
    }
    for name, data in documents.items():
        if data is not None:
            batch.write(name, data)
    return found
