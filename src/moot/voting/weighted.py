"""A weighted vote over enumerated labels, counted exactly.

Weights and thresholds are decimal numbers; sums and shares are fractions, so that three fifths reach 0.6 exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Literal

NO_CONSENSUS = "no_consensus"
Lack = Literal["nobody_voted", "tied", "below_threshold", "validator_missing"]


@dataclass(frozen=True, slots=True)
class Vote:
    """One persona's vote. A label of None is an abstention or a missing answer: its weight still counts in the
    total."""

    persona: str
    label: str | None
    weight: Decimal
    validator: bool = False


@dataclass(frozen=True, slots=True)
class Rules:
    """The conditions for a decision: a share of the total weight, and a number of validators voting for that label."""

    labels: Sequence[str]
    threshold: Decimal
    required_validators: int


@dataclass(frozen=True, slots=True)
class Count:
    """The result of a vote. `leading` is the only label with the most weight, None on a tie or if no vote has any
    weight; `agreement` is its share. `lack` is the reason why there is no decision, and `short_of` gives it in
    words."""

    held: dict[str, Fraction]
    total: Fraction
    leading: str | None
    agreement: Fraction
    lack: Lack | None
    short_of: str | None

    @property
    def carried(self) -> bool:
        return self.short_of is None

    @property
    def decision(self) -> str:
        return self.leading if self.leading is not None and self.carried else NO_CONSENSUS

    def share(self, label: str) -> Fraction:
        """The label's share of the total weight; 0 if the total is 0."""
        return self.held[label] / self.total if self.total else Fraction(0)


def count(votes: Sequence[Vote], rules: Rules) -> Count:
    """Count the votes. Every label must be one of the rules' labels."""
    held = dict.fromkeys(rules.labels, Fraction(0))
    for vote in votes:
        if vote.label is not None:
            held[vote.label] += Fraction(vote.weight)
    total = sum((Fraction(vote.weight) for vote in votes), Fraction(0))
    most = max(held.values())
    leaders = [label for label, weight in held.items() if weight == most] if most else []
    leading = leaders[0] if len(leaders) == 1 else None
    agreement = most / total if total else Fraction(0)
    return Count(held, total, leading, agreement, *_short_of(votes, rules, leaders, agreement))


def _short_of(
    votes: Sequence[Vote], rules: Rules, leaders: Sequence[str], agreement: Fraction
) -> tuple[Lack, str] | tuple[None, None]:
    if not leaders:
        return "nobody_voted", "nobody whose vote has any weight voted"
    if len(leaders) > 1:
        return "tied", f"{' and '.join(leaders)} have the same weight"
    if agreement < Fraction(rules.threshold):
        return "below_threshold", f"{leaders[0]} has {shown(agreement)} of the weight and needs {rules.threshold}"
    holding = sum(vote.validator and vote.label == leaders[0] for vote in votes)
    if holding < rules.required_validators:
        needed = _validators(rules.required_validators)
        return "validator_missing", f"{leaders[0]} needs {needed} and has {holding or 'none'}"
    return None, None


def _validators(number: int) -> str:
    return "a validator" if number == 1 else f"{number} validators"


def shown(share: Fraction) -> float:
    """A share for people and files, rounded down, so that it never appears to reach a threshold it missed."""
    return float(Fraction(floor(share * 10_000), 10_000))
