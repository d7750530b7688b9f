"""The payloads of a panel."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from moot import present
from moot.api import Payload, Payloads
from moot.present import Grade

Stance = Literal["agree", "disagree", "partial"]
NO_FINDING = "none"
"""In place of the number of a finding."""


class Part(BaseModel):
    """A part of a payload, which a reply can have, too."""

    model_config = ConfigDict(frozen=True, defer_build=True)


class Brief(Payload):
    """What the panel is to decide and by which rules. No agent is shown `truth` or `require`. `least_rounds` is 1 if a
    unanimous first round can end the debate.

    Weights and the threshold are decimal numbers, kept as texts so that they stay exact.
    """

    kind: str = ""
    question: str = ""
    labels: dict[str, str] = Field(default_factory=dict)
    rounds_required: int = 0
    least_rounds: int = 0
    max_rounds: int = 0
    threshold: str = "1"
    required_validators: int = 0
    quorum: int = 0
    weights: dict[str, str] = Field(default_factory=dict)
    each_change: bool = False
    passes: str | None = None
    revises: str | None = None
    max_revisions: int = 0
    accepted: int = 0
    require: list[str] = Field(default_factory=list)
    truth: str | None = None


class Idea(Payload):
    """A version of the idea, from 1."""

    version: int


class Response(Part):
    to: str
    stance: Stance
    text: str


class Raised(Part):
    """Something wrong with the idea, as a panellist tells it: the words that show it, and the change it wants. Nothing
    of the place is checked yet."""

    claim: str
    severity: Grade
    change: str = ""
    quote: str = ""
    file: str = ""
    line: int | None = None


class InRound(Payload):
    """What belongs to a round on a version of the idea, which are its `place`."""

    version: int
    round: int

    @property
    def place(self) -> tuple[int, int]:
        return self.version, self.round


class Given(InRound):
    """What a member of the panel has given in a round. With a `failure` it has given nothing."""

    confidence: float | None = Field(None, ge=0, le=1)
    failure: str | None = None


class Position(Given):
    """What a panellist holds in one round. The label is null where the kind votes on each change instead, and where it
    declined to choose one. `confirms` and `withdraws` are the numbers of findings of earlier rounds, of others and of
    its own."""

    label: str | None = None
    claim: str | None = None
    evidence: list[str] = Field(default_factory=list)
    acknowledged_weaknesses: list[str] = Field(default_factory=list)
    modifications: list[str] = Field(default_factory=list)
    responses: list[Response] = Field(default_factory=list)
    findings: list[Raised] = Field(default_factory=list)
    confirms: list[str] = Field(default_factory=list)
    withdraws: list[str] = Field(default_factory=list)


class Proposal(Part):
    """A modification that somebody proposes, under the number by which the validators know it."""

    number: str
    persona: str
    round: int
    text: str


class Dispute(Part):
    """A point on which the panel was divided, and who is right on it and why."""

    point: str
    who_is_right: str


class FindingRuling(Part):
    """What a validator says of a finding: why, whether it holds, and the number of an earlier one that says the
    same."""

    finding: str
    holds: bool
    same_as: str = NO_FINDING
    reason: str = ""


class Required(Part):
    """A change that a validator requires, and how bad it is to leave it out."""

    change: str
    severity: Grade


class Synthesis(Given):
    """A validator's ruling on everything up to a round. `adopted` are the numbers of the proposals that its required
    modifications take up. Where changes are voted on, `votes` are its yes or no on each, and `severities` how bad it is
    to leave each out. In its `brief` it answers whoever asked, as its own label or votes have it; `follows` is the
    label that this answer comes to."""

    label: str | None = None
    reasoning: str | None = None
    inconsistencies: list[str] = Field(default_factory=list)
    modifications_required: list[Required] = Field(default_factory=list)
    adopted: list[str] = Field(default_factory=list)
    votes: dict[str, str] = Field(default_factory=dict)
    proposals: list[Proposal] = Field(default_factory=list)
    disputes: list[Dispute] = Field(default_factory=list)
    findings: list[FindingRuling] = Field(default_factory=list)
    severities: dict[str, Grade] = Field(default_factory=dict)
    brief: present.Brief | None = None
    follows: str | None = None

    @property
    def contradicts_itself(self) -> bool:
        """Whether its answer comes to another label than its own."""
        return self.brief is not None and None not in (self.follows, self.label) and self.follows != self.label

    @property
    def required(self) -> list[str]:
        """The changes that it requires, in words."""
        return [wanted.change for wanted in self.modifications_required]


class Change(InRound):
    """A change to vote on, and its proposals."""

    number: str
    text: str
    proposals: list[Proposal]
    failure: str | None
    """The reason why equal proposals may be separate: no model merged them."""


class Ballot(Given):
    """One panellist's yes or no on each change, by its number; nothing where it abstains."""

    votes: dict[str, str] = Field(default_factory=dict)
    reason: str | None = None


class Voted(Part):
    """A vote as it was counted. A label of null is an abstention; who could not be asked is `missing`."""

    persona: str
    label: str | None
    missing: bool
    weight: str
    confidence: float | None
    validator: bool


class Settled(Part):
    """The result of the votes on one change."""

    number: str
    text: str
    decision: str
    carried: bool
    agreement: float
    votes: list[Voted]
    short_of: str | None


class Decision(Payload):
    """The result for one version of the idea. `leading` is the label with the most weight, null on a tie;
    `recommendation` is what the validators would do, which is not a decision; `short_of` is the reason why nothing
    carries."""

    version: int
    rounds: int
    decision: str
    carried: bool
    agreement: float
    leading: str | None
    recommendation: str | None
    votes: list[Voted]
    changes: list[Settled]
    short_of: str | None

    @property
    def place(self) -> tuple[int, int]:
        return self.version, self.rounds


class Revision(Payload):
    """What the reviser made of the idea: version `version`, unless it came back unchanged. `stopped` is why nobody was
    asked to revise it."""

    version: int
    required: list[str]
    diff: str
    unchanged: bool
    stopped: str | None


PAYLOADS: Payloads = {
    "brief": Brief,
    "idea": Idea,
    "position": Position,
    "synthesis": Synthesis,
    "change": Change,
    "ballot": Ballot,
    "decision": Decision,
    "revision": Revision,
}
