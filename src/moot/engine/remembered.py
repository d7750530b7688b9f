"""The data about a finished debate that a protocol gives to a memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Remembered:
    """`decision` is empty where nothing was decided. Every pair of the agents in `scores` is a game that the higher one
    won; where there are none, `unrated` says why. `models` are those that each agent spoke through: what is rated is
    both together."""

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
    """A vote: how sure its voter was, None where an agent agreed without a vote; whether the judges put the same first,
    None where that is not known; and whether it was for what was decided, None where nothing was."""

    confidence: float | None
    right: bool | None
    for_decision: bool | None = None
