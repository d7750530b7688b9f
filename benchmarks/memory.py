"""How the memory grows: writing, searching and ranking with 100, 1,000 and 10,000 debates in it.

    python benchmarks/memory.py [--memory postgresql://…]

Texts are made of a fixed vocabulary by a fixed seed, vectors are random; both are as long as real ones.
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from moot.engine.define.remembered import Cast
from moot.memory.ratings import Game
from moot.memory.store import Meaning, Outcome, Store, open_store

SIZES = (100, 1_000, 10_000)
AGENTS = [f"agent {number}" for number in range(20)]
SYLLABLES = [f"{start}{middle}{end}" for start in "bdfgklmnprst" for middle in ("a", "ei", "o") for end in "lmn"]
WORDS = [one + other for one in SYLLABLES for other in SYLLABLES]
# As in real texts, the second word is half as frequent as the first, the third a third as frequent, and so on.
FREQUENCIES = [1 / (place + 10) for place in range(len(WORDS))]
DIMENSIONS = 256


def words(count: int, lot: random.Random) -> str:
    return " ".join(lot.choices(WORDS, FREQUENCIES, k=count))


def fill(store: Store, first: int, last: int, lot: random.Random) -> float:
    """Record debates of these numbers; the seconds for one of them."""
    started = time.perf_counter()
    for number in range(first, last):
        one, other, third = lot.sample(AGENTS, 3)
        outcome = Outcome(
            id=f"{number:064x}",
            run=f"debates/{number}",
            question=words(12, lot),
            decision=words(25, lot),
            verdict="approved",
            decided_by="vote and judge",
            confidence=lot.random(),
            finished=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=number),
            evidence=[words(150, lot)],
        )
        games = [Game(one, other, lot.choice([0.0, 0.5, 1.0])), Game(one, third, 1.0), Game(other, third, 0.5)]
        votes = {agent: Cast(lot.random(), agent, lot.random() < 0.5) for agent in (one, other, third)}
        store.record(outcome, games, votes, Meaning("random", [lot.gauss(0, 1) for _ in range(DIMENSIONS)]))
    return (time.perf_counter() - started) / (last - first)


def look_up(store: Store, meaning: Meaning, lot: random.Random) -> None:
    store.search(words(8, lot), meaning)


def seconds(work: Callable[[], object], times: int) -> tuple[float, float]:
    """The median and the longest of several runs."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return statistics.median(taken), max(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memory", help="a database of its own instead of a new SQLite file")
    where = parser.parse_args().memory
    lot = random.Random(7)
    with tempfile.TemporaryDirectory() as folder, open_store(where or str(Path(folder) / "memory.db")) as store:
        print("| debates | one written | search, median | search, longest | leaderboard |")
        print("|---:|---:|---:|---:|---:|")
        done = 0
        for size in SIZES:
            written = fill(store, done, size, lot)
            done = size
            meaning = Meaning("random", [lot.gauss(0, 1) for _ in range(DIMENSIONS)])
            middle, longest = seconds(partial(look_up, store, meaning, lot), 20)
            ranked, _ = seconds(store.leaderboard, 3)
            figures = (written, middle, longest, ranked)
            print(f"| {size:,} | " + " | ".join(f"{1000 * figure:.1f} ms" for figure in figures) + " |", flush=True)


if __name__ == "__main__":
    main()
