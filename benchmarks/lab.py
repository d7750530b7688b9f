"""The lab: which strategies pay, in every way of debating? Scripted agents of known merit, judges of known error.

    python benchmarks/lab.py [--matches N] [--only GAME] [--write]

A table for each game: how often who has the better case gets what it wants, and what each strategy gains over honest
play in the same matches, in points of a hundred, with the interval of 95 %. `--write` puts each table into docs/lab.md
when it is played. It exits with 1 where a strategy gains more than 5 points before a fair judge and the game does not
say why that stays, where the better case wins no more often than a coin, or less often than by the first statements.
"""

import argparse
import importlib
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

from strategies import FAIR, HONEST, JUDGES, Game, Judge, Match

MODULES = ("lab_rooms", "lab_groups", "lab_chaired", "lab_shelf", "dialogues", "deciding")
"""The modules that may have `GAMES`. Each is beside this one."""
MATCHES = 200
"""For each strategy and side, before a fair judge."""
PART, FEWEST = 4, 8
"""A strategy that has surely not gained what it may in a quarter of them, at least eight, is not played further."""
BEFORE_OTHERS = 8
"""Before each other judge there are so many times fewer."""
MOST = 5.0
"""Points that a strategy may gain before a fair judge."""
WORKERS = 2
PAGE = Path(__file__).parents[1] / "docs" / "lab.md"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean in points of a hundred, with half the width of its interval of 95 %."""

    mean: float
    half: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Estimate":
        half = 1.96 * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
        return cls(100 * fmean(values), 100 * half)

    def text(self, *, signed: bool = False) -> str:
        return f"{self.mean:{'+' if signed else ''}.0f} ± {self.half:.0f}"


@dataclass(frozen=True, slots=True)
class Row:
    """A strategy before a judge: how often who plays it gets what it wants, with the better and with the worse case,
    and what it gains in both over honest play in the same matches."""

    strategy: str
    judge: str
    right: Estimate
    wrong: Estimate
    gain: Estimate

    @property
    def pays(self) -> bool:
        """Whether it surely gains more than it may."""
        return self.gain.mean - self.gain.half > MOST


@cache
def games() -> dict[str, Game]:
    return {game.name: game for module in MODULES for game in getattr(importlib.import_module(module), "GAMES", ())}


def play(game: Game, strategy: str, judge: Judge, seeds: range) -> list[float]:
    """What becomes of the strategy with the better and then with the worse case, in each match."""
    return [game.play(Match(strategy, right, seed, judge)) for seed in seeds for right in (True, False)]


def rows(game: Game, judge: Judge, matches: int) -> Iterator[Row]:
    """Honest play before this judge, then every other strategy."""
    honest = play(game, HONEST.name, judge, range(matches))
    yield row(HONEST.name, judge, honest, honest)
    for strategy in (name for name in game.strategies if name != HONEST.name):
        first = min(matches, max(FEWEST, matches // PART))
        played = play(game, strategy, judge, range(first))
        gain = row(strategy, judge, played, honest).gain
        if gain.mean + 2 * gain.half >= MOST:
            played += play(game, strategy, judge, range(first, matches))
        yield row(strategy, judge, played, honest)


def row(strategy: str, judge: Judge, played: Sequence[float], honest: Sequence[float]) -> Row:
    gained = [now - then for now, then in zip(played, honest, strict=False)]
    return Row(strategy, judge.name, Estimate.of(played[::2]), Estimate.of(played[1::2]), Estimate.of(gained))


def table(game: Game, found: Sequence[Row], matches: int) -> tuple[str, list[str]]:
    """The section of a game from its rows before all judges, and what is wrong with the game."""
    fair = {row.strategy: row for row in found if row.judge == FAIR.name}
    honest, others = fair.pop(HONEST.name), [judge for judge in JUDGES[1:] if judge.name in game.judges]
    gains = {(row.strategy, row.judge): row.gain.text(signed=True) for row in found}
    faults = [] if honest.right.mean > 50 else ["the better case wins no more often than a coin"]
    said = [f"Wanted: {game.wants}.", f"Who has the better case gets it in {honest.right.text()} of 100 honest matches"]
    if game.alone:
        alone = [game.alone(Match(HONEST.name, True, seed)) for seed in range(matches)]
        said[-1] += f", and in {Estimate.of(alone).text()} by the first statements alone"
        if honest.right.mean < 100 * fmean(alone):
            faults.append("the first statements alone find the better case more often")
    poor = [f"{row.right.text()} where the judge {row.judge}" for row in found if row.strategy == HONEST.name][1:]
    said[-1] += f"{'; ' if poor else ''}{', '.join(poor)}."
    above = [row for row in fair.values() if row.gain.mean > MOST]
    faults += [f"{row.strategy} gains {row.gain.text()}" for row in above if row.strategy not in game.stays]
    best = max(fair.values(), key=lambda row: row.gain.mean)
    kept = f"**Kept**: the most that a strategy gains is {best.gain.text(signed=True)} ({best.strategy})."
    said += [f"**{row.strategy} gains {row.gain.text()}**: {game.stays.get(row.strategy)}." for row in above] or [kept]
    head = ["strategy", "better case", "worse case", "gains", *(f"judge {judge.name}" for judge in others)]
    lines = [[HONEST.name, honest.right.text(), honest.wrong.text(), *[""] * (1 + len(others))]]
    for name, row in fair.items():
        lines.append([name, row.right.text(), row.wrong.text(), row.gain.text(signed=True)])
        lines[-1] += [gains[name, judge.name] for judge in others]
    told = [head, ["---"] * len(head), *lines]
    return "\n".join(
        [f"## {game.name}", "", " ".join(said), "", *(f"| {' | '.join(cells)} |" for cells in told)]
    ), faults


def played(name: str, judge: str, matches: int) -> list[Row]:
    """The rows of a game before this judge."""
    found = next(known for known in JUDGES if known.name == judge)
    return list(rows(games()[name], found, matches if found is FAIR else -(-matches // BEFORE_OTHERS)))


def write(section: str) -> None:
    """Put a section into the page, in the place of the one before it."""
    head, *old = PAGE.read_text("utf-8").split("\n## ")
    kept = {text.partition("\n")[0]: text.strip() for text in [*old, section.removeprefix("## ")]}
    PAGE.write_text("\n\n## ".join([head.rstrip(), *kept.values()]) + "\n", "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--only", choices=sorted(games()))
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    wrong = 0
    with ProcessPoolExecutor(WORKERS) as pool:
        waiting = {
            name: [pool.submit(played, name, judge, given.matches) for judge in game.judges]
            for name, game in games().items()
            if given.only in (None, name)
        }
        for name, parts in waiting.items():
            section, faults = table(games()[name], [row for part in parts for row in part.result()], given.matches)
            print(section, flush=True)
            print(*(f"{name}: {fault}" for fault in faults), sep="\n", file=sys.stderr)
            wrong += len(faults)
            if given.write:
                write(section)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
