"""What was said about one version of the idea."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from moot.api import Draft, is_reply
from moot.protocols.panel.cast import Panel, Panellist
from moot.protocols.panel.config import Kind
from moot.protocols.panel.findings import LooksFor, numbered
from moot.protocols.panel.payloads import Change, Position
from moot.text.prose import plural

GRAVE = ("grave", "fatal")
PHASES = {1: "positions", 2: "rebuttal"}


def phase_of(number: int) -> str:
    return PHASES.get(number, "convergence")


@dataclass(slots=True)
class Session:
    """The debate of one version of the idea. `rounds` are the positions by round, `ruled` the rulings by the round they
    follow; `rulings`, `changes` and `ballots` are the latest ones; `asked_for` are the changes that the previous
    version was sent back with."""

    panel: Panel
    version: int
    idea: Draft
    seats: Sequence[Panellist]
    asked_for: Sequence[str] = ()
    rounds: list[list[Draft]] = field(default_factory=list)
    rulings: list[Draft] = field(default_factory=list)
    ruled: dict[int, list[Draft]] = field(default_factory=dict)
    changes: list[Draft] = field(default_factory=list)
    ballots: list[Draft] = field(default_factory=list)

    @property
    def kind(self) -> Kind:
        return self.panel.config.chosen

    @property
    def panellists(self) -> list[Panellist]:
        return [seat for seat in self.seats if not seat.seat.validator]

    @property
    def validators(self) -> list[Panellist]:
        return [seat for seat in self.seats if seat.seat.validator]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of a position; none if each change gets its own vote."""
        return () if self.kind.each_change else tuple(self.kind.labels)

    @property
    def change_numbers(self) -> tuple[str, ...]:
        return tuple(draft.data.number for draft in self.changes if isinstance(draft.data, Change))

    @property
    def positions(self) -> list[tuple[str, Position]]:
        """All positions so far, each with the name of its persona."""
        return positions_in(draft for drafts in self.rounds for draft in drafts)

    @property
    def standing(self) -> list[tuple[str, Position]]:
        """The last position of everybody who has given one, in the order of the seats."""
        last = dict(positions_in(draft for drafts in self.rounds for draft in drafts if is_reply(draft)))
        return [(seat.name, last[seat.name]) for seat in self.panellists if seat.name in last]

    @property
    def is_unanimous(self) -> bool:
        """Whether all panellists hold the same after a round, and nobody has found anything grave."""
        last = [position for _, position in positions_in(self.rounds[-1])]
        if any(position.failure or any(raised.severity in GRAVE for raised in position.findings) for position in last):
            return False
        if self.kind.each_change:
            return not any(position.modifications for position in last)
        return len({position.label for position in last}) == 1 and last[0].label is not None

    def heard_from(self, others_than: str, heard: Sequence[Draft] = ()) -> list[Draft]:
        """What others have said so far, in this round if they have `heard` of it, else in the last."""
        said = heard or (self.rounds[-1] if self.rounds else [])
        return [draft for draft in said if draft.speaker != others_than and is_reply(draft)]

    def looks_for(self, seat: Panellist) -> LooksFor | None:
        """What a panellist is asked about findings; None if the panel passes nothing, so that nothing can be in the
        way."""
        if self.kind.passes is None:
            return None
        known = numbered(self.positions)
        own = tuple(one.number for one in known if one.persona == seat.name)
        return LooksFor(self.kind.code, tuple(one.number for one in known if one.number not in own), own)

    def lack(self, given: Mapping[str, Draft]) -> str | None:
        """Why the panel cannot continue, given the answers so far: too few members, or too few validators. None if
        it can."""
        config = self.panel.config
        lost = [name for name, draft in given.items() if not is_reply(draft)]
        if len(self.seats) - len(lost) < config.needed:
            return f"{config.needed} are needed to decide"
        left = sum(seat.name not in lost for seat in self.validators)
        if left < config.required_validators:
            return f"{plural(config.required_validators, 'validator is', 'validators are')} needed to decide"
        return None


def positions_in(drafts: Iterable[Draft]) -> list[tuple[str, Position]]:
    return [(draft.speaker, draft.data) for draft in drafts if isinstance(draft.data, Position)]
