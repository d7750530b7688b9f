"""The log of a panel, sorted for the computations over it."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from moot.api import Entry, Header, data_of, header_of
from moot.protocols.panel.metrics import Said
from moot.protocols.panel.payloads import Ballot, Brief, Change, Decision, Given, Idea, Position, Revision, Synthesis
from moot.voting.weighted import Rules

GivenT = TypeVar("GivenT", Position, Synthesis, Ballot)


@dataclass(frozen=True, slots=True)
class PanelLog:
    """All events in order, over all versions of the idea; positions and the like with their speaker."""

    header: Header
    brief: Brief
    ideas: list[Entry]
    decisions: list[Decision]
    revisions: list[Revision]
    positions: list[Said]
    rulings: list[tuple[str, Synthesis]]
    ballots: list[tuple[str, Ballot]]
    changes: list[Change]
    calls: int

    @property
    def version(self) -> int:
        return len(self.ideas)

    @property
    def decision(self) -> Decision | None:
        return self.decision_on(self.version)

    def decision_on(self, version: int) -> Decision | None:
        return next((decision for decision in self.decisions if decision.version == version), None)

    @property
    def rules(self) -> Rules:
        return Rules(tuple(self.brief.labels), Decimal(self.brief.threshold), self.brief.required_validators)

    @property
    def last_positions(self) -> list[Said]:
        """Those on the last version of the idea."""
        return [(name, position) for name, position in self.positions if position.version == self.version]

    @property
    def last_rulings(self) -> list[tuple[str, Synthesis]]:
        """Those after the last round that had any, on the last version of the idea."""
        own = [(name, ruling) for name, ruling in self.rulings if ruling.version == self.version]
        last = max((one.round for _, one in own), default=0)
        return [(name, one) for name, one in own if one.round == last]

    @property
    def rulings_behind_it(self) -> list[Synthesis]:
        """The last rulings that are for the last decision or, without a decision, all of the last rulings."""
        if self.decision is not None:
            return self.rulings_behind(self.decision)
        return [ruling for _, ruling in self.last_rulings if ruling.failure is None]

    def rulings_behind(self, decision: Decision) -> list[Synthesis]:
        """The rulings that are for a decision or, if there are none, all rulings made with it."""
        given = [ruling for _, ruling in self.rulings if ruling.place == decision.place and ruling.failure is None]
        return [one for one in given if one.label == decision.decision] or given

    def members(self, role: str) -> int:
        return sum(member.role == role for member in self.header.cast)


UNTOLD = Brief()
"""The brief of a panel that was stopped before it got one."""


def read(entries: Sequence[Entry]) -> PanelLog:
    return PanelLog(
        header=header_of(entries, Header),
        brief=next((entry.data for entry in entries if isinstance(entry.data, Brief)), UNTOLD),
        ideas=[entry for entry in entries if isinstance(entry.data, Idea)],
        decisions=data_of(entries, Decision),
        revisions=data_of(entries, Revision),
        positions=_last(entries, Position),
        rulings=_last(entries, Synthesis),
        ballots=_last(entries, Ballot),
        changes=data_of(entries, Change),
        calls=_calls(entries),
    )


def _last(entries: Sequence[Entry], kind: type[GivenT]) -> list[tuple[str, GivenT]]:
    """The answer of each persona in each round; a repeated question counts by its last answer."""
    found: dict[tuple[str, int, int], GivenT] = {}
    for entry in entries:
        if isinstance(entry.data, kind):
            found[entry.speaker, entry.data.version, entry.data.round] = entry.data
    return [(speaker, one) for (speaker, _, _), one in found.items()]


def _calls(entries: Sequence[Entry]) -> int:
    """How many replies were requested, including failed ones."""
    given = sum(isinstance(entry.data, Given) for entry in entries)
    revised = sum(isinstance(entry.data, Revision) and bool(entry.data.required) for entry in entries)
    merges = {entry.call for entry in entries if isinstance(entry.data, Change) and entry.call}
    return given + revised + len(merges)
