"""The outcome of an arena, computed from its log."""

from collections import Counter
from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from moot.api import Cited, Entry, Given, Header, data_of, first_data, header_of
from moot.api.capabilities import Ground
from moot.protocols.arena.evidence_quality import Evidence, Known, evidence_of
from moot.protocols.arena.payloads import (
    ArenaDecision,
    ArenaProposal,
    ArenaVote,
    Assessment,
    Convergence,
    Critique,
    DissentingAgent,
    Doubt,
    HollowChallenge,
    RoundOpened,
    SameDecision,
    SourcesChecked,
    Tally,
)
from moot.text.prose import plain_words


class Version(BaseModel):
    """A proposal after a round; `seq` is its entry."""

    seq: int
    round: int
    decision: str
    proposal: str

    @property
    def text(self) -> str:
        return f"{self.decision}\n\n{self.proposal}"


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


class MindChanged(BaseModel):
    """An agent says it changed its mind, and its decision has a new wording: because of whom, and with which new
    evidence. `critique_seq` is that critic's critique, null if there was none."""

    agent: str
    round: int
    because_of: str | None
    critique_seq: int | None
    new_evidence: str | None
    from_decision: str
    to_decision: str


class ArenaOutcome(BaseModel):
    """`decision` and `proposal` are the winner's, null if nothing was decided; then `leading` is the author of the
    proposal ahead. `first_majority` is the decision of most of the blind proposals, by wording; null without one, and
    until all are in. `round` is the last one. `criticisms` counts issues, with their mean severity. `evidence` is the
    evidence quality of each agent's last proposal. For the rest, see the decision in the log."""

    topic: str
    decision: str | None
    proposal: str | None
    winner: str | None = None
    leading: str | None = None
    decided_by: str | None = None
    verdict: str | None = None
    reasons: list[str] = []
    doubts: list[Doubt] = []
    conditions: list[str] = []
    confidence: float | None = None
    agreed: float | None = None
    hollow: bool = False
    dissent: list[DissentingAgent] = []
    first_majority: str | None
    round: int
    extra_rounds: int
    votes: list[CountedVote]
    tally: Tally | None
    assessment: Assessment | None
    similarity: list[Similarity]
    challenges: int
    evidence: dict[str, Evidence]
    criticisms: int
    mean_severity: float | None
    changes_of_mind: list[MindChanged]
    versions: dict[str, list[Version]]

    @property
    def voters(self) -> list[str]:
        """The agents whose vote counts for the winner."""
        return [name for name, choice in self.tally.counted.items() if choice == self.winner] if self.tally else []

    def counted_for(self, choice: str | None) -> str | None:
        """The agent whose proposal a vote for this one counts for."""
        return self.tally.stands_for.get(choice, choice) if self.tally and choice else choice


REFUSES: Mapping[Ground, Sequence[str]] = {
    "contradicted": ("ranking_contradicts_scores",),
    "unsupported": ("winner_cites_absent_sources",),
    "incomplete": ("judgement_incomplete", "proposal_missing"),
}
"""Flags that make a verdict unreliable."""


def outcome(entries: Sequence[Entry]) -> ArenaOutcome:
    header = header_of(entries, Header)
    decided = first_data(entries, ArenaDecision)
    rounds = data_of(entries, RoundOpened)
    tallies = data_of(entries, Tally)
    assessments = data_of(entries, Assessment)
    issues = [issue for one in data_of(entries, Critique) for issue in one.issues]
    versions = versions_in(entries, header)
    won = versions[decided.winner][-1] if decided and decided.winner else None
    last = max((one.number for one in rounds), default=0)
    return ArenaOutcome(
        **(decided.model_dump(exclude={"round"}) if decided else {}),
        topic=header.topic,
        decision=won.decision if won else None,
        proposal=won.proposal if won else None,
        first_majority=_first_majority(versions) if last > 1 else None,
        round=last,
        extra_rounds=sum(one.name == "extension" for one in rounds),
        votes=_votes(entries, tallies[-1]) if tallies else [],
        tally=tallies[-1] if tallies else None,
        assessment=assessments[-1] if assessments else None,
        similarity=_similarity(entries),
        challenges=len(data_of(entries, HollowChallenge)),
        evidence=_evidence(entries, versions),
        criticisms=len(issues),
        mean_severity=round(sum(one.severity for one in issues) / len(issues), 4) if issues else None,
        changes_of_mind=minds_changed(entries),
        versions=versions,
    )


def proposers(entries: Sequence[Entry]) -> list[str]:
    header = first_data(entries, Header)
    return [member.name for member in header.cast if member.role == "proposer"] if header else []


def versions_in(entries: Sequence[Entry], header: Header) -> dict[str, list[Version]]:
    """Every agent's proposals, in order; failed ones are left out."""
    found: dict[str, list[Version]] = {one.name: [] for one in header.cast if one.role == "proposer"}
    for entry in entries:
        data = entry.data
        if isinstance(data, ArenaProposal) and data.failure is None:
            version = Version(
                seq=entry.seq, round=data.round, decision=data.decision or "", proposal=data.proposal or ""
            )
            found[entry.speaker].append(version)
    return found


def minds_changed(entries: Sequence[Entry]) -> list[MindChanged]:
    critiques = {
        (entry.speaker, entry.data.of): entry.seq
        for entry in entries
        if isinstance(entry.data, Critique) and entry.data.of
    }
    held: dict[str, str] = {}
    found = []
    for entry in entries:
        data = entry.data
        if not isinstance(data, ArenaProposal) or data.failure is not None:
            continue
        before = held.get(entry.speaker, "")
        if data.changed_mind and plain_words(data.decision or "") != plain_words(before):
            found.append(
                MindChanged(
                    agent=entry.speaker,
                    round=data.round,
                    because_of=data.because_of,
                    critique_seq=critiques.get((data.because_of or "", entry.speaker)),
                    new_evidence=data.new_evidence,
                    from_decision=before,
                    to_decision=data.decision or "",
                )
            )
        held[entry.speaker] = data.decision or ""
    return found


def _first_majority(versions: Mapping[str, list[Version]]) -> str | None:
    first = [several[0].decision for several in versions.values() if several]
    counts = Counter(map(plain_words, first))
    words, most = counts.most_common(1)[0]
    return next(said for said in first if plain_words(said) == words) if 2 * most > len(first) else None


def _evidence(entries: Sequence[Entry], versions: Mapping[str, list[Version]]) -> dict[str, Evidence]:
    known = Known(
        numbers={given.document for given in data_of(entries, Given) if given.is_fact}
        | {one.number for one in data_of(entries, Cited)},
        looked_up={source.url: source.found for one in data_of(entries, SourcesChecked) for source in one.sources},
    )
    last = {name: several[-1] for name, several in versions.items() if several}
    return {name: evidence_of(one.text, known) for name, one in last.items()}


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
            own=vote.ranking[:1] == [name],
            **vote.model_dump(include={"ranking", "confidence", "reason", "failure"}),
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
        for one in data_of(entries, Convergence)
    ]
