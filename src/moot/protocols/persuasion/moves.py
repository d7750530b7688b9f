"""The moves of a persuasion dialogue and what they are about: values, without rules."""

from dataclasses import dataclass
from typing import Literal

Side = Literal["PRO", "OPP"]
Act = Literal["claim", "why", "since", "concede", "retract"]
Attack = Literal["rebut", "undercut"]
Slot = Literal["open", "answer", "argue", "attack", "defend", "again", "closing"]
Rule = Literal["opening", "challenge", "clash", "unbacked"]

ROOT = "A1"
"""The proposition under debate, φ."""
ADDED = "added"
"""Stands among the relevant facts of a proposition for a reason that was added from outside."""
OTHER: dict[Side, Side] = {"PRO": "OPP", "OPP": "PRO"}
SIDES: dict[Side, str] = {"PRO": "proponent", "OPP": "opponent"}


@dataclass(frozen=True, slots=True)
class Proposition:
    """`evidence` are the facts cited for it so far, `bears` the relevant ones among them."""

    id: str
    content: str
    by: Side
    evidence: tuple[str, ...] = ()
    bears: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Premise:
    """A reason in words, or by the id of a fact (`K2`) or of a proposition on record (`A4`)."""

    content: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """A legal kind of move: the act, the earlier move it answers, and its proposition.

    For a rebut this is the countered proposition, for an undercut the conclusion of the attacked step.
    """

    act: Act
    target: str | None
    about: str
    attack: Attack | None = None

    @property
    def label(self) -> str:
        """The unique label of an option in a position."""
        return f"{self.attack or self.act} {self.target if self.attack == 'undercut' else self.about}"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A move in the speaker's words. `irrelevant` are citations that, as the moderator found, have nothing to do with
    what they are cited for: each the number of a premise, 0 for the claim itself, and a fact."""

    option: Option
    content: str
    premises: tuple[Premise, ...] = ()
    evidence: tuple[str, ...] = ()
    irrelevant: frozenset[tuple[int, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Move:
    """A completed move. `proposition` is the φ of its act, `counters` is the target of a counter-claim or an
    undercut; `adds` and `removes` are its effect on the speaker's commitments. A move with a `rule` was made by the
    game on behalf of the side. `turn` is the turn in which it was made."""

    id: str
    round: int
    turn: int
    side: Side
    act: Act
    target: str | None
    proposition: str
    counters: str | None
    attack: Attack | None
    said: str
    premises: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    puts: tuple[Proposition, ...] = ()
    adds: frozenset[str] = frozenset()
    removes: frozenset[str] = frozenset()
    rule: Rule | None = None
