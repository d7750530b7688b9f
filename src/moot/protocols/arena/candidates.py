"""The candidates of the vote: proposals that decide the same count as one, so that agreement costs no votes.

Decisions with the same wording are the same. Others are if all authors say so of each other, who are asked only if the
proposals are similar enough. Where that is no equivalence, as when A equals B and B equals C but A does not equal C,
none of them are merged, so that nothing depends on the order of the cast.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations, product

from moot.protocols.arena.cast import Arena, Seat
from moot.protocols.arena.convergence import compare, found_same, text_of, threshold_needed
from moot.stats.similarity import Alike, alike
from moot.text.prose import plain_words

Pairs = set[tuple[str, str]]


async def find_candidates(arena: Arena, number: int) -> list[list[str]]:
    """The authors of equal decisions, by wording and by their answers, in the order of the cast; most groups have one
    member."""
    seats = arena.proposing
    near = await _near(arena, number, seats)
    asked = [seat for seat in seats if near[seat.name]]
    answers = await arena.room.together(
        *(compare(arena, seat, near[seat.name], f"compare/{number}", number, "voting") for seat in asked)
    )
    said = {(answer.speaker, of) for given in answers for answer in given if (of := found_same(answer))}
    return grouped({seat.name: seat.decision for seat in seats}, said)


def grouped(decisions: Mapping[str, str], said: Pairs) -> list[list[str]]:
    """Group the authors of these decisions; in `said` the first of a pair says that the other decides the same."""
    authors: dict[str, list[str]] = {}
    for name, decision in decisions.items():
        authors.setdefault(plain_words(decision), []).append(name)

    def are_same(one: str, other: str) -> bool:
        return one == other or all({(a, b), (b, a)} <= said for a, b in product(authors[one], authors[other]))

    same = {one: [other for other in authors if are_same(one, other)] for one in authors}
    merged = [words if all(same[one] == words for one in words) else [own] for own, words in same.items()]
    groups = {tuple(name for name in decisions if plain_words(decisions[name]) in words) for words in merged}
    return sorted(map(list, groups), key=lambda group: list(decisions).index(group[0]))


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
