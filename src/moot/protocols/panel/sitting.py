"""One sitting of the panel, on one version of the idea, and what was said so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from moot.api import Draft, is_reply
from moot.protocols.panel.cast import Panel, Panellist
from moot.protocols.panel.payloads import Change, Position
from moot.text.prose import plural

LATER_PHASES = {1: "positions", 2: "rebuttal"}


def phase_of(number: int) -> str:
    return LATER_PHASES.get(number, "convergence")


@dataclass(slots=True)
class Sitting:
    """`rounds` are the positions by round, `ruled` the rulings by the round they follow; `rulings`, `changes` and
    `ballots` are the latest ones; `asked_for` are the changes that the previous version was sent back with."""

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
    def panellists(self) -> list[Panellist]:
        return [one for one in self.seats if not one.seat.validator]

    @property
    def validators(self) -> list[Panellist]:
        return [one for one in self.seats if one.seat.validator]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of a position; none if each change gets its own vote."""
        kind = self.panel.config.chosen
        return () if kind.each_change else tuple(kind.labels)

    @property
    def change_numbers(self) -> tuple[str, ...]:
        return tuple(draft.data.number for draft in self.changes if isinstance(draft.data, Change))

    @property
    def positions(self) -> list[tuple[str, Position]]:
        """All positions so far, each with the name of its persona."""
        drafts = [draft for one in self.rounds for draft in one]
        return [(draft.speaker, draft.data) for draft in drafts if isinstance(draft.data, Position)]

    def heard_from(self, others_than: str, heard: Sequence[Draft] = ()) -> list[Draft]:
        """What others have said so far, in this round if they have `heard` of it, else in the last."""
        said = heard or (self.rounds[-1] if self.rounds else [])
        return [draft for draft in said if draft.speaker != others_than and is_reply(draft)]

    def may_go_on(self, given: Mapping[str, Draft]) -> bool:
        return self.lack(given) is None

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
