"""The positions of a persuasion dialogue: propositions, moves, and their consequences.

A dialogue is a value computed from its moves: commitment stores, propositions and attacks. The legal moves and their
effects are in `dialogue`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

Side = Literal["PRO", "OPP"]
Act = Literal["claim", "why", "since", "concede", "retract"]
Attack = Literal["rebut", "undercut"]
Slot = Literal["open", "answer", "argue", "attack", "defend", "again", "closing"]
Rule = Literal["opening", "challenge", "retraction"]

ROOT = "A1"
"""The proposition under debate, φ."""
OTHER: dict[Side, Side] = {"PRO": "OPP", "OPP": "PRO"}
_ROUND: tuple[tuple[Side, Slot], ...] = (("PRO", "argue"), ("OPP", "attack"), ("PRO", "defend"), ("OPP", "again"))


def turns_of(rounds: int) -> int:
    """The number of turns before the closing in a dialogue of this many rounds."""
    return 2 + rounds * len(_ROUND)


@dataclass(frozen=True, slots=True)
class Proposition:
    id: str
    content: str
    by: Side
    evidence: tuple[str, ...] = ()


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
        if self.attack == "undercut":
            return f"undercut {self.target}"
        if self.attack == "rebut":
            return f"rebut {self.about}"
        if self.target is None or self.act in ("why", "concede"):
            return f"{self.act} {self.about}"
        return f"{self.act} {self.about}, answering {self.target}"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A move in the speaker's words."""

    option: Option
    content: str
    premises: tuple[Premise, ...] = ()
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """A completed move. `proposition` is the φ of its act, `counters` is the target of a counter-claim or an
    undercut; `adds` and `removes` are its effect on the speaker's commitments. A move with a `rule` was made by the
    game on behalf of the side."""

    id: str
    round: int
    side: Side
    act: Act
    target: str | None
    proposition: str
    counters: str | None
    attack: Attack | None
    content: str
    premises: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    puts: tuple[Proposition, ...] = ()
    adds: frozenset[str] = frozenset()
    removes: frozenset[str] = frozenset()
    rule: Rule | None = None


@dataclass(frozen=True)
class Dialogue:
    """A position of the game. `turn` counts turns, including forfeited ones; `ended` is the reason if it is over."""

    topic: str
    denial: str
    rounds: int
    facts: Mapping[str, str] = field(default_factory=dict)
    moves: tuple[Move, ...] = ()
    turn: int = 0
    ended: str | None = None

    @property
    def place(self) -> tuple[int, Side, Slot] | None:
        """The round, the side to move and the kind of turn; None after both closings."""
        if self.turn < 2:
            return (0, "PRO", "open") if self.turn == 0 else (0, "OPP", "answer")
        number, slot = divmod(self.turn - 2, len(_ROUND))
        if number < self.rounds:
            return (number + 1, *_ROUND[slot])
        left = self.turn - turns_of(self.rounds)
        return (self.rounds + 1, "PRO" if left == 0 else "OPP", "closing") if left < 2 else None

    @cached_property
    def propositions(self) -> Mapping[str, Proposition]:
        """Every proposition ever put forward, with all the evidence cited for it."""
        return {one.id: one for move in self.moves for one in move.puts}

    @cached_property
    def stores(self) -> Mapping[Side, frozenset[str]]:
        """The commitments of each side."""
        stores: dict[Side, frozenset[str]] = {"PRO": frozenset(), "OPP": frozenset()}
        for move in self.moves:
            stores[move.side] = stores[move.side] - move.removes | move.adds
        return stores

    @cached_property
    def by_id(self) -> Mapping[str, Move]:
        return {move.id: move for move in self.moves}

    @cached_property
    def put_in(self) -> Mapping[tuple[Side, str], str]:
        """The move in which a side put a proposition forward, as a claim, a conclusion or a premise. A retracted
        proposition is not included until it is put forward again."""
        found: dict[tuple[Side, str], str] = {}
        for move in self.moves:
            for one in move.removes:
                found.pop((move.side, one), None)
            for one in (move.proposition, *move.premises) if move.act in ("claim", "since") else ():
                found.setdefault((move.side, one), move.id)
        return found

    def holds(self, side: Side) -> list[str]:
        """The propositions that a side has put forward and still holds, in order."""
        return [one for one in self.propositions if (side, one) in self.put_in]

    def standing(self) -> list[str]:
        """The propositions that some side has put forward and still holds."""
        both = {*self.holds("PRO"), *self.holds("OPP")}
        return [one for one in self.propositions if one in both]

    def backed(self, side: Side, proposition: str) -> bool:
        """Whether there is evidence for it, or a reason that this side still holds."""
        steps = self._steps.get((side, proposition), [])
        return bool(self.propositions[proposition].evidence) or any(self.left_of(self.moves[at]) for at in steps)

    def left_of(self, step: Move) -> list[str]:
        """The premises of a step that its speaker still holds."""
        return [one for one in step.premises if one in self.stores[step.side]]

    def challenges(self, side: Side, proposition: str) -> list[Move]:
        """The other side's open challenges to a proposition of this side: whys and attacks."""
        if proposition in self.stores[OTHER[side]]:
            return []
        attacks = (self.moves[at] for at in self._against.get((OTHER[side], proposition), []))
        standing = [move for move in attacks if move.act == "claim" and move.proposition in self.stores[move.side]]
        return [*(self.moves[at] for at in self._whys(side, proposition)), *standing]

    def _whys(self, side: Side, proposition: str) -> list[int]:
        """The numbers of the moves that ask this side for reasons. A retraction removes earlier questions."""
        last = self._retracted.get((side, proposition), -1)
        against = self._against.get((OTHER[side], proposition), [])
        return [at for at in against if self.moves[at].act == "why" and at > last]

    def unanswered(self, side: Side) -> list[tuple[Move, str]]:
        """The unanswered whys to this side, with their propositions."""
        found = []
        for one in self.holds(side):
            if self.propositions[one].evidence or one in self.stores[OTHER[side]]:
                continue
            last = max(self._steps.get((side, one), []), default=-1)
            found += [(self.moves[at], one) for at in self._whys(side, one) if at > last]
        return found

    def is_premise(self, side: Side, proposition: str) -> bool:
        """Whether the side has used it as a reason."""
        return (side, proposition) in self._premises

    @cached_property
    def _steps(self) -> Mapping[tuple[Side, str], list[int]]:
        """For a side and a conclusion, the numbers of the moves that gave reasons for it."""
        found: dict[tuple[Side, str], list[int]] = {}
        for at, move in enumerate(self.moves):
            if move.act == "since":
                found.setdefault((move.side, move.proposition), []).append(at)
        return found

    @cached_property
    def _against(self) -> Mapping[tuple[Side, str], list[int]]:
        """For a side and a proposition, the numbers of the side's moves against it: whys and attacks."""
        found: dict[tuple[Side, str], list[int]] = {}
        for at, move in enumerate(self.moves):
            if (about := move.proposition if move.act == "why" else move.counters) is not None:
                found.setdefault((move.side, about), []).append(at)
        return found

    @cached_property
    def _retracted(self) -> Mapping[tuple[Side, str], int]:
        """For a side and a proposition, the number of the move in which the side last retracted it."""
        return {(move.side, one): at for at, move in enumerate(self.moves) for one in move.removes}

    @cached_property
    def _premises(self) -> set[tuple[Side, str]]:
        return {(move.side, one) for move in self.moves for one in move.premises}

    @cached_property
    def counter_root(self) -> str | None:
        """The denial of the proposition under debate, ¬φ, after it has been claimed."""
        return self.find(self.denial)

    @property
    def roots(self) -> dict[str, str]:
        """The ids of φ and, after it has been claimed, of ¬φ, with these signs."""
        return {ROOT: "φ"} | ({self.counter_root: "¬φ"} if self.counter_root else {})

    def find(self, text: str) -> str | None:
        """The proposition on record with the same text, ignoring white space and case."""
        return self._by_text.get(folded(text))

    @cached_property
    def _by_text(self) -> Mapping[str, str]:
        return {folded(one.content): one.id for one in self.propositions.values()}


def folded(text: str) -> str:
    """The text for comparison, without differences in case and white space."""
    return " ".join(text.split()).casefold()
