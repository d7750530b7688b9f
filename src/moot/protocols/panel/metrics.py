"""Quality metrics of a panel's debate. Each is defined in its docstring; none is a model's judgement."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import combinations

from pydantic import BaseModel

from moot.protocols.panel.payloads import Brief, Decision, Position, Synthesis
from moot.voting.weighted import Rules, Vote, count, shown

Said = tuple[str, Position]
"""A persona and a position of its."""


class Diversity(BaseModel):
    """How different the arguments are: the share of the panel, validators included, that argued on the last version of
    the idea; and the mean distance between any two panellists' arguments (claims and evidence of all rounds), from 0
    for the same words to 1 for no word in common: 1 minus the cosine of the counts of their words. It takes the
    arguments of two panellists."""

    perspectives: float
    distance: float | None


class Constructiveness(BaseModel):
    """Whether criticism helps, over all versions of the idea. A criticism is a position that names a weakness, or
    disagrees with somebody in whole or in part; it has a fix if it also proposes a modification. A proposal is adopted
    if a validator who holds the decision named it as adopted or, where each change is voted on, if it carried. The same
    words on one version count once."""

    criticisms: int
    with_fix: float | None
    proposals: int
    adopted: float | None


class RoundAgreement(BaseModel):
    """How the panellists' weight is divided after a round, validators not counted as they vote only at the end.
    `agreement` is the share of the label with the most weight; `leading` is null on a tie."""

    version: int
    round: int
    shares: dict[str, float]
    leading: str | None
    agreement: float


class Convergence(BaseModel):
    """Whether the panellists came closer: the change of their agreement, the largest share of their weight that one
    label has, from the first to the last round on the last version. Not measured with fewer than two rounds, nor where
    each change is voted on by itself, as then positions have no label."""

    by_round: list[RoundAgreement]
    change: float | None


class Accuracy(BaseModel):
    """Whether the decision is the label that was known to be right; a panel without consensus is not right."""

    truth: str
    correct: bool


class Efficiency(BaseModel):
    """What was spent, over all versions, against the least that the rules allow: a unanimous first round or, with
    `--full`, the required rounds on the first version, and one ruling on them, every reply usable at once. Calls were
    answered or given up. The least tokens are those of the calls that this shortest course has, too; unknown where a
    model did not say."""

    rounds: int
    rounds_least: int
    calls: int
    calls_least: int
    tokens: int | None = None
    tokens_least: int | None = None


class Metrics(BaseModel):
    diversity: Diversity
    constructiveness: Constructiveness
    convergence: Convergence
    accuracy: Accuracy | None
    efficiency: Efficiency


def diversity(panel: int, positions: Sequence[Said], rulings: Sequence[tuple[str, Synthesis]]) -> Diversity:
    texts: dict[str, list[str]] = {}
    for persona, position in positions:
        if position.failure is None:
            texts.setdefault(persona, []).extend([position.claim or "", *position.evidence])
    heard = set(texts) | {persona for persona, ruling in rulings if ruling.failure is None}
    words = [words_in(said) for said in texts.values()]
    distances = [distance(one, other) for one, other in combinations(words, 2)]
    mean = round(sum(distances) / len(distances), 4) if distances else None
    return Diversity(perspectives=round(len(heard) / panel, 4), distance=mean)


def words_in(texts: Iterable[str]) -> Counter[str]:
    return Counter(re.findall(r"\w+", " ".join(texts).casefold()))


def distance(one: Counter[str], other: Counter[str]) -> float:
    """1 minus the cosine of two counts of words. A text without words has nothing in common with any other."""
    if one == other:
        return 0.0
    product = sum(number * other[word] for word, number in one.items())
    length = math.sqrt(sum(n * n for n in one.values()) * sum(n * n for n in other.values()))
    return 1 - product / length if length else 1.0


def constructiveness(positions: Sequence[Said], proposals: int, adopted: int) -> Constructiveness:
    critical = [position for _, position in positions if is_criticism(position)]
    fixed = sum(bool(position.modifications) for position in critical)
    return Constructiveness(
        criticisms=len(critical),
        with_fix=round(fixed / len(critical), 4) if critical else None,
        proposals=proposals,
        adopted=round(adopted / proposals, 4) if proposals else None,
    )


def is_criticism(position: Position) -> bool:
    return bool(position.acknowledged_weaknesses) or any(response.stance != "agree" for response in position.responses)


def convergence(brief: Brief, positions: Sequence[Said], version: int) -> Convergence:
    if brief.each_change:
        return Convergence(by_round=[], change=None)
    places = sorted({position.place for _, position in positions})
    by_round = [agreement_in(brief, positions, *place) for place in places]
    last = [round_ for round_ in by_round if round_.version == version]
    change = round(last[-1].agreement - last[0].agreement, 4) if len(last) > 1 else None
    return Convergence(by_round=by_round, change=change)


def agreement_in(brief: Brief, positions: Sequence[Said], version: int, number: int) -> RoundAgreement:
    given = {name: position for name, position in positions if position.place == (version, number)}
    votes = [Vote(name, one.label, Decimal(brief.weights[name])) for name, one in given.items()]
    counted = count(votes, Rules(tuple(brief.labels), Decimal(brief.threshold), 0))
    return RoundAgreement(
        version=version,
        round=number,
        shares={label: shown(counted.share(label)) for label in brief.labels},
        leading=counted.leading,
        agreement=shown(counted.agreement),
    )


def efficiency(brief: Brief, panellists: int, validators: int, decisions: Sequence[Decision], calls: int) -> Efficiency:
    rounds = sum(decision.rounds for decision in decisions)
    least = panellists * brief.least_rounds + validators
    return Efficiency(rounds=rounds, rounds_least=brief.least_rounds, calls=calls, calls_least=least)


def is_on_shortest_course(key: str, rounds: int) -> bool:
    """Whether the shortest course has this call, too: a position of so many rounds on the first version, or the ruling
    on them."""
    who, _, at = key.partition("/")
    step, number = (*at.split("/"), "")[:2]
    if "@" in who or not number.isdigit():
        return False
    return int(number) <= rounds if step == "round" else step == "rule" and int(number) == rounds
