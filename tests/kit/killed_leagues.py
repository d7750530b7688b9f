"""Tournaments that are killed: `python -m tests.kit.killed_leagues FOLDER MOMENT EVERY PAIRING`.

One tournament for every so-manyth write there is to be killed at. The process itself only forks and waits.
"""

import itertools
import sys
from functools import partial
from pathlib import Path
from typing import Any

from tests.kit.leagues import MODELS, MOTIONS, hold, write_league
from tests.kit.processes import in_child, kill_at

SETTINGS: dict[str, dict[str, Any]] = {
    "round-robin": {"models": MODELS[:2], "motions": MOTIONS[:3], "looks": [2], "jury": ["scripted/kim"]},
    "swiss": {"models": MODELS, "motions": MOTIONS[:1], "rounds": 3, "jury": ["scripted/kim"]},
}
DEBATES = 6
"""Of each of them."""


def live(folder: Path, step: int, moment: str, pairing: str) -> None:
    folder.mkdir(parents=True)
    file = write_league(folder, pairing=pairing, **SETTINGS[pairing])
    kill_at(step, moment, documents=True)
    hold(file, folder / "held")


def main(folder: Path, moment: str, every: int, pairing: str) -> None:
    for step in itertools.chain((1, 2, 3), itertools.count(5, every)):
        if in_child(partial(live, folder / f"{step:03}", step, moment, pairing)):
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4])
