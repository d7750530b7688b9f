"""Preferences: of two texts of a debate, which one a judge or a vote preferred. Nothing else makes a pair."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations


@dataclass(frozen=True, slots=True)
class Preference:
    """Two texts for the same prompt. `by` is who preferred one, a judge's name or `votes`; `votes` are those for the
    chosen and for the rejected text."""

    prompt: str
    chosen: str
    rejected: str
    chosen_from: str
    rejected_from: str
    by: str
    votes: tuple[int, int] | None = None


@dataclass(slots=True)
class Preferences:
    """The pairs of a debate, and how many were left out because nobody preferred either."""

    pairs: list[Preference] = field(default_factory=list)
    ties: int = 0


def between_cases(
    prompt: str,
    cases: Mapping[str, Sequence[str]],
    winner: str | None,
    by: str,
    votes: tuple[int, int] | None = None,
) -> Preferences:
    """What the winner said against what each other side said, each as a whole: a verdict is on that, and not on a
    single statement. Without a winner it is a tie."""
    whole = {name: "\n\n".join(texts) for name, texts in cases.items() if texts}
    if winner is None or winner not in whole:
        return Preferences(ties=1)
    others = [(name, text) for name, text in whole.items() if name != winner]
    return Preferences([Preference(prompt, whole[winner], text, winner, name, by, votes) for name, text in others])


def from_ballots(prompt: str, texts: Mapping[str, str], ballots: Mapping[str, Sequence[str]]) -> Preferences:
    """Every two texts that more voters put in one order than in the other. `ballots` are rankings by voter, the best
    first; what a ballot does not name comes after what it names. Nobody votes on a pair with an own text."""
    found = Preferences()
    for one, other in combinations(texts, 2):
        rankings = [ranking for voter, ranking in ballots.items() if voter not in (one, other)]
        ahead, behind = (sum(_before(ranking, *pair) for ranking in rankings) for pair in ((one, other), (other, one)))
        if ahead == behind or texts[one] == texts[other]:
            found.ties += 1
            continue
        chosen, rejected = (one, other) if ahead > behind else (other, one)
        votes = (max(ahead, behind), min(ahead, behind))
        found.pairs.append(Preference(prompt, texts[chosen], texts[rejected], chosen, rejected, "votes", votes))
    return found


def _before(ranking: Sequence[str], one: str, other: str) -> bool:
    return one in ranking and (other not in ranking or ranking.index(one) < ranking.index(other))
