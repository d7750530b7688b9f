"""What the statistics of tournaments promise, measured: simulated leagues whose strengths are known.

    python benchmarks/league_statistics.py [REPETITIONS]

Models are better on some motions than on others, motions favour a side, and some debates are ties. The truth is the
strengths that fit infinitely many motions. Prints lines for the table of docs/statistics.md.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from moot.stats import Meeting, holm, strengths_of
from moot.stats.strengths import fit
from moot.studies.tournament.analysis import LEVEL, Debate, pair_test, points_taken
from moot.studies.tournament.design import Tournament

RANDOM = np.random.default_rng(25)
Line = tuple[str, str, str]
SIDE = 0.5
"""How far motions favour a side, in logits."""


def chances(apart: Any, side: Any) -> Any:
    return 1 / (1 + np.exp(-(apart + side)))


def motion(strengths: Any, spread: float, ties: float, pairs: Sequence[tuple[int, int]], name: str) -> list[Debate]:
    """Both debates of these pairs on one motion."""
    here = strengths + spread * RANDOM.standard_normal(len(strengths))
    side = SIDE * RANDOM.standard_normal()
    found = []
    for one, other in pairs:
        for first, second in ((one, other), (other, one)):
            won = float(RANDOM.random() < chances(here[first] - here[second], side))
            points = 0.5 if RANDOM.random() < ties else won
            found.append(Debate(name, f"{name} {one} {other}", str(first), str(second), points, {}))
    return found


def truth(strengths: Any, spread: float, ties: float) -> Any:
    """The strengths that fit the mean points of 40,000 motions."""
    lots, number = np.random.default_rng(0), len(strengths)
    here = strengths + spread * lots.standard_normal((40_000, number))
    side = SIDE * lots.standard_normal(40_000)
    points = np.zeros((number, number))
    for one, other in combinations(range(number), 2):
        apart = here[:, one] - here[:, other]
        mean = float(np.mean(chances(apart, side) + chances(apart, -side)) / 2)
        points[one, other] = ties / 2 + (1 - ties) * mean
        points[other, one] = 1 - points[one, other]
    return fit(1e6 * points[None], 1e6 * (1 - np.eye(number))[None])[0]


def coverage(times: int) -> Iterator[Line]:
    designs = [
        (3, 6, 0.0, 1.0, 0.0),
        (3, 8, 0.7, 1.0, 0.0),
        (4, 8, 0.7, 0.5, 0.15),
        (4, 12, 0.0, 1.0, 0.0),
        (4, 12, 0.7, 1.0, 0.15),
        (6, 12, 0.7, 1.0, 0.15),
        (4, 20, 0.7, 1.0, 0.15),
        (4, 40, 0.7, 1.0, 0.15),
        (6, 20, 0.7, 2.0, 0.15),
        (3, 12, 0.7, 3.0, 0.0),
    ]
    for models, motions, spread, reach, ties in designs:
        strengths = np.linspace(-reach, reach, models)
        pairs = list(combinations(range(models), 2))

        def league(s: Any = strengths, n: int = motions, w: float = spread, t: float = ties, p: Any = pairs) -> Any:
            return [one for number in range(n) for one in motion(s, w, t, p, str(number))]

        told = (
            f"a league of {models}, {motions} motions on which models differ by {spread:g} logit, strengths ±{reach:g}"
        )
        yield f"{told}, {ties:.0%} ties", "interval covers", covered(league, truth(strengths, spread, ties), times)


def covered(league: Any, true: Any, times: int) -> str:
    inside, opened, names = 0, 0, [str(place) for place in range(len(true))]
    for _ in range(times):
        meetings = [Meeting(one.motion, one.for_model, one.against_model, one.points, 1) for one in league()]
        for one, value in zip(strengths_of(names, meetings), true, strict=True):
            low, high = -np.inf if one.low is None else one.low, np.inf if one.high is None else one.high
            inside += low <= value <= high
            opened += one.open is not None
    told = f"{inside / times / len(true):.1%}"
    return f"{told}, {opened / times / len(true):.0%} open" if opened else told


def telling(times: int) -> Iterator[Line]:
    """How often models are told apart, wrongly or rightly."""
    motions = 24
    for models, reach, what in ((4, 0.0, "any two are told apart"), (4, 1.0, "first and last are told apart")):
        names = [str(place) for place in range(models)]
        design = Tournament(models=names, motions=["x"], families={name: name for name in names})
        strengths = np.linspace(reach, -reach, models)
        pairs, hits, wrong = list(combinations(range(models), 2)), 0, 0
        for _ in range(times):
            debates = [one for number in range(motions) for one in motion(strengths, 0.7, 0.15, pairs, str(number))]
            tests = [pair_test(design, pair, points_taken(debates)) for pair in design.pairs]
            adjusted = holm([p for _, p, _ in tests])
            said = {
                pair if lead > 0 else pair[::-1]
                for pair, (_, _, lead), p in zip(design.pairs, tests, adjusted, strict=True)
                if p is not None and p < LEVEL
            }
            hits += bool(said) if not reach else ("0", str(models - 1)) in said
            wrong += any(int(one) > int(other) for one, other in said) if reach else 0
        told = "a league of 4 of the same strength" if not reach else "a league of 4, strengths ±1"
        yield f"{told}, {motions} motions", what, f"{hits / times:.1%}"
        if reach:
            yield f"{told}, {motions} motions", "any two in the wrong order", f"{wrong / times:.1%}"


def leagues(times: int) -> Iterator[Line]:
    yield from coverage(min(times, 600))
    yield from telling(min(times, 2000))


def main(times: int) -> None:
    for line in leagues(times):
        print(f"| {' | '.join(line)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
