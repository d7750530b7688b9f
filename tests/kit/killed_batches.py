"""Batches that are killed: `python -m tests.kit.killed_batches FOLDER MOMENT EVERY`.

One batch for every so-manyth write there is to be killed at. The process itself only forks and waits.
"""

import itertools
import sys
from functools import partial
from pathlib import Path

from moot.studies.batch import Batch, Row, open_batch, write_documents
from tests.kit.batches import made, ran, write_grid
from tests.kit.processes import in_child, kill_at

BUDGET = {"max_calls": 1000}


def live(folder: Path, step: int, moment: str) -> None:
    folder.mkdir(parents=True)
    file = write_grid(folder, grid={"topic": ["One?", "Two?", "Three?"]}, budget=BUDGET)
    kill_at(step, moment, documents=True)
    ran(made(file, folder / "batch"), concurrency=2)


def document(batch: Batch, step: int, moment: str) -> None:
    kill_at(step, moment, documents=True)
    write_documents(batch)


def main(folder: Path, moment: str, every: int) -> None:
    # The first two steps make the batch.
    for step in itertools.chain((1, 2), itertools.count(3, every)):
        last = folder / f"{step:03}"
        if in_child(partial(live, last, step, moment)):
            break
    for step in itertools.count(1):
        if in_child(partial(document, open_batch(last / "batch"), step, moment)):
            return
        for line in (last / "batch" / "rows.jsonl").read_text().splitlines() if step > 3 else []:
            Row.model_validate_json(line)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
