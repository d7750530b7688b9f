"""Batches that are killed: `python -m tests.batches.crashing FOLDER MOMENT EVERY`.

One batch for every so-manyth write there is to be killed at. The process itself only forks and waits.
"""

import itertools
import sys
from functools import partial
from pathlib import Path

import moot.batches.budget  # noqa: F401 (imported once for all children)
from tests.batches.batching import made, ran, write_grid
from tests.processes import in_child, kill_at

BUDGET = {"max_calls": 1000}


def live(folder: Path, step: int, moment: str) -> None:
    folder.mkdir(parents=True)
    batch = made(write_grid(folder, grid={"topic": ["One?", "Two?", "Three?"]}, budget=BUDGET), folder / "batch")
    kill_at(step, moment, documents=True)
    ran(batch, concurrency=2)


def main(folder: Path, moment: str, every: int) -> None:
    for step in itertools.count(1, every):
        if in_child(partial(live, folder / f"{step:03}", step, moment)):
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
