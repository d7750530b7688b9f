"""moot's gradual semantics against its peers', on the same graphs, each contestant in a process of its own.

    python benchmarks/argument_gradual.py [--peers DIR] [--limit SECONDS]

`benchmarks/argument.py` calls `rows`. QBAF-Py and Uncertainpy are in no package registry (what is called uncertainpy
there is another thing); they come from their repositories, where those can be reached.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from argument_asking import solved
from environments import Unavailable, default_folder, environment

CONTESTANT = Path(__file__).parent / "contestants" / "gradual.py"
PEERS = {"formal-argumentation": "formal-argumentation", "qbaf": "QBAF-Py", "uncertainpy": "Uncertainpy"}
# Semantics, arguments, cyclic. A graph has three relations to an argument, half of them attacks.
TASKS = (
    ("dfquad", 50, True),
    ("dfquad", 1_000, True),
    ("dfquad", 10_000, True),
    ("energy", 100_000, False),
)
# Some iterate until the last step is small, which is not yet this near to where they are going.
SAME = 1e-4


def rows(peers_dir: Path | None, limit: float) -> list[dict[str, Any]]:
    """{task, instance, contestant, seconds, note}; no seconds where it took too long, failed, or could not be had.

    Without a folder for their environments, there are no peers.
    """
    interpreters: dict[str, Path | str] = {"moot": Path(sys.executable)}
    for name in PEERS if peers_dir else ():
        try:
            interpreters[name] = environment(name, peers_dir or Path())
        except Unavailable as reason:
            interpreters[name] = str(reason)
    measured: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        for semantics, size, cyclic in TASKS:
            file = Path(folder) / "graph.json"
            file.write_text(json.dumps(random_graph(size, cyclic)), "utf-8")
            instance = f"{size:,} arguments, {'cyclic' if cyclic else 'acyclic'}"
            expected: list[float] | None = None
            for name, python in interpreters.items():
                answer: dict[str, Any] = (
                    {"note": python}
                    if isinstance(python, str)
                    else solved(CONTESTANT, python, name, semantics, file, limit)
                )
                strengths: list[float] | None = answer.get("strengths")
                expected = expected or strengths
                note = answer.get("note") or agreement(expected, strengths)
                title = PEERS.get(name, name)
                row = {"task": semantics, "instance": instance, "contestant": title}
                measured.append({**row, "seconds": answer.get("seconds"), "note": note})
    return measured


def random_graph(size: int, cyclic: bool) -> dict[str, Any]:
    """No relation twice, and none both an attack and a support, which a peer would refuse."""
    random = np.random.default_rng(size)
    pairs = random.integers(0, size, (3 * size, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    if not cyclic:
        pairs.sort(axis=1)
    pairs = random.permutation(np.unique(pairs, axis=0))
    attacks, supports = np.array_split(pairs, 2)
    base = random.random(size).round(3)
    return {"base": base.tolist(), "attacks": attacks.tolist(), "supports": supports.tolist()}


def agreement(expected: list[float] | None, found: list[float] | None) -> str:
    if expected is None or found is None or expected is found:
        return ""
    apart = np.abs(np.array(expected) - np.array(found)).max()
    return f"{'ANSWERS OTHERWISE' if apart > SAME else 'differs'} by at most {apart:.0e}"


def main() -> None:
    parser = argparse.ArgumentParser(description="moot's gradual semantics against its peers'.")
    parser.add_argument("--peers", type=Path, default=default_folder(), help="where their environments are, or will be")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds, for each contestant and graph")
    options = parser.parse_args()
    for row in rows(options.peers, options.limit):
        print(json.dumps(row))


if __name__ == "__main__":
    main()
