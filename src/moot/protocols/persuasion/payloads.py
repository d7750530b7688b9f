"""The payloads of a persuasion dialogue. `side` is PRO or OPP; propositions are A1, A2, …; facts K1, K2, …."""

import re
from typing import Literal

from pydantic import Field

from moot.record.payloads import Header, Payload, Payloads

DialogueSide = Literal["PRO", "OPP"]
DecidedBy = Literal["concession", "retraction", "root scores", "surviving arguments", "moderator", "nothing"]


class PersuasionHeader(Header):
    """`premise` is φ in words, where that is not the topic as it was given."""

    premise: str | None


class SharedFact(Payload):
    """A fact both sides may use. `quote` stands in the source word for word."""

    id: str
    source: str
    quote: str

    @property
    def is_commit(self) -> bool:
        """Whether it is from the history; the source of a passage ends with its lines."""
        return re.fullmatch(r"commit [0-9a-f]+", self.source) is not None


class SharedContext(Payload):
    """What the dialogue is about and what both sides may use. `left_out` counts, by reason, files not read."""

    proposition: str
    denial: str
    rounds: int
    perspective: str | None
    facts: list[SharedFact]
    files: int
    left_out: dict[str, int]

    @property
    def gathered(self) -> str:
        """What the facts were taken from, in words. The history is told of where something was taken from it."""
        commits = sum(one.is_commit for one in self.facts)
        passages = len(self.facts) - commits
        read = f"{passages} {_plural('passage', passages)} from {self.files} {_plural('file', self.files)}"
        history = f"{commits} {_plural('commit', commits)} of the git history"
        return " and ".join(part for part, some in ((read, passages), (history, commits)) if some)


class PutProposition(Payload):
    """A proposition that a move put forward, with all the evidence cited for it so far."""

    id: str
    content: str
    by: DialogueSide
    evidence: list[str]


class DialogueMove(Payload):
    """A move of the dialogue. `said` are the speaker's words; the entry's content has ids and premises as well.

    `proposition` is what the act is about, `counters` what a counter-claim or an undercut is against. `adds` and
    `removes` are the effect on the speaker's commitments: folding them gives the commitment stores. With a `rule` the
    program made the move in the side's name. `failure`: why the moderator did not look at it before it stood.
    `unknown` are ids in the speaker's words that name nothing on record.
    """

    id: str
    round: int
    side: DialogueSide
    act: Literal["claim", "why", "since", "concede", "retract"]
    target: str | None
    proposition: str
    counters: str | None
    attack: Literal["rebut", "undercut"] | None
    said: str
    premises: list[str]
    evidence: list[str]
    puts: list[PutProposition]
    adds: list[str]
    removes: list[str]
    rule: Literal["opening", "challenge", "retraction"] | None
    failure: str | None
    unknown: list[str] = Field(default_factory=list)


class MoveSentBack(Payload):
    """A move that did not stand: the moderator sent it back, for this fault and reason."""

    side: DialogueSide
    round: int
    move: str
    fault: Literal["straw man", "personal attack"]
    reason: str


class TurnForfeited(Payload):
    """A turn without a move, since no legal one was had in three tries. `agent` is the name of who lost it."""

    side: DialogueSide
    agent: str = ""
    round: int
    failure: str

    @property
    def failing(self) -> str | None:
        return self.agent or None


class FinalStatement(Payload):
    """`unknown` are ids in it that name nothing on record."""

    side: DialogueSide
    failure: str | None
    unknown: list[str] = Field(default_factory=list)


class FrameworkArgument(Payload):
    """An argument of the framework. `score` is the specification's, `dfquad` that under DF-QuAD; null where the
    iteration did not settle. `move` put it forward last."""

    id: str
    content: str
    side: DialogueSide
    move: str
    evidence: list[str]
    score: float | None
    state: Literal["above", "below", "level", "untouched", "unsettled"]
    dfquad: float | None


class FrameworkRelation(Payload):
    source: str
    target: str
    kind: Literal["support", "rebut", "undercut"]
    move: str


class DerivedAttack(Payload):
    """An attack that follows from the others: listed, and not scored."""

    source: str
    target: str
    kind: Literal["supported", "secondary"]
    via: str


class ScoresCertificate(Payload):
    """How far the scores can be relied on: see `moot.argument.gradual.Scores`."""

    converged: bool
    certificate: str
    unique: bool
    stable: bool
    residual: float


class Framework(Payload):
    """The bipolar framework that the moves built, and what follows from it. Scores are rounded to 6 decimals.

    `preferred` are all preferred extensions, or the first of them where `preferred_more`. `by_semantics` is who would
    win under each way of reading the framework, null where it does not decide. `winner` and `hangs_on_semantics` are
    by the rules alone: where these leave it to the moderator, who wins is in the judgement.
    """

    root: str
    counter_root: str | None
    arguments: list[FrameworkArgument]
    relations: list[FrameworkRelation]
    derived: list[DerivedAttack]
    certificate: ScoresCertificate
    dfquad_certificate: ScoresCertificate
    grounded: list[str]
    preferred: list[list[str]]
    preferred_more: bool
    ended: str | None
    surviving_sums: dict[str, float | None]
    winner: DialogueSide | None
    decided_by: DecidedBy
    by_semantics: dict[str, DialogueSide | None]
    hangs_on_semantics: bool


class DialogueJudgement(Payload):
    """The moderator's verdict; the entry's content is the rationale. What it did not give is empty, with the reason
    in `failure`. `winner` is a name. `unknown` are ids in its texts that name nothing on record, `unfounded` those of
    `concessions` that name nothing conceded or retracted."""

    winner: str | None
    side: DialogueSide | None
    decided_by: DecidedBy
    cites: list[str]
    strongest: list[str]
    valid_points: list[str]
    open_questions: list[str]
    concessions: list[str]
    consensus: str | None
    revisit: list[str]
    failure: str | None
    unknown: list[str] = Field(default_factory=list)
    unfounded: list[str] = Field(default_factory=list)


def _plural(noun: str, number: int) -> str:
    return noun if number == 1 else f"{noun}s"


PAYLOADS: Payloads = {
    "header": PersuasionHeader,
    "context": SharedContext,
    "move": DialogueMove,
    "sent_back": MoveSentBack,
    "forfeit": TurnForfeited,
    "final_statement": FinalStatement,
    "framework": Framework,
    "judgement": DialogueJudgement,
}
