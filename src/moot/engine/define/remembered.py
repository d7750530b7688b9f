"""The data about a finished debate that a protocol gives to a memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Remembered:
    """`decision` is empty if nothing was decided. Every pair of agents in `scores` is a game that the higher score won;
    if there are none, `unrated` says why. `models` are the models of each agent: agent and model are rated together."""

    question: str
    decision: str
    verdict: str = ""
    decided_by: str = ""
    confidence: float | None = None
    evidence: Sequence[str] = ()
    dissent: Sequence[Mapping[str, str]] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    votes: Mapping[str, "Cast"] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)
    unrated: str | None = None


class Cast(NamedTuple):
    """A vote: the confidence of its voter, None if an agent agreed without a vote; whether the judges ranked the same
    first, None if that is unknown; and whether it was for the decision, None if there was none."""

    confidence: float | None
    right: bool | None
    for_decision: bool | None = None
