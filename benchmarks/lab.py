"""The lab: which strategies pay, in every way of debating? Scripted agents of known merit, judges of known error.

    python benchmarks/lab.py [--matches N] [--only GAME] [--write]

A table for each game: how often who has the better case gets what it wants, and what each strategy gains over honest
play in the same matches, in points of a hundred, with the interval of 95 %. `--write` puts the tables into docs/lab.md.
It exits with 1 where a strategy gains more than 5 points before a fair judge.
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

from strategies import FAIR, HONEST, JUDGES, STRATEGIES, Game, Judge, Match

MODULES = ("lab_rooms", "lab_groups", "lab_chaired", "dialogues", "deciding")
"""The modules that may have `GAMES`. Each is beside this one."""
MATCHES = 200
"""For each strategy and side, before a fair judge."""
BEFORE_OTHERS = 8
"""Before each other judge there are so many times fewer."""
MOST = 5.0
"""Points that a strategy may gain before a fair judge."""
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


def outcomes(game: Game, strategy: str, judge: Judge, *, right: bool, matches: int) -> list[float]:
    return [game.play(Match(strategy, right, seed, judge)) for seed in range(matches)]


def rows(game: Game, matches: int, judges: Sequence[Judge] = JUDGES) -> Iterator[Row]:
    """Honest play before every judge, then every other strategy."""
    for judge in (one for one in judges if one.name in game.judges):
        count = matches if judge is FAIR else -(-matches // BEFORE_OTHERS)
        honest = {right: outcomes(game, HONEST.name, judge, right=right, matches=count) for right in (True, False)}
        for strategy in (one for one in STRATEGIES if one.name in game.strategies):
            played = {
                right: honest[right]
                if strategy is HONEST
                else outcomes(game, strategy.name, judge, right=right, matches=count)
                for right in (True, False)
            }
            gained = [now - then for right in honest for now, then in zip(played[right], honest[right], strict=True)]
            right, wrong = Estimate.of(played[True]), Estimate.of(played[False])
            yield Row(strategy.name, judge.name, right, wrong, Estimate.of(gained))


def table(game: Game, matches: int) -> tuple[str, list[Row]]:
    """The section of a game, and the rows that pay before a fair judge."""
    found = list(rows(game, matches))
    fair = {row.strategy: row for row in found if row.judge == FAIR.name}
    others = [judge for judge in JUDGES[1:] if judge.name in game.judges]
    told = {(row.strategy, row.judge): row.gain.text(signed=True) for row in found}
    better = f"Who has the better case gets it in {fair[HONEST.name].right.text()} of 100 honest matches"
    if game.alone:
        alone = Estimate.of([game.alone(Match(HONEST.name, True, seed)) for seed in range(matches)])
        better += f", and in {alone.text()} by the first statements alone"
    poor = [f"{row.right.text()} where the judge {row.judge}" for row in found if row.strategy == HONEST.name][1:]
    held = f"{matches} matches for each strategy and side."
    intro = f"Wanted: {game.wants}. {better}{'; ' if poor else ''}{', '.join(poor)}. {held}"
    lines = [f"## {game.name}", "", intro, ""]
    head = ["strategy", "better case", "worse case", "gains", *(f"judge {judge.name}" for judge in others)]
    lines += [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for name, row in fair.items():
        gains = [row.gain.text(signed=True), *(told[name, judge.name] for judge in others)]
        cells = [
            name,
            row.right.text(),
            row.wrong.text(),
            *(["", *([""] * len(others))] if name == "honest" else gains),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines), [row for row in fair.values() if row.pays]


def section(name: str, matches: int) -> tuple[str, list[Row]]:
    return table(games()[name], matches)


def write(sections: Sequence[str]) -> None:
    """Put these sections into the page, each in the place of the one before it."""
    head, *old = PAGE.read_text("utf-8").split("\n## ")
    kept = {text.partition("\n")[0]: text.strip() for text in old}
    kept |= {text.removeprefix("## ").partition("\n")[0]: text.removeprefix("## ") for text in sections}
    PAGE.write_text("\n\n## ".join([head.rstrip(), *kept.values()]) + "\n", "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--only", choices=sorted(games()))
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    names = [given.only] if given.only else list(games())
    with ProcessPoolExecutor(2) as pool:
        sections = list(pool.map(section, names, [given.matches] * len(names)))
    text = "\n\n".join(told for told, _ in sections)
    print(text)
    if given.write:
        write([told for told, _ in sections])
    paying = [(name, row) for name, (_, found) in zip(names, sections, strict=True) for row in found]
    for name, row in paying:
        print(f"{name}: {row.strategy} gains {row.gain.text()} points before a fair judge", file=sys.stderr)
    return 1 if paying else 0


if __name__ == "__main__":
    sys.exit(main())
