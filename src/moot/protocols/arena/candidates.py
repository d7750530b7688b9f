"""The candidates of the vote: proposals that decide the same count as one, so that agreement costs no votes.

Two proposals decide the same if their decisions have the same wording, or if both authors say so. The authors are
asked only if the proposals are similar enough. In a group of three, every pair must decide the same.
"""

from collections.abc import Sequence
from itertools import combinations

from moot.protocols.arena.cast import Arena, Seat
from moot.protocols.arena.convergence import compare, found_same, text_of, threshold_needed
from moot.stats.similarity import Alike, alike
from moot.text.prose import plain_words

Pairs = set[tuple[str, str]]


async def find_candidates(arena: Arena, number: int) -> list[list[str]]:
    """The authors of equal decisions, by wording and by their answers, in the order of the cast; most groups have one
    member."""
    seats = arena.proposing
    same = {(a.name, b.name) for a, b in combinations(seats, 2) if plain_words(a.decision) == plain_words(b.decision)}
    near = await _near(arena, number, seats)
    asked = [seat for seat in seats if near[seat.name]]
    answers = await arena.room.together(
        *(compare(arena, seat, near[seat.name], f"compare/{number}", number, "voting") for seat in asked)
    )
    said = {(answer.speaker, of) for given in answers for answer in given if (of := found_same(answer))}
    same |= {(a.name, b.name) for a, b in combinations(seats, 2) if {(a.name, b.name), (b.name, a.name)} <= said}
    return grouped([seat.name for seat in seats], same)


def grouped(names: Sequence[str], same: Pairs) -> list[list[str]]:
    """Group the names so that within a group each pair decides the same."""
    groups: list[list[str]] = []
    for name in names:
        fitting = (group for group in groups if all((other, name) in same for other in group))
        group = next(fitting, None)
        if group is None:
            groups.append([name])
        else:
            group.append(name)
    return groups


async def _near(arena: Arena, number: int, seats: Sequence[Seat]) -> dict[str, list[Seat]]:
    """For each agent, the others whose proposals are similar enough to ask about; those with the same wording need
    no question. Empty if similarity cannot be measured."""
    texts = [text_of(seat.proposal) for seat in seats]

    async def measure() -> Alike:
        return await alike(texts)

    found = await arena.room.learn(Alike, f"candidates/{number}", measure)
    least = threshold_needed(arena, found)
    near: dict[str, list[Seat]] = {seat.name: [] for seat in seats}
    for (a, b), similarity in zip(combinations(seats, 2), found.similarities, strict=False):
        if similarity >= least and plain_words(a.decision) != plain_words(b.decision):
            near[a.name].append(b)
            near[b.name].append(a)
    return near
