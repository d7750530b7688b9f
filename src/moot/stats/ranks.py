"""Agreement between rankings."""

from collections.abc import Hashable, Mapping, Sequence
from statistics import fmean

from pydantic import BaseModel, ConfigDict

LEAST_SHOWN = 0.005
"""Less of a place looks like none, with two digits."""


def kendall_w(rankings: Sequence[Sequence[Hashable]]) -> float | None:
    """Kendall's coefficient of concordance: 1 if all rankings are the same, 0 if the mean places are all equal.

    Each ranking has every item once, the best first. None with fewer than two rankings or items.
    """
    items = set(rankings[0]) if rankings else set()
    for ranking in rankings:
        if set(ranking) != items or len(ranking) != len(items):
            raise ValueError("the rankings are not all of the same items")
    judges, count = len(rankings), len(items)
    if judges < 2 or count < 2:
        return None
    sums = [sum(list(ranking).index(item) for ranking in rankings) for item in items]
    spread = sum((one - judges * (count - 1) / 2) ** 2 for one in sums)
    return 12 * spread / (judges**2 * (count**3 - count))


class Placed(BaseModel):
    """The place of one author's work in rankings by all authors, counted from 1. `mean` is by those who have no work of
    their own in the comparison, `own` is by the author; None without such a ranking. `firsts` is how many of the others
    rank it first, when their own is left out."""

    model_config = ConfigDict(frozen=True)

    name: str
    mean: float | None
    own: int | None
    firsts: int

    @property
    def cells(self) -> list[str]:
        """The three figures for a table."""
        return ["–" if self.mean is None else f"{self.mean:.2f}", str(self.own or "–"), str(self.firsts)]


def placed(rankings: Mapping[str, Sequence[str]], names: Sequence[str] = ()) -> list[Placed]:
    """Everybody in `rankings`, which name the authors with the best first, in the order of the mean places. Of any two
    works, only rankings by others than their authors count: who puts the own work first must not move the rest down.
    The mean place is one more than the number of works ahead, each by its share of those rankings. `names` are those
    to list if nobody has ranked."""
    listed = dict.fromkeys([*names, *(name for ranking in rankings.values() for name in ranking)])
    found = []
    for name in listed:
        shares = [_share_ahead(rankings, rival, name) for rival in listed if rival != name]
        known = [share for share in shares if share is not None]
        first = [next((one for one in ranking if one != judge), None) for judge, ranking in rankings.items()]
        found.append(
            Placed(
                name=name,
                mean=round(1 + len(shares) * fmean(known), 9) if known else None,
                own=list(rankings[name]).index(name) + 1 if name in rankings.get(name, ()) else None,
                firsts=first.count(name),
            )
        )
    return sorted(found, key=lambda one: (one.mean is None, one.mean))


def _share_ahead(rankings: Mapping[str, Sequence[str]], one: str, other: str) -> float | None:
    """The share of the rankings by others in which one is ahead of the other; None if nobody else has ranked both."""
    judged = [list(ranking) for judge, ranking in rankings.items() if judge not in (one, other)]
    ahead = [ranking.index(one) < ranking.index(other) for ranking in judged if one in ranking and other in ranking]
    return fmean(ahead) if ahead else None


def self_preference(places: Sequence[Placed]) -> float | None:
    """By how many places authors rank their own work above its mean place, on average."""
    gaps = [place.mean - place.own for place in places if place.mean is not None and place.own is not None]
    return fmean(gaps) if gaps else None


def preference_in_words(places: float | None) -> str:
    """What a self-preference says: where authors place their own work."""
    if places is None:
        return "–"
    if abs(places) < LEAST_SHOWN:
        return "where the others place it, on average"
    return f"{abs(places):.2f} places {'higher' if places > 0 else 'lower'} than the others place it, on average"
