"""Who debates whom: the stages of a tournament, each of which is a batch.

In a round robin a stage has all pairs, on the motions up to the next look. In a Swiss tournament a stage is a round:
all motions, for pairs of about as many points who have not met.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log2

from moot.studies.tournament.file import Pair, TournamentFile, most_rounds


@dataclass(frozen=True, slots=True)
class Stage:
    """`motions` are numbers of the file's list."""

    number: int
    pairs: list[Pair]
    motions: list[int]


def sizes_of(file: TournamentFile) -> list[int]:
    """The numbers of motions at the looks of a round robin, of which the last is that of all motions."""
    total = len(file.motions)
    return [one for one in file.looks if one < total] + [total]


def rounds_of(file: TournamentFile) -> int:
    """The rounds of a Swiss tournament: enough to tell the first, and one more, but no pair twice."""
    return file.rounds or min(ceil(log2(len(file.models))) + 1, most_rounds(len(file.models)))


def stages_of(file: TournamentFile) -> int:
    return rounds_of(file) if file.pairing == "swiss" else len(sizes_of(file))


def order_of(file: TournamentFile) -> list[int]:
    """The motions in an order by lot, so that those before a look are a fair sample. Every other motion of the file is
    opened by the side for it, and both kinds alternate."""
    lots = random.Random(f"{file.seed}/motions")  # noqa: S311 (to be repeated, not a secret)
    first, second = ([number for number in range(len(file.motions)) if number % 2 == kind] for kind in (0, 1))
    lots.shuffle(first)
    lots.shuffle(second)
    mixed = [number for pair in zip(first, second, strict=False) for number in pair]
    return mixed + first[len(second) :]


def stage_of(file: TournamentFile, number: int, earlier: Sequence[Stage], points: Mapping[str, float]) -> Stage | None:
    """The stage with this number, from 1; None if nobody is left to pair. `points` are those of all earlier stages."""
    if file.pairing == "swiss":
        met = [pair for stage in earlier for pair in stage.pairs]
        pairs = swiss_pairs(file.models, met, points, file.seed)
        return Stage(number, pairs, list(range(len(file.motions)))) if pairs else None
    sizes = [0, *sizes_of(file)]
    return Stage(number, file.pairs, order_of(file)[sizes[number - 1] : sizes[number]])


def swiss_pairs(models: Sequence[str], met: Sequence[Pair], points: Mapping[str, float], seed: int) -> list[Pair]:
    """The pairs of the next round: those with the most points first, against the next who has not been met. With an odd
    number one is left out, of those left out least often the one with the fewest points. Ties are broken by lot."""
    lots = list(models)
    random.Random(f"{seed}/pairs").shuffle(lots)  # noqa: S311 (to be repeated, not a secret)
    ranked = sorted(lots, key=lambda one: -points.get(one, 0.0))
    known = {frozenset(pair) for pair in met}
    places = {model: place for place, model in enumerate(models)}
    played = {one: sum(one in pair for pair in met) for one in models}
    lowest = sorted(ranked, key=lambda one: (-played[one], -ranked.index(one)))
    for left in lowest if len(ranked) % 2 else [None]:
        if found := _paired([one for one in ranked if one != left], known):
            return [(one, other) if places[one] < places[other] else (other, one) for one, other in found]
    return []


def _paired(ranked: list[str], known: set[frozenset[str]]) -> list[Pair] | None:
    if not ranked:
        return []
    first, rest = ranked[0], ranked[1:]
    for other in rest:
        if frozenset((first, other)) not in known:
            found = _paired([one for one in rest if one != other], known)
            if found is not None:
                return [(first, other), *found]
    return None
