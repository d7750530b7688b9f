"""Agreement between rankings."""

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from statistics import fmean

from pydantic import BaseModel, ConfigDict

LEAST_SHOWN = 0.005
"""Less of a place looks like none, with two digits."""
LEAST_JUDGES = 4
"""With fewer rankings, all count."""


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
    spread = sum((total - judges * (count - 1) / 2) ** 2 for total in sums)
    return 12 * spread / (judges**2 * (count**3 - count))


class Placed(BaseModel):
    """The place of one author's work in rankings by all authors, counted from 1. `place` leaves out votes for oneself,
    `own` is the place that the author gives it; None without such a ranking. `firsts` is how many others rank it
    first."""

    model_config = ConfigDict(frozen=True)

    name: str
    place: float | None
    own: int | None
    firsts: int

    @property
    def cells(self) -> list[str]:
        """The three figures for a table."""
        return ["–" if self.place is None else f"{self.place:g}", str(self.own or "–"), str(self.firsts)]


def odd_one(rankings: Mapping[str, Sequence[str]]) -> str | None:
    """Whose ranking of others' works agrees least with those of the others, by the share of pairs, if there are enough
    without it; None if it is not one alone."""

    def agreement(judge: str) -> float:
        pairs = list(combinations([name for name in rankings[judge] if name != judge], 2))
        others = [list(one) for name, one in rankings.items() if name != judge]
        return fmean([other.index(a) < other.index(b) for a, b in pairs for other in others] or [1])

    if len(rankings) < LEAST_JUDGES:
        return None
    ordered = sorted(rankings, key=agreement)
    return ordered[0] if agreement(ordered[0]) < agreement(ordered[1]) else None


def placed(rankings: Mapping[str, Sequence[str]], names: Sequence[str] = ()) -> list[Placed]:
    """Everybody in `rankings`, which name the authors with the best first, in the order of the places. Each is a vote
    on any two works. A vote for one's own work does not count, and neither does the ranking of the odd one; one for
    another's work over one's own does. The place is one more than the number of works that most of those votes put
    ahead; a tie counts half. So whoever ranks a rival last gains little. `names` are those to list if nobody has
    ranked."""
    listed = dict.fromkeys([*names, *(name for ranking in rankings.values() for name in ranking)])
    odd, found = odd_one(rankings), []
    counted = {judge: ranking for judge, ranking in rankings.items() if judge != odd}
    for name in listed:
        ahead = [_is_ahead(counted, rival, name) for rival in listed if rival != name]
        known = [each for each in ahead if each is not None]
        found.append(
            Placed(
                name=name,
                place=round(1 + len(ahead) * fmean(known), 9) if known else None,
                own=list(rankings[name]).index(name) + 1 if name in rankings.get(name, ()) else None,
                firsts=sum(ranking[0] == name for judge, ranking in counted.items() if ranking and judge != name),
            )
        )
    return sorted(found, key=lambda one: (one.place is None, one.place))


def _is_ahead(rankings: Mapping[str, Sequence[str]], one: str, other: str) -> float | None:
    """1 if most votes put one ahead of the other, 0 if fewer do, 0.5 on a tie; None without a vote that counts."""
    votes = []
    for judge, ranking in rankings.items():
        if one in ranking and other in ranking:
            ahead = list(ranking).index(one) < list(ranking).index(other)
            if judge != (one if ahead else other):
                votes.append(ahead)
    return (1 + (2 * sum(votes) > len(votes)) - (2 * sum(votes) < len(votes))) / 2 if votes else None


def self_preference(places: Sequence[Placed]) -> float | None:
    """By how many places authors rank their own work above its place, on average."""
    gaps = [one.place - one.own for one in places if one.place is not None and one.own is not None]
    return fmean(gaps) if gaps else None


def preference_in_words(places: float | None) -> str:
    """What a self-preference says: where authors place their own work."""
    if places is None:
        return "–"
    if abs(places) < LEAST_SHOWN:
        return "at its place, on average"
    return f"{abs(places):.2f} places {'above' if places > 0 else 'below'} its place, on average"
