"""The payloads of an arena. Rounds are counted from 0; scores are from 0 to 10, severities and shares from 0 to 1."""

from typing import Literal

from pydantic import Field

from moot.record.payloads import Payload, Payloads

DecidedBy = Literal["early consensus", "vote and judge", "judge", "vote", "none"]
ArenaVerdict = Literal["approved", "approved_with_conditions", "needs_review", "rejected"]
CheapStage = Literal["first answers", "exchange"]


class ArenaRules(Payload):
    """What the debate goes by. `threshold` is null where the backend's own holds; `weights` are decimal texts."""

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
    ratings: dict[str, float]
    calls_of_whole_arena: int
    require: list[str]


class RoundOpened(Payload):
    """A round begins. `asked` are the agents that have something to do in it."""

    number: int
    name: str
    asked: list[str]


class BackgroundText(Payload):
    title: str
    kind: str
    characters: int


class Background(Payload):
    """What every agent was handed before its proposal; the entry's content is all of it."""

    texts: list[BackgroundText]


class ArenaProposal(Payload):
    """An agent's proposal as it stands after a round. With a `failure` the one before it, if any, still stands.

    `changed_mind`, `because_of` and `new_evidence` are the agent's own account of a revision.
    """

    round: int
    version: int
    decision: str | None
    proposal: str | None
    changed_mind: bool | None
    because_of: str | None
    new_evidence: str | None
    failure: str | None


class CritiqueIssue(Payload):
    issue: str
    severity: float = Field(ge=0, le=1)
    suggestion: str


class Critique(Payload):
    """One agent's criticism of another's proposal; `of` is null where the critic failed, and criticised nobody."""

    round: int
    of: str | None
    issues: list[CritiqueIssue]
    failure: str | None


class PairSimilarity(Payload):
    a: str
    b: str
    similarity: float


class Convergence(Payload):
    """How alike the proposals are after a round, by pairs; null and the reason where that could not be measured.

    `stability` is how alike each agent's proposal is to its own of the round before: no sign of agreement. `nearest`
    is the agent whose proposal is nearest to all others. `quality` is each proposal's evidence quality, and `bar` the
    similarity from which such evidence makes a consensus hollow, only where a Trickster takes part.
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
    """Whether an agent's own proposal decides the same as the one it was shown, of `of`; null where it failed, as is
    `of` where it failed to compare several."""

    round: int
    of: str | None
    same: bool | None
    differs_in: str | None
    failure: str | None


class CheckedSource(Payload):
    """An address that a proposal names. `found` is null where nobody can say, for the reason in `why`."""

    url: str
    found: bool | None
    why: str | None


class SourcesChecked(Payload):
    """What came of looking up the addresses that were new in a round. `quoted` are quotations of proposals that stand
    in a page."""

    round: int
    sources: list[CheckedSource]
    quoted: list[str]


class TricksterQuestion(Payload):
    """`gaps` are what code found missing; the question is the Trickster's, or made of the gaps where it failed."""

    to: str
    question: str
    gaps: list[str]


class HollowChallenge(Payload):
    round: int
    questions: list[TricksterQuestion]
    failure: str | None


class ArenaVote(Payload):
    """One vote. `labels` says whose proposal stood under which label, in the order shown; `ranking` are names, the
    choice first. Nothing is ranked where there is a `failure`."""

    round: int
    labels: dict[str, str]
    ranking: list[str]
    confidence: float | None = Field(ge=0, le=1)
    reason: str | None
    failure: str | None


class Tally(Payload):
    """What the votes come to. `self_votes` is the share of votes for the voter's own proposal; `scores` are votes,
    weights, points or wins, as the rule counts, as exact fractions in words. `groups` are those whose proposals decide
    the same: votes for any of them count for the one that is named in `scores`. `voters` were to vote, those included
    who `abstained`: that is what shares are of."""

    round: int
    rule: str
    winner: str | None
    groups: list[list[str]]
    voters: int
    scores: dict[str, str]
    reason: str
    cycle: list[str]
    self_votes: float | None
    abstained: list[str]


class JudgeReading(Payload):
    """What a judge makes of the proposals in one order of showing. `scores` are by proposer and criterion; `ranking`
    are proposers. A judge reads twice, the second time in the opposite order, without memory of the first."""

    round: int
    reading: Literal[1, 2]
    labels: dict[str, str]
    scores: dict[str, dict[str, float]]
    ranking: list[str]
    reasons: dict[str, str]
    confidence: float | None = Field(ge=0, le=1)
    failure: str | None


class JudgeSummary(Payload):
    """One judge's two readings put together. `ranking` is by its own places, those of equal place by score, and `first`
    is null where neither tells. `order_effect` is by how much a score changes, on average, with the order;
    `earlier_bias` by how much it is higher for being shown earlier. `unstable` when the two readings put different
    proposals first. All null where a reading is missing. `contradicts`: a reading ranks a proposal before one to which
    it gives a higher score."""

    judge: str
    first: str | None
    ranking: list[str]
    confidence: float | None
    order_effect: float | None
    earlier_bias: float | None
    unstable: bool | None
    contradicts: bool


class Assessment(Payload):
    """What the judges come to. `first` has the best median place over the judges; among equals it is put first by most
    of them; null where that does not tell. `borne_by` are the judges who put it first in both readings.

    `scores` are means over criteria and both readings, `by_criterion` over both readings. Of several judges they are
    the medians, as `confidence` is, so that one outlier decides nothing. `unstable` when the two readings of any judge
    put different proposals first, null where no such pair does and a reading is missing. With several judges,
    `same_first` is the share of pairs of them that put the same proposal first, and `rank_agreement` the mean of
    Kendall's tau over these pairs."""

    round: int
    scores: dict[str, float]
    by_criterion: dict[str, dict[str, float]]
    first: str | None
    borne_by: list[str]
    confidence: float | None
    judges: list[JudgeSummary]
    unstable: bool | None
    same_first: float | None
    rank_agreement: float | None
    failure: str | None


class NotedFallacy(Payload):
    """`words` stand in the turn as they are here; `name` is the observer's."""

    name: str
    words: str


class NotedTurn(Payload):
    of: str
    kinds: list[str]
    fallacies: list[NotedFallacy]


class Observation(Payload):
    """What the observer notes of the turns of a round. `unfounded` counts fallacies whose words stand in no turn."""

    round: int
    turns: list[NotedTurn]
    unfounded: int
    failure: str | None


class Gate(Payload):
    """Whether the two that answer first decide the same, by their own answers; null where one of them failed. Where a
    Trickster takes part, `hollow` agreement rests on thin evidence and settles nothing."""

    stage: CheapStage
    between: list[str]
    same: bool | None
    differs_in: dict[str, str]
    hollow: bool
    failure: str | None


class DissentingAgent(Payload):
    agent: str
    reason: str


class ArenaDecision(Payload):
    """How it ended. `winner` is whose proposal was chosen, `leading` the one ahead where none was. `agreed` is the
    share of all agents behind an early consensus. `reasons` say which rules led to the verdict. `hollow`: the proposals
    were much alike on thin evidence, and no answer to the Trickster has mended that."""

    round: int
    decided_by: DecidedBy
    winner: str | None
    leading: str | None
    verdict: ArenaVerdict
    reasons: list[str]
    confidence: float | None
    agreed: float | None
    hollow: bool
    dissent: list[DissentingAgent]


PAYLOADS: Payloads = {
    "rules": ArenaRules,
    "round": RoundOpened,
    "background": Background,
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
    "gate": Gate,
    "outcome": ArenaDecision,
}
