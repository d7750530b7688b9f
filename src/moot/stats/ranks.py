"""Agreement between rankings."""

from collections.abc import Hashable, Mapping, Sequence
from statistics import fmean

from pydantic import BaseModel, ConfigDict


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
    """The place of one author's work in rankings by all authors, counted from 1. `mean` is by the others, `own` is by
    the author; None without a ranking. `firsts` is how many of the others rank it first."""

    model_config = ConfigDict(frozen=True)

    name: str
    mean: float | None
    own: int | None
    firsts: int


def placed(rankings: Mapping[str, Sequence[str]], names: Sequence[str] = ()) -> list[Placed]:
    """Everybody in `rankings`, which name the authors with the best first, in the order of the mean places. Nobody's
    ranking counts for the own work. `names` are those to list if nobody has ranked."""
    listed = dict.fromkeys([*names, *(name for ranking in rankings.values() for name in ranking)])
    found = []
    for name in listed:
        places = {judge: list(ranking).index(name) + 1 for judge, ranking in rankings.items() if name in ranking}
        own, others = places.pop(name, None), list(places.values())
        found.append(
            Placed(name=name, mean=fmean(others) if others else None, own=own, firsts=others.count(1)),
        )
    return sorted(found, key=lambda one: (one.mean is None, one.mean))


def self_preference(places: Sequence[Placed]) -> float | None:
    """By how many places authors rank their own work above the mean place that the others give it, on average."""
    gaps = [one.mean - one.own for one in places if one.mean is not None and one.own is not None]
    return fmean(gaps) if gaps else None
