"""The positions of a persuasion dialogue: propositions, moves, and their consequences.

A dialogue is a value computed from its moves: commitment stores, propositions and attacks. The legal moves and their
effects are in `dialogue`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from moot.protocols.persuasion.wording import named_id, normal_form, without_ids

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
_ROUND: tuple[tuple[Side, Slot], ...] = (("PRO", "argue"), ("OPP", "attack"), ("PRO", "defend"), ("OPP", "again"))


def turns_of(rounds: int) -> int:
    """The number of turns before the closing in a dialogue of this many rounds."""
    return 2 + rounds * len(_ROUND)


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
        if self.attack == "undercut":
            return f"undercut {self.target}"
        if self.attack == "rebut":
            return f"rebut {self.about}"
        if self.target is None or self.act in ("why", "concede"):
            return f"{self.act} {self.about}"
        return f"{self.act} {self.about}, answering {self.target}"


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
    content: str
    premises: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    puts: tuple[Proposition, ...] = ()
    adds: frozenset[str] = frozenset()
    removes: frozenset[str] = frozenset()
    rule: Rule | None = None


@dataclass(frozen=True)
class Dialogue:
    """A position of the game. `turn` counts turns, including forfeited ones; `ended` is the reason if it is over.
    `facts` are the texts that can be cited, by id: passages (`K1`) and documents (`D1`)."""

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

    @property
    def turns_left(self) -> int:
        """The number of turns before the closing after this one."""
        return turns_of(self.rounds) - self.turn - 1

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
        """Whether there is a relevant fact for it, or a reason that this side still holds."""
        steps = self._steps.get((side, proposition), [])
        return bool(self.propositions[proposition].bears) or any(self.left_of(self.moves[at]) for at in steps)

    def left_of(self, step: Move) -> list[str]:
        """The premises of a step that its speaker still holds; none once its conclusion was retracted. What was
        retracted and put forward again needs a new step."""
        if not self._still_holds(step, step.proposition):
            return []
        return [one for one in step.premises if self._still_holds(step, one)]

    def stands(self, attack: Move) -> bool:
        """Whether a counter-claim or an undercut is still valid: its speaker has not retracted it since, and the step
        that an undercut is against still has a premise."""
        step = self.by_id[attack.target or ""]
        return self._still_holds(attack, attack.proposition) and (attack.attack == "rebut" or bool(self.left_of(step)))

    def attacks_by(self, proposition: str, target: str) -> list[Move]:
        """Every attack on record of one proposition on another, standing or not."""
        return [move for move in self._attacks if (move.proposition, move.counters) == (proposition, target)]

    def contraries(self, proposition: str) -> frozenset[str]:
        """What was ever put forward against a proposition as a counter-claim, and what it was put forward against:
        nobody can hold both. What is said against a position can be granted, and the position kept."""
        return self._contraries.get(proposition, frozenset())

    def challenges(self, side: Side, proposition: str) -> list[Move]:
        """The other side's open challenges to a proposition of this side: whys and attacks."""
        if proposition in self.stores[OTHER[side]]:
            return []
        against = (self.moves[at] for at in self._against.get((OTHER[side], proposition), []))
        standing = [move for move in against if move.act == "claim" and self.stands(move)]
        return [*self.whys(side, proposition), *standing]

    def whys(self, side: Side, proposition: str) -> list[Move]:
        """The moves that ask this side for reasons. A retraction removes earlier questions."""
        last = self._retracted.get((side, proposition), -1)
        against = self._against.get((OTHER[side], proposition), [])
        return [self.moves[at] for at in against if self.moves[at].act == "why" and at > last]

    def unanswered(self, side: Side) -> list[tuple[Move, str]]:
        """The whys to this side that nothing answers, or nothing any more, with their propositions."""
        open_to_it = (one for one in self.holds(side) if one not in self.stores[OTHER[side]])
        return [(why, one) for one in open_to_it if not self.backed(side, one) for why in self.whys(side, one)]

    def took_part(self, side: Side) -> bool:
        """Whether the side made a move of its own."""
        return any(move.side == side and move.rule is None for move in self.moves)

    def owes(self, side: Side, proposition: str) -> bool:
        """Whether the side has to give a reason for it, and none is left: it is its position, or it was asked why. What
        the other side has granted needs no reason."""
        if proposition in self.stores[OTHER[side]] or self.backed(side, proposition):
            return False
        return proposition in self.roots or bool(self.whys(side, proposition))

    def can_be_asked(self, side: Side, proposition: str) -> bool:
        """Whether its holder can be asked why: it is bare, was not asked yet, and is no answer to a question itself."""
        if self.backed(side, proposition) or self.whys(side, proposition):
            return False
        concluded = [self.moves[at].proposition for at in self._premises.get((side, proposition), [])]
        return not any(one not in self.roots and self.whys(side, one) for one in concluded)

    def _still_holds(self, move: Move, proposition: str) -> bool:
        """Whether the speaker of a move has held a proposition ever since."""
        retracted = self._retracted.get((move.side, proposition), -1)
        return proposition in self.stores[move.side] and retracted < self._places[move.id]

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {move.id: at for at, move in enumerate(self.moves)}

    @cached_property
    def _attacks(self) -> list[Move]:
        return [move for move in self.moves if move.counters is not None]

    @cached_property
    def _contraries(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for move in self._attacks:
            of_positions = len(self.roots.keys() & {move.proposition, move.counters})
            if move.attack == "rebut" and move.counters is not None and of_positions != 1:
                found.setdefault(move.proposition, set()).add(move.counters)
                found.setdefault(move.counters, set()).add(move.proposition)
        return {one: frozenset(others) for one, others in found.items()}

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
    def _premises(self) -> Mapping[tuple[Side, str], list[int]]:
        """For a side and a premise, the numbers of the moves in which the side gave it."""
        found: dict[tuple[Side, str], list[int]] = {}
        for at, move in enumerate(self.moves):
            for one in move.premises:
                found.setdefault((move.side, one), []).append(at)
        return found

    @cached_property
    def counter_root(self) -> str | None:
        """The denial of the proposition under debate, ¬φ, after it has been claimed."""
        return self.find(self.denial)

    @property
    def roots(self) -> dict[str, str]:
        """The ids of φ and, after it has been claimed, of ¬φ, with these signs."""
        return {ROOT: "φ"} | ({self.counter_root: "¬φ"} if self.counter_root else {})

    @cached_property
    def given_up(self) -> Move | None:
        """The move that lost a side its root: it conceded the other's, or retracted its own. An opponent whose ¬φ was
        never backed has doubted φ and lost nothing by it."""
        moves = (move for move in self.moves if move.act in ("concede", "retract") and move.proposition in self.roots)
        return next((move for move in moves if move.rule != "unbacked" or move.proposition == ROOT), None)

    def words_for(self, given_up: Move) -> str:
        """How a root was given up."""
        root = self.roots[given_up.proposition]
        if given_up.rule == "unbacked":
            return f"{root} was left without a reason by {given_up.side}"
        return f"{root} was {'conceded' if given_up.act == 'concede' else 'retracted'} by {given_up.side}"

    def find(self, text: str) -> str | None:
        """The proposition on record with the same text, see `normal_form`. Ids in it make no difference."""
        return next((self._by_text[one] for one in self._forms(text) if one in self._by_text), None)

    def same(self, text: str, other: str) -> bool:
        """Whether a text is another in the speaker's spelling."""
        return normal_form(other) in self._forms(text)

    def meant(self, content: str) -> str:
        """The text of a claim or a premise, which can be given by the id of a proposition or a fact."""
        named = named_id(content) or ""
        if named in self.propositions:
            return self.propositions[named].content
        return self.facts.get(named, content.strip())

    def _forms(self, text: str) -> tuple[str, str]:
        form = normal_form(text)
        return form, without_ids(form, frozenset({*self.propositions, *self.facts}))

    @cached_property
    def _by_text(self) -> Mapping[str, str]:
        return {normal_form(one.content): one.id for one in self.propositions.values()}
