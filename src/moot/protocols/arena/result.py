"""The outcome of an arena, computed from its log."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from moot.engine.define.gate import Ground
from moot.protocols.arena.counterfactual import (
    CheapOutcome,
    Counterfactual,
    MindChanged,
    cheap_outcome,
    cheap_with_calls,
    counterfactual,
    counterfactual_with_tokens,
    minds_changed,
)
from moot.protocols.arena.evidence_quality import Evidence, Known, evidence_of
from moot.protocols.arena.payloads import (
    ArenaDecision,
    ArenaProposal,
    ArenaRules,
    ArenaVote,
    Assessment,
    Convergence,
    Critique,
    DissentingAgent,
    Gate,
    HollowChallenge,
    RoundOpened,
    SameDecision,
    SourcesChecked,
    Tally,
)
from moot.record.entry import Entry, data_of, first_data, header_of
from moot.record.payloads import Cited, Given, Header


class Version(BaseModel):
    """A proposal after a round; `seq` is its entry. `phase` is `gate` for one revised in the cheap gate, which is a
    second version in round 1."""

    seq: int
    round: int
    phase: str
    decision: str
    proposal: str

    @property
    def made_in(self) -> str:
        """The round, in words."""
        return f"Round {self.round}" + (", exchange" if self.phase == "gate" else "")


class CountedVote(BaseModel):
    """A vote of the last round of voting; `choice` is null for an abstention, `own` marks a vote for oneself."""

    agent: str
    choice: str | None
    ranking: list[str]
    confidence: float | None
    reason: str | None
    own: bool
    failure: str | None


class Similarity(BaseModel):
    """The similarity of the proposals after a round, how many agents said they decide the same, and whether the
    evidence was too thin."""

    round: int
    minimum: float | None
    mean: float | None
    threshold: float | None
    backend: str
    asked: bool
    same: int
    hollow: bool


class ArenaOutcome(BaseModel):
    """`decision` and `proposal` are the winner's, null if nothing was decided; then `leading` is the author of the
    proposal ahead. `round` is the last one. `criticisms` counts issues, with their mean severity. `groups` are
    authors of equal decisions, voted on as one; `evidence` is the evidence quality of each agent's last proposal.
    `hollow`: see the decision."""

    topic: str
    decision: str | None
    proposal: str | None
    winner: str | None
    leading: str | None
    decided_by: str | None
    verdict: str | None
    reasons: list[str]
    conditions: str | None
    confidence: float | None
    agreed: float | None
    dissent: list[DissentingAgent]
    round: int
    extra_rounds: int
    votes: list[CountedVote]
    groups: list[list[str]]
    tally: Tally | None
    assessment: Assessment | None
    similarity: list[Similarity]
    challenges: int
    hollow: bool
    evidence: dict[str, Evidence]
    criticisms: int
    mean_severity: float | None
    changes_of_mind: list[MindChanged]
    versions: dict[str, list[Version]]
    cheap: CheapOutcome | None
    counterfactual: Counterfactual | None


REFUSES: Mapping[Ground, Sequence[str]] = {
    "contradicted": ("ranking_contradicts_scores",),
    "unsupported": ("winner_cites_absent_sources",),
    "incomplete": ("judgement_incomplete", "proposal_missing"),
}
"""Flags that make a verdict unreliable."""


def outcome(entries: Sequence[Entry]) -> ArenaOutcome:
    header = header_of(entries, Header)
    rules = first_data(entries, ArenaRules)
    decided = first_data(entries, ArenaDecision)
    rounds = data_of(entries, RoundOpened)
    tallies = data_of(entries, Tally)
    assessments = data_of(entries, Assessment)
    issues = [issue for entry in entries if isinstance(entry.data, Critique) for issue in entry.data.issues]
    versions = versions_in(entries, header)
    won = versions[decided.winner][-1] if decided and decided.winner else None
    return ArenaOutcome(
        topic=header.topic,
        decision=won.decision if won else None,
        proposal=won.proposal if won else None,
        winner=decided.winner if decided else None,
        leading=decided.leading if decided else None,
        decided_by=decided.decided_by if decided else None,
        verdict=decided.verdict if decided else None,
        reasons=decided.reasons if decided else [],
        conditions=decided.conditions if decided else None,
        confidence=decided.confidence if decided else None,
        agreed=decided.agreed if decided else None,
        dissent=decided.dissent if decided else [],
        round=max((one.number for one in rounds), default=0),
        extra_rounds=sum(one.name == "extension" for one in rounds),
        votes=_votes(entries, tallies[-1]) if tallies else [],
        groups=tallies[-1].groups if tallies else [],
        tally=tallies[-1] if tallies else None,
        assessment=assessments[-1] if assessments else None,
        similarity=_similarity(entries),
        challenges=sum(isinstance(entry.data, HollowChallenge) for entry in entries),
        hollow=decided.hollow if decided else False,
        evidence=_evidence(entries, versions),
        criticisms=len(issues),
        mean_severity=round(sum(one.severity for one in issues) / len(issues), 4) if issues else None,
        changes_of_mind=minds_changed(entries),
        versions=versions,
        cheap=_cheap(entries, rules),
        counterfactual=counterfactual(entries, header, rules, won.decision if won else None) if rules else None,
    )


def proposers(entries: Sequence[Entry]) -> list[str]:
    header = first_data(entries, Header)
    return [member.name for member in header.cast if member.role == "proposer"] if header else []


def with_tokens(found: ArenaOutcome, tokens: Mapping[str, int | None], calls: int) -> ArenaOutcome:
    """The outcome with the token costs of each alternative, by call key, and the total number of replies."""
    counted: dict[str, object] = {}
    if found.counterfactual is not None:
        counted["counterfactual"] = counterfactual_with_tokens(found.counterfactual, tokens)
    if found.cheap is not None:
        counted["cheap"] = cheap_with_calls(found.cheap, calls)
    return found.model_copy(update=counted)


def versions_in(entries: Sequence[Entry], header: Header) -> dict[str, list[Version]]:
    """Every agent's proposals, in order; failed ones are left out."""
    found: dict[str, list[Version]] = {one.name: [] for one in header.cast if one.role == "proposer"}
    for entry in entries:
        data = entry.data
        if isinstance(data, ArenaProposal) and data.failure is None:
            version = Version(
                seq=entry.seq,
                round=data.round,
                phase=entry.phase,
                decision=data.decision or "",
                proposal=data.proposal or "",
            )
            found[entry.speaker].append(version)
    return found


def _evidence(entries: Sequence[Entry], versions: Mapping[str, list[Version]]) -> dict[str, Evidence]:
    checks = data_of(entries, SourcesChecked)
    known = Known(
        numbers={one.document for one in data_of(entries, Given)} | {one.number for one in data_of(entries, Cited)},
        quoted=[quote for one in checks for quote in one.quoted],
        looked_up={source.url: source.found for one in checks for source in one.sources},
    )
    last = {name: several[-1] for name, several in versions.items() if several}
    return {name: evidence_of(f"{one.decision}\n{one.proposal}", known) for name, one in last.items()}


def _votes(entries: Sequence[Entry], last: Tally) -> list[CountedVote]:
    """The votes of the last vote, one per voter; a repeated question counts by its last answer."""
    found = {
        entry.speaker: entry.data
        for entry in entries
        if isinstance(entry.data, ArenaVote) and entry.data.round == last.round
    }
    return [
        CountedVote(
            agent=name,
            choice=vote.ranking[0] if vote.ranking else None,
            ranking=vote.ranking,
            confidence=vote.confidence,
            reason=vote.reason,
            own=vote.ranking[:1] == [name],
            failure=vote.failure,
        )
        for name, vote in found.items()
    ]


def _similarity(entries: Sequence[Entry]) -> list[Similarity]:
    answers = [entry.data for entry in entries if isinstance(entry.data, SameDecision) and entry.phase == "revision"]
    return [
        Similarity(
            **one.model_dump(),
            asked=any(answer.round == one.round for answer in answers),
            same=sum(answer.same is True for answer in answers if answer.round == one.round),
        )
        for one in (entry.data for entry in entries)
        if isinstance(one, Convergence)
    ]


def _cheap(entries: Sequence[Entry], rules: ArenaRules | None) -> CheapOutcome | None:
    gates = data_of(entries, Gate)
    return cheap_outcome(entries, gates, rules) if gates and rules else None
