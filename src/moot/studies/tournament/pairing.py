"""The pairs of a tournament, in stages that are batches.

In a round robin a stage has all pairs, on the motions up to the next look. In a Swiss tournament a stage is a round:
all motions, for pairs of about as many points who have not met.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import ceil, log2

from moot.studies.tournament.file import Pair, TournamentFile, most_rounds

FEW = 8
"""Up to this many models, all pairings are tried."""
NOBODY = ""
"""The opponent of the model that is left out of a round."""
Known = AbstractSet[frozenset[str]]
"""Pairs that have met."""


@dataclass(frozen=True, slots=True)
class Stage:
    """`motions` are numbers of the file's list."""

    number: int
    pairs: list[Pair]
    motions: list[int]


def sizes_of(file: TournamentFile) -> list[int]:
    """The numbers of motions at the looks of a round robin; the last one is that of all motions."""
    total = len(file.motions)
    return [one for one in file.looks if one < total] + [total]


def rounds_of(file: TournamentFile) -> int:
    """The rounds of a Swiss tournament: enough to tell the first, and one more, but no pair twice."""
    return file.rounds or min(ceil(log2(len(file.models))) + 1, most_rounds(len(file.models)))


def stages_of(file: TournamentFile) -> int:
    return rounds_of(file) if file.pairing == "swiss" else len(sizes_of(file))


def order_of(file: TournamentFile) -> list[int]:
    """The motions in random order, so that those before a look are a fair sample. Every other motion of the file is
    opened by the side for it, and both kinds alternate."""
    lots = random.Random(f"{file.seed}/motions")  # noqa: S311 (to be repeated, not a secret)
    first, second = ([number for number in range(len(file.motions)) if number % 2 == kind] for kind in (0, 1))
    lots.shuffle(first)
    lots.shuffle(second)
    mixed = [number for pair in zip(first, second, strict=False) for number in pair]
    return mixed + first[len(second) :]


def stage_of(file: TournamentFile, number: int, earlier: Sequence[Stage], points: Mapping[str, float]) -> Stage | None:
    """The stage with this number, from 1; None if nobody is left to pair. `points` are those of all earlier stages, for
    each as a share of its debates, so that neither an outage nor being left out is a loss."""
    if file.pairing == "swiss":
        met = [pair for stage in earlier for pair in stage.pairs]
        pairs = swiss_pairs(file.models, met, points, file.seed, rounds_of(file) - number)
        return Stage(number, pairs, list(range(len(file.motions)))) if pairs else None
    sizes = [0, *sizes_of(file)]
    return Stage(number, file.pairs, order_of(file)[sizes[number - 1] : sizes[number]])


def swiss_pairs(
    models: Sequence[str], met: Sequence[Pair], points: Mapping[str, float], seed: int, later: int = 0
) -> list[Pair]:
    """The pairs of the next round: those with the most points first, against the next who has not been met. With an odd
    number one is left out, of those left out least often the one with the fewest points. Ties are broken at random. If
    there are few models, pairs are chosen so that the `later` rounds can be paired, too."""
    lots = list(models)
    random.Random(f"{seed}/pairs").shuffle(lots)  # noqa: S311 (to be repeated, not a secret)
    ranked = sorted(lots, key=lambda one: -points.get(one, 0.0))
    known, seats = {frozenset(pair) for pair in met}, ranked
    if len(ranked) % 2:
        played = {one: sum(one in pair for pair in met) for one in models}
        known |= {frozenset((NOBODY, one)) for one in models if played[one] < max(played.values())}
        seats = [NOBODY, *ranked]
    places = {model: place for place, model in enumerate(models)}
    found = _pairing(seats, known) if len(seats) > FEW else _first_of_all(seats, known, later)
    return [
        (min(pair, key=places.__getitem__), max(pair, key=places.__getitem__)) for pair in found if NOBODY not in pair
    ]


def _choices(first: str, others: Sequence[str], known: Known) -> list[str]:
    """The possible opponents of a model, the best first; to be left out of a round, the last one comes first."""
    return [one for one in (reversed(others) if first == NOBODY else others) if frozenset((first, one)) not in known]


def _first_of_all(seats: Sequence[str], known: Known, later: int) -> list[Pair]:
    """The first pairing after which this many later rounds can be paired; empty if there is none."""
    for found in _pairings(seats, known):
        if not later or _first_of_all(seats, known | set(map(frozenset, found)), later - 1):
            return found
    return []


def _pairings(seats: Sequence[str], known: Known) -> Iterator[list[Pair]]:
    if not seats:
        yield []
        return
    first, *others = seats
    for other in _choices(first, others, known):
        for found in _pairings([one for one in others if one != other], known):
            yield [(first, other), *found]


def _pairing(seats: Sequence[str], known: Known) -> list[Pair]:
    """A pairing of many, of whom everybody has met less than half of the others. Two who are left over and have met
    each other change partners with another pair. There is always one: the two have not met at least as many as there
    are seats, so three of the four possible partners in some pair."""
    mates: dict[str, str] = {}
    for first in seats:
        free = [one for one in seats if one not in mates and one != first]
        if first not in mates and (choices := _choices(first, free, known)):
            mates |= {first: choices[0], choices[0]: first}
    alone = [one for one in seats if one not in mates]
    for one, other in zip(alone[::2], alone[1::2], strict=True):
        new = next(
            new
            for new in reversed(seats)
            if new in mates and not known & {frozenset((one, new)), frozenset((other, mates[new]))}
        )
        mates |= {one: new, other: mates[new], mates[new]: other, new: one}
    return [(one, mates[one]) for place, one in enumerate(seats) if mates[one] in seats[place + 1 :]]
