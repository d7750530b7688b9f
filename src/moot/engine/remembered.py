"""Remembered: what a protocol gives a memory to keep of a finished debate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Remembered:
    """`decision` is empty where nothing was decided. Every pair of the agents in `scores` is a game that the higher one
    won. `votes` have, by agent, how sure it was and whether it was right."""

    question: str
    decision: str
    verdict: str = ""
    decided_by: str = ""
    confidence: float | None = None
    evidence: Sequence[str] = ()
    dissent: Sequence[Mapping[str, str]] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    votes: Mapping[str, tuple[float, bool]] = field(default_factory=dict)
