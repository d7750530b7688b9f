"""The positions of a persuasion dialogue: propositions, moves, and their consequences.

A dialogue is a value computed from its moves: commitment stores, propositions and attacks. The legal moves and their
effects are in `legal` and `dialogue`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from moot.protocols.persuasion.moves import OTHER, ROOT, SIDES, Move, Proposition, Side, Slot
from moot.protocols.persuasion.record import Offers, Record
from moot.protocols.persuasion.wording import named_id, normal_form, without_ids

_ROUND: tuple[tuple[Side, Slot], ...] = (("PRO", "argue"), ("OPP", "attack"), ("PRO", "defend"), ("OPP", "again"))


def turns_of(rounds: int) -> int:
    """The number of turns before the closing in a dialogue of this many rounds."""
    return 2 + rounds * len(_ROUND)


@dataclass(frozen=True)
class Dialogue:
    """A position of the game. `turn` counts turns, including forfeited and skipped ones; `ended` is the reason if it is
    over. `facts` are the texts that can be cited, by id: passages (`K1`) and documents (`D1`)."""

    topic: str
    denial: str
    rounds: int
    facts: Mapping[str, str] = field(default_factory=dict)
    moves: tuple[Move, ...] = ()
    turn: int = 0
    ended: str | None = None

    @cached_property
    def record(self) -> Record:
        record = Record()
        for move in self.moves:
            record.add(move, self.denial)
        return record

    @cached_property
    def offers(self) -> tuple[Offers, frozenset[str]]:
        """What may be said about each proposition, and those for which this is not known yet: see `legal`."""
        return {}, frozenset(self.record.propositions)

    def after(self, move: Move) -> "Dialogue":
        """The position with one more move."""
        after = replace(self, moves=(*self.moves, move))
        after.__dict__["record"] = record = self.record.copy()
        record.add(move, self.denial)
        known, stale = self.offers
        after.__dict__["offers"] = known, stale | record.near(move)
        if self.ended is None and record.given_up:
            return after.at(after.turn, after.words_for(record.given_up))
        return after

    def at(self, turn: int, ended: str | None = None) -> "Dialogue":
        """The same moves at another turn."""
        there = replace(self, turn=turn, ended=ended or self.ended)
        there.__dict__.update(record=self.record, offers=self.offers)
        return there

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

    @property
    def propositions(self) -> Mapping[str, Proposition]:
        return self.record.propositions

    @property
    def stores(self) -> Mapping[Side, frozenset[str]]:
        return self.record.stores

    @property
    def by_id(self) -> Mapping[str, Move]:
        return self.record.by_id

    @property
    def put_in(self) -> Mapping[tuple[Side, str], str]:
        return self.record.put_in

    @property
    def given_up(self) -> Move | None:
        """The move that lost a side its root: it conceded the other's, or retracted its own. An opponent whose ¬φ was
        never backed has doubted φ and lost nothing by it."""
        return self.record.given_up

    def holds(self, side: Side) -> list[str]:
        """The propositions that a side has put forward and still holds, in order."""
        return [one for one in self.propositions if (side, one) in self.put_in]

    def standing(self) -> list[str]:
        """The propositions that some side has put forward and still holds."""
        return [one for one in self.propositions if any((side, one) in self.put_in for side in OTHER)]

    def backed(self, side: Side, proposition: str) -> bool:
        """Whether there is a relevant fact for it, or a reason that this side still holds."""
        return bool(self.propositions[proposition].bears) or bool(self.reasons(side, proposition))

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
        concluded = (step.proposition for step in self.record.uses.get((side, proposition), ()))
        return not any(one not in self.roots and self.whys(side, one) for one in concluded)

    def reasons(self, side: Side, conclusion: str) -> set[str]:
        """The premises that a side has given for a conclusion, and still holds."""
        return {one for step in self.record.steps.get((side, conclusion), ()) for one in self.left_of(step)}

    def left_of(self, step: Move) -> list[str]:
        """The premises of a step that its speaker still holds; none once its conclusion was retracted. What was
        retracted and put forward again needs a new step."""
        if not self._still_holds(step, step.proposition):
            return []
        return [one for one in step.premises if self._still_holds(step, one)]

    def stands(self, attack: Move) -> bool:
        """Whether a counter-claim or an undercut is still valid: its speaker has not retracted it since, and a premise
        of the step that an undercut is against still is a reason for the conclusion, by this step or a later one."""
        if not self._still_holds(attack, attack.proposition):
            return False
        step = self.by_id[attack.target or ""]
        return attack.attack == "rebut" or not self.reasons(step.side, step.proposition).isdisjoint(step.premises)

    def attacks_by(self, proposition: str, target: str) -> list[Move]:
        """Every attack on record of one proposition on another, standing or not."""
        return [move for move in self.record.attacks.get(proposition, ()) if move.counters == target]

    def contraries(self, proposition: str) -> frozenset[str]:
        """What was ever put forward against a proposition as a counter-claim, and what it was put forward against:
        nobody can hold both. What is said against a position can be granted, and the position kept."""
        return self.record.contraries.get(proposition, frozenset())

    def challenges(self, side: Side, proposition: str) -> list[Move]:
        """The other side's open challenges to a proposition of this side: whys and attacks."""
        if proposition in self.stores[OTHER[side]]:
            return []
        against = self.record.against.get((OTHER[side], proposition), ())
        standing = [move for move in against if move.act == "claim" and self.stands(move)]
        return [*self.whys(side, proposition), *standing]

    def whys(self, side: Side, proposition: str) -> list[Move]:
        """The moves that ask this side for reasons. What is withdrawn and put forward again is still questioned."""
        return [move for move in self.record.against.get((OTHER[side], proposition), ()) if move.act == "why"]

    def unanswered(self, side: Side) -> list[tuple[Move, str]]:
        """The whys to this side that nothing answers, or nothing any more, with their propositions."""
        return [(why, one) for one in self.holds(side) if self.owes(side, one) for why in self.whys(side, one)]

    def took_part(self, side: Side) -> bool:
        """Whether the side made a move of its own."""
        return any(move.side == side and move.rule is None for move in self.moves)

    def _still_holds(self, move: Move, proposition: str) -> bool:
        """Whether the speaker of a move has held a proposition ever since."""
        record = self.record
        last = record.retracted.get((move.side, proposition), -1)
        return proposition in record.stores[move.side] and last < record.places[move.id]

    @cached_property
    def counter_root(self) -> str | None:
        """The denial of the proposition under debate, ¬φ, after it has been claimed."""
        return self.find(self.denial)

    @cached_property
    def roots(self) -> dict[str, str]:
        """The ids of φ and, after it has been claimed, of ¬φ, in words."""
        return {ROOT: "the claim"} | ({self.counter_root: "its denial"} if self.counter_root else {})

    def words_for(self, given_up: Move) -> str:
        """How a root was given up."""
        root = self.roots[given_up.proposition]
        if given_up.rule == "unbacked":
            return f"{root} was left without a reason by the {SIDES[given_up.side]}"
        return f"{root} was {'conceded' if given_up.act == 'concede' else 'retracted'} by the {SIDES[given_up.side]}"

    def find(self, text: str) -> str | None:
        """The proposition on record with the same text, see `normal_form`. Ids in it make no difference."""
        return next((self.record.by_text[one] for one in self._forms(text) if one in self.record.by_text), None)

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
        return form, without_ids(form, self.propositions, self.facts)
