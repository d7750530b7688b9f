"""What follows from the moves of a dialogue, kept up with each."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import TypeVar

from moot.protocols.persuasion.moves import OTHER, ROOT, Act, Move, Option, Proposition, Side
from moot.protocols.persuasion.wording import normal_form

Offers = Mapping[tuple[Side, Act], Mapping[str, tuple[Option, ...]]]


@dataclass(slots=True)
class Record:
    """What follows from the moves so far, kept up with each: a copy of it is cheap, going through the moves is not."""

    propositions: dict[str, Proposition] = field(default_factory=dict)
    """Every proposition ever put forward, with all the evidence cited for it."""
    by_text: dict[str, str] = field(default_factory=dict)
    by_id: dict[str, Move] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    stores: dict[Side, frozenset[str]] = field(default_factory=lambda: dict.fromkeys(OTHER, frozenset()))
    """The commitments of each side."""
    put_in: dict[tuple[Side, str], str] = field(default_factory=dict)
    """The move in which a side put a proposition forward, as a claim, a conclusion or a premise. A retracted
    proposition is not included until it is put forward again."""
    claims: dict[tuple[Side, str], None] = field(default_factory=dict)
    attacks: dict[str, tuple[Move, ...]] = field(default_factory=dict)
    """The attacks that a proposition ever made."""
    contraries: dict[str, frozenset[str]] = field(default_factory=dict)
    steps: dict[tuple[Side, str], tuple[Move, ...]] = field(default_factory=dict)
    """For a side and a conclusion, the moves that gave reasons for it."""
    uses: dict[tuple[Side, str], tuple[Move, ...]] = field(default_factory=dict)
    """For a side and a premise, the moves in which the side gave it."""
    against: dict[tuple[Side, str], tuple[Move, ...]] = field(default_factory=dict)
    """For a side and a proposition, the side's moves against it: whys and attacks."""
    retracted: dict[tuple[Side, str], int] = field(default_factory=dict)
    """For a side and a proposition, the number of the move in which the side last retracted it."""
    counts: dict[Side, int] = field(default_factory=lambda: dict.fromkeys(OTHER, 0))
    given_up: Move | None = None

    def copy(self) -> "Record":
        same = copy(self)
        for name in self.__slots__:
            if isinstance(part := getattr(self, name), dict):
                setattr(same, name, part.copy())
        return same

    def near(self, move: Move) -> set[str]:
        """The propositions for which a move can change what may be said about them, directly or through the steps,
        attacks and questions that they are part of."""
        touched = {move.proposition, *move.premises, *move.removes, *([move.counters] if move.counters else [])}
        around = {attack.counters for one in touched for attack in self.attacks.get(one, ()) if attack.counters}
        for side in OTHER:
            around.update(step.proposition for one in touched for step in self.uses.get((side, one), ()))
            # A position is never an answer, so that being asked about it changes nothing for its premises.
            asked = touched if move.act == "why" else ()
            steps = [step for one in asked if one != ROOT for step in self.steps.get((side, one), ())]
            around.update(premise for step in steps for premise in step.premises)
        return touched | around

    def add(self, move: Move, denial: str) -> None:
        side, one = move.side, move.proposition
        self.places[move.id], self.by_id[move.id] = len(self.places), move
        self.counts[side] += 1
        for put in move.puts:
            self.propositions[put.id] = put
            self.by_text.setdefault(normal_form(put.content), put.id)
        self._commit(move)
        if move.act == "since":
            _append(self.steps, (side, one), move)
            for premise in move.premises:
                _append(self.uses, (side, premise), move)
        if (about := one if move.act == "why" else move.counters) is not None:
            _append(self.against, (side, about), move)
        roots = {ROOT, self.by_text.get(normal_form(denial))}
        if move.counters is not None:
            self._oppose(move, move.counters, roots)
        gives_way = move.act in ("concede", "retract") and one in roots and (move.rule != "unbacked" or one == ROOT)
        if gives_way and self.given_up is None:
            self.given_up = move

    def _commit(self, move: Move) -> None:
        side = move.side
        self.stores[side] = self.stores[side] - move.removes | move.adds
        for gone in move.removes:
            self.put_in.pop((side, gone), None)
            self.retracted[side, gone] = self.places[move.id]
        if move.act in ("claim", "since"):
            for one in (move.proposition, *move.premises):
                self.put_in.setdefault((side, one), move.id)
        if move.act == "claim":
            self.claims[side, move.proposition] = None

    def _oppose(self, move: Move, counters: str, roots: set[str | None]) -> None:
        _append(self.attacks, move.proposition, move)
        if move.attack == "rebut" and len(roots & {move.proposition, counters}) != 1:
            for this, that in ((move.proposition, counters), (counters, move.proposition)):
                self.contraries[this] = self.contraries.get(this, frozenset()) | {that}


Key = TypeVar("Key")


def _append(lists: dict[Key, tuple[Move, ...]], key: Key, move: Move) -> None:
    lists[key] = (*lists.get(key, ()), move)
