"""The payloads of an arena. Rounds are counted from 0; scores are from 0 to 10, severities and shares from 0 to 1."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from moot.api import Payload, Payloads
from moot.present import Brief

DecidedBy = Literal["early consensus", "vote and judge", "judge", "vote", "none"]
ArenaVerdict = Literal["approved", "approved_with_conditions", "needs_review", "rejected"]
Verdict = Literal["accepted", "partly", "rejected"]


class ArenaRules(Payload):
    """The rules of the debate. `threshold` is null if the backend's own is used; `weights` are decimal strings."""

    vote: str
    vote_threshold: str | None
    self_votes: bool
    quorum: int
    criteria: dict[str, str]
    threshold: float | None
    agreement: float
    early_stop_confidence: float
    pass_mark: float
    max_extra_rounds: int
    weights: dict[str, str]
    require: list[str]


class RoundOpened(Payload):
    """The start of a round. `asked` are the agents with work in it."""

    number: int
    name: str
    asked: list[str]


class ObjectionAnswer(Payload):
    """What an author makes of an objection: the `issue` as its critic put it, `by` that critic."""

    by: str
    issue: str
    severity: float = Field(ge=0, le=1)
    reason: str
    verdict: Verdict


class ArenaProposal(Payload):
    """An agent's proposal after a round. With a `failure`, the previous one, if any, remains.

    `changed_mind`, `because_of` and `new_evidence` are the agent's own account of a revision, `answers` what it made of
    objections in it. `would_change` is what it would have to learn to decide otherwise, `confidence` how sure it is.
    """

    round: int
    version: int
    decision: str | None = None
    proposal: str | None = None
    changed_mind: bool | None = None
    because_of: str | None = None
    new_evidence: str | None = None
    failure: str | None = None
    would_change: str | None = None
    confidence: float | None = Field(default=None, ge=0, le=1)
    answers: list[ObjectionAnswer] = Field(default_factory=list)


class CritiqueIssue(Payload):
    """`quote` are the words of the proposal that it is about; null if the critic gave none that stand there."""

    issue: str
    severity: float = Field(ge=0, le=1)
    suggestion: str
    quote: str | None = None


class Critique(Payload):
    """One agent's criticism of another's first proposal; `of` is null if the critic failed."""

    round: int
    of: str | None = None
    issues: list[CritiqueIssue] = Field(default_factory=list)
    failure: str | None = None


class PairSimilarity(Payload):
    a: str
    b: str
    similarity: float


class Convergence(Payload):
    """The similarity of the proposals after a round, by pairs; null with a reason if it could not be measured.

    `stability` is how similar each agent's proposal is to its own of the round before, which is no sign of
    agreement. `nearest` is the agent whose proposal is most similar to all others. `quality` is the evidence quality
    of each proposal, and `bar` the similarity above which a consensus with such evidence is hollow; it is set only
    with a Trickster.
    """

    round: int
    backend: str
    threshold: float | None
    pairs: list[PairSimilarity]
    mean: float | None
    minimum: float | None
    stability: dict[str, float]
    nearest: str | None
    passed: bool
    quality: dict[str, float]
    bar: float | None
    hollow: bool
    failure: str | None


class SameDecision(Payload):
    """Whether an agent says its proposal decides the same as the one of `of`; both null if it failed."""

    round: int
    of: str | None = None
    same: bool | None = None
    differs_in: str | None = None
    failure: str | None = None


class CheckedSource(Payload):
    """An address that a proposal names. `found` is null if that is unknown; `why` gives the reason."""

    url: str
    found: bool | None
    why: str | None


class SourcesChecked(Payload):
    """The result of looking up the addresses that a round cites."""

    round: int
    sources: list[CheckedSource]


class TricksterQuestion(Payload):
    """`gaps` were found by code; the question is the Trickster's, or made from the gaps if it failed."""

    to: str
    question: str
    gaps: list[str]


class HollowChallenge(Payload):
    round: int
    questions: list[TricksterQuestion]
    failure: str | None


class ArenaVote(Payload):
    """One vote. `labels` maps letters to authors, in the order shown; `ranking` are names, the choice first, and
    empty with a `failure` and where the voter abstains."""

    round: int
    labels: dict[str, str]
    ranking: list[str] = Field(default_factory=list)
    confidence: float | None = Field(default=None, ge=0, le=1)
    reason: str | None = None
    failure: str | None = None


class Tally(Payload):
    """The count of the votes. `scores` are votes, weights, points or wins, depending on the rule, as exact fractions,
    and `ahead` those who lead by it. `groups` are authors of equal decisions: votes for any of them count for the one
    named in `scores`, and `counted` says for whom each ballot does. `voters` includes those who `abstained`. With
    `own_barred` nobody votes for its own. If nobody won, sure judges choose among `judges_may_choose`."""

    round: int
    rule: str
    winner: str | None
    ahead: list[str]
    judges_may_choose: list[str]
    groups: list[list[str]]
    voters: int
    own_barred: bool
    counted: dict[str, str]
    scores: dict[str, str]
    reason: str
    cycle: list[str]
    abstained: list[str]

    @property
    def stands_for(self) -> dict[str, str]:
        """For each agent in a group of equal decisions, the agent whose proposal counts for the group."""
        return {name: next(one for one in group if one in self.scores) for group in self.groups for name in group}

    @property
    def others(self) -> int:
        """How many votes a candidate could have: those of all but its author, if nobody votes for its own."""
        return self.voters - self.own_barred

    def authors(self, candidate: str) -> list[str]:
        return next((group for group in self.groups if candidate in group), [candidate])


class JudgeReading(Payload):
    """A judge's reading of the proposals in one order. `scores` are by proposer and criterion; `ranking` are
    proposers. A judge reads twice, the second time in the opposite order, without memory of the first. `brief` is what
    it says for its first place, and the best objection to it; `conditions` must be met before it is carried out."""

    round: int
    reading: Literal[1, 2]
    labels: dict[str, str]
    scores: dict[str, dict[str, float]] = Field(default_factory=dict)
    ranking: list[str] = Field(default_factory=list)
    reasons: dict[str, str] = Field(default_factory=dict)
    confidence: float | None = Field(default=None, ge=0, le=1)
    failure: str | None = None
    brief: Brief | None = None
    conditions: list[str] = Field(default_factory=list)


class JudgeSummary(Payload):
    """One judge's two readings combined. `ranking` is by mean place, ties by score, and `first` is null if both are
    equal. `order_effect` is the mean change of a score with the order. `unstable`: the two readings put different
    proposals first. All null if a reading is missing. `contradicts`: a reading ranks a proposal above one with a higher
    score."""

    judge: str
    first: str | None
    ranking: list[str]
    confidence: float | None
    order_effect: float | None
    unstable: bool | None
    contradicts: bool


class Assessment(Payload):
    """The combined judgement. `first` has the best median place over the judges, ties by the number of first places;
    null if still equal. `backed_by` are the judges who put it first in both readings.

    `ranking` has all proposals by the same measure, the best first, and equal ones together. `scores` are means over
    criteria and readings, `by_criterion` over readings; for several judges, medians, as is `confidence`, so that one
    outlier decides nothing. `unstable`: the readings of some judge put different proposals first; null if none do but a
    reading is missing.
    """

    round: int
    scores: dict[str, float]
    by_criterion: dict[str, dict[str, float]]
    first: str | None
    ranking: list[list[str]]
    backed_by: list[str]
    confidence: float | None
    judges: list[JudgeSummary]
    unstable: bool | None
    failure: str | None


class NotedFallacy(Payload):
    """`words` occur in the turn exactly like this; `name` is the observer's."""

    name: str
    words: str


class NotedTurn(Payload):
    of: str
    kinds: list[str]
    fallacies: list[NotedFallacy]


class Observation(Payload):
    """The observer's notes on a round. `unfounded` counts fallacies whose words occur in no turn."""

    round: int
    turns: list[NotedTurn] = Field(default_factory=list)
    unfounded: int = 0
    failure: str | None = None


class DissentingAgent(Payload):
    agent: str
    reason: str


class Doubt(BaseModel):
    """A reason why a verdict is not an approval; `code` is that of its flag, if it has one of its own."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    text: str
    code: str = ""


class ArenaDecision(Payload):
    """The end of the debate. `winner` is the author of the chosen proposal, `leading` of the one ahead if none was
    chosen. `agreed` is the share of all agents behind an early consensus. `reasons` settled it, and `doubts` are left.
    `conditions` are those of a judge who puts the winner first. `hollow`: the proposals were very similar on thin
    evidence, and no answer to the Trickster changed that."""

    round: int
    decided_by: DecidedBy
    winner: str | None
    leading: str | None
    verdict: ArenaVerdict
    reasons: list[str]
    doubts: list[Doubt]
    conditions: list[str] = Field(default_factory=list)
    confidence: float | None = None
    agreed: float | None = None
    hollow: bool
    dissent: list[DissentingAgent]


PAYLOADS: Payloads = {
    "rules": ArenaRules,
    "round": RoundOpened,
    "proposal": ArenaProposal,
    "critique": Critique,
    "convergence": Convergence,
    "agreement": SameDecision,
    "sources": SourcesChecked,
    "challenge": HollowChallenge,
    "vote": ArenaVote,
    "tally": Tally,
    "judging": JudgeReading,
    "assessment": Assessment,
    "observation": Observation,
    "outcome": ArenaDecision,
}
