"""The payloads of a persuasion dialogue. `side` is PRO or OPP; propositions are A1, A2, …; facts K1, K2, …."""

import re
from typing import Literal

from pydantic import Field

from moot.api import Payload, Payloads
from moot.present import Brief
from moot.text.prose import listed

DialogueSide = Literal["PRO", "OPP"]
DecidedBy = Literal["concession", "retraction", "root scores", "surviving arguments", "moderator", "nothing"]


class SharedFact(Payload):
    """A fact that both sides can use. `quote` is in the source word for word."""

    id: str
    source: str
    quote: str

    @property
    def is_commit(self) -> bool:
        """Whether it comes from the git history; the source of a passage ends with its lines."""
        return re.fullmatch(r"commit [0-9a-f]+", self.source) is not None


class SharedContext(Payload):
    """The subject of the dialogue and the facts for both sides, beside this many `documents`. `searched` counts the
    folders and files that were to be searched for facts, `left_out` unread files by reason. `require` is who has to win
    for the caller: the `proponent`, the `opponent`, or any `winner`."""

    proposition: str
    denial: str
    rounds: int
    perspective: str | None
    facts: list[SharedFact]
    documents: int
    searched: int
    files: int
    left_out: dict[str, int]
    require: list[str]

    @property
    def gathered(self) -> str:
        """What can be cited, in words; empty if nothing can."""
        commits = sum(one.is_commit for one in self.facts)
        passages = len(self.facts) - commits
        read = f"{passages} {_plural('passage', passages)} from {self.files} {_plural('file', self.files)}"
        history = f"{commits} {_plural('commit', commits)} of the git history"
        given = f"{self.documents} {_plural('document', self.documents)}"
        parts = ((read, passages), (history, commits), (given, self.documents))
        return listed([part for part, some in parts if some])


class PutProposition(Payload):
    """A proposition that a move put forward, with all the evidence cited for it so far. `bears` are the facts among it
    that have to do with the proposition: these spare it the question why."""

    id: str
    content: str
    by: DialogueSide
    evidence: list[str]
    bears: list[str]


class DialogueMove(Payload):
    """A move of the dialogue. `said` are the speaker's words; the entry's content also has ids and premises. `turn` is
    counted from 0, with forfeited and skipped turns.

    `proposition` is the subject of the act, `counters` the target of a counter-claim or an undercut. `adds` and
    `removes` are the effect on the speaker's commitments; together they give the commitment stores. A move with a
    `rule` was made by the program on behalf of the side. `failure` is the reason why the moderator did not check it.
    """

    id: str
    round: int
    turn: int
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
    rule: Literal["opening", "challenge", "clash", "unbacked"] | None
    failure: str | None


class MoveSentBack(Payload):
    """A rejected move: the moderator sent it back for this fault and reason."""

    side: DialogueSide
    round: int
    move: str
    fault: Literal["straw man", "personal attack", "weak argument"]
    reason: str


class TurnForfeited(Payload):
    """A turn without a move, after two attempts without a legal one. `agent` is the name of the agent that lost
    it."""

    side: DialogueSide
    agent: str = ""
    round: int
    turn: int
    failure: str

    @property
    def failing(self) -> str | None:
        return self.agent or None


class FinalStatement(Payload):
    """`failure` is the reason why there is no statement, or why it is unknown what the side gives up in it."""

    side: DialogueSide
    failure: str | None


class FrameworkArgument(Payload):
    """An argument of the framework. `score` follows the specification, `dfquad` follows DF-QuAD; null if the
    iteration did not settle. `move` is the last move that put it forward. What is `questioned` was asked about in vain
    so far; what is `conceded` was granted by the other side."""

    id: str
    content: str
    side: DialogueSide
    move: str
    evidence: list[str]
    bears: list[str]
    score: float | None
    state: Literal["above", "below", "level", "untouched", "unsettled"]
    fate: Literal["stands", "questioned", "conceded"]
    dfquad: float | None


class FallenArgument(Payload):
    """An argument that was raised and does not count any more: its side withdrew it, or a rule struck it."""

    id: str
    content: str
    side: DialogueSide
    move: str
    fate: Literal["withdrawn", "struck"]
    reason: str


class FrameworkRelation(Payload):
    source: str
    target: str
    kind: Literal["support", "rebut", "undercut"]
    move: str


class DerivedAttack(Payload):
    """An attack that follows from the others: listed, but not scored."""

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


class DecidingArgument(Payload):
    """The argument whose removal moves the verdict most. `flips`: without it the side would not win, but `winner`, or
    nobody by the scores; `without` are the scores of φ and ¬φ then. An undisputed or missing ¬φ counts as 0.5. `equals`
    are arguments with the same effect."""

    argument: str
    content: str
    flips: bool
    winner: str | None
    without: dict[str, float | None]
    equals: list[str] = Field(default_factory=list)


class Framework(Payload):
    """The bipolar framework of the moves, and its consequences. Scores are rounded to 6 decimals.

    `preferred` are all preferred extensions, or the first of them if `preferred_more`. `by_semantics` is the winner
    under each semantics, null if it does not decide. `winner` and `hangs_on_semantics` follow from the rules alone: if
    these leave it to the moderator, the judgement names the winner. `deciding` is there when the dialogue is over.
    """

    root: str
    counter_root: str | None
    arguments: list[FrameworkArgument]
    relations: list[FrameworkRelation]
    fallen: list[FallenArgument]
    fallen_relations: list[FrameworkRelation]
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
    deciding: DecidingArgument | None = None


class DialogueJudgement(Payload):
    """The moderator's verdict; the entry's content is the rationale. Missing parts are empty, with the reason in
    `failure`. `winner` is a name. In its `brief` the moderator answers whoever asked, and `follows` is the debater
    whose case that answer follows, "" for neither; both are None if it wrote none. `unfounded` are the
    `concessions` that do not name anything conceded or retracted."""

    winner: str | None
    side: DialogueSide | None
    decided_by: DecidedBy
    cites: list[str] = Field(default_factory=list)
    strongest: list[str] = Field(default_factory=list)
    valid_points: list[str] = Field(default_factory=list)
    open_questions: list[str] = Field(default_factory=list)
    concessions: list[str] = Field(default_factory=list)
    failure: str | None
    brief: Brief | None = None
    follows: str | None = None
    unfounded: list[str] = Field(default_factory=list)


def _plural(noun: str, number: int) -> str:
    return noun if number == 1 else f"{noun}s"


PAYLOADS: Payloads = {
    "context": SharedContext,
    "move": DialogueMove,
    "sent_back": MoveSentBack,
    "forfeit": TurnForfeited,
    "final_statement": FinalStatement,
    "framework": Framework,
    "judgement": DialogueJudgement,
}
