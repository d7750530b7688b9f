"""The data about a finished debate that a protocol gives to a memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Proposed(NamedTuple):
    """What an agent proposed to decide, and the author whose proposal counts for all that decide the same."""

    decision: str
    side: str


class Cast(NamedTuple):
    """The side that an agent took, None if it took none; how sure it was, None if it agreed without a vote; whether
    the judges ranked the same first, None if that is unknown; and the side of its `own` proposal, if it could not vote
    for that."""

    confidence: float | None
    side: str | None
    right: bool | None = None
    own: str | None = None


@dataclass(frozen=True, slots=True)
class Remembered:
    """`decision` is empty if nothing was decided, and so is `winner`, its author. `proposals` are what could turn out
    right, by author. Every pair of agents in `ranking`, the best first, is a game, a draw among equals; if there is no
    ranking, `unrated` says why. `models` are the models of each agent: agent and model are rated together."""

    question: str
    decision: str
    verdict: str = ""
    decided_by: str = ""
    confidence: float | None = None
    evidence: Sequence[str] = ()
    dissent: Sequence[Mapping[str, str]] = ()
    winner: str = ""
    proposals: Mapping[str, Proposed] = field(default_factory=dict)
    ranking: Sequence[Sequence[str]] = ()
    votes: Mapping[str, Cast] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)
    unrated: str | None = None
