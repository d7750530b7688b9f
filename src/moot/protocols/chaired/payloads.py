"""The payloads of a chaired debate."""

from typing import Literal

from pydantic import BaseModel, Field

from moot.api import Header, Payload, Payloads
from moot.evidence import Answer, Status
from moot.present import Brief

STATUS_WORDS: dict[Status, str] = {
    "confirmed": "confirmed",
    "contradicted": "contradicted",
    "not_there": "not there",
    "unjudged": "could not be judged",
    "fabricated": "fabricated",
}
Outcome = Literal["affirmative_wins", "negative_wins", "draw", "void"]
Stronger = Literal["promoter", "detractor", "neither"]


class Setup(Header):
    """The header of a chaired debate. `evidence` is the closed pack, or null for the open web; `names` are the names of
    the role holders, `words` the maximal lengths of statements in the config, by role and type."""

    min_rounds: int
    max_rounds: int
    time_budget_minutes: float
    evidence: str | None
    names: dict[str, str] = Field(default_factory=dict)
    words: dict[str, int] = Field(default_factory=dict)


class Announcement(Payload):
    """A procedural statement of the chair. The kind `missing` means that a judgement failed.

    `failure` names the missing judgement and the reason, and `of` the role that should have given it.
    """

    kind: Literal["ready", "openings", "round", "closings", "over", "end", "missing"]
    round: int | None = None
    of: str | None = None
    failure: str | None = None

    @property
    def failing(self) -> str | None:
        return self.of


class Cite(BaseModel):
    """A sentence of a statement and the source it cites, by its number among the entry's sources, from 1."""

    source: int
    sentence: str


class Spoken(Payload):
    """A debater's statement. `cites` are its citations, in the order of the sentences."""

    round: int | None
    cites: list[Cite]


class Challenge(Payload):
    """The challenged source, the challenger's words for what it does not support, and the sentence that they mean."""

    url: str
    claim: str
    sentence: str


class Withdrawal(Payload):
    """A debater takes back an entry of its own, the target, or sentences of it, as they are written there; what is
    taken back counts for nobody from then on."""

    sentences: list[str] = Field(default_factory=list)


class Verification(Payload):
    """The verifier's finding on one sentence and a source that it cites.

    `sentence` is the judged text, `quote` the passage of the page, `answer` the judgement of the model, `confidence`
    its confidence, null if code alone decided. If the model gave no usable judgement, `failure` says why. `spared` are
    words of struck entries that are in a page that was confirmed later; they are not struck elsewhere.
    """

    url: str
    status: Status
    confidence: float | None
    quote: str
    explanation: str
    sentence: str
    answer: Answer | None = None
    challenged: bool = False
    spared: list[str] = Field(default_factory=list)
    failure: str | None = None


class Ruling(Payload):
    """The chair's decision on `about`. `rule` is the number of the rule, `against` the role that it goes against,
    `sentence` what it is about in the entry that is its target.

    `call` is the struck reply, if any, and `failure` the reason; the reply belongs to the role in `against`, otherwise
    to the chair.
    """

    about: Literal[
        "struck",
        "source",
        "unsourced",
        "challenge",
        "clarification",
        "conduct",
        "reporter",
        "reasons",
    ]
    rule: int
    against: str | None = None
    sentence: str | None = None
    url: str | None = None
    status: Status | None = None
    call: str | None = None
    failure: str | None = None

    @property
    def failing(self) -> str | None:
        return self.against


class Redaction(Payload):
    """An entry, the target, is struck from the record for good. `spared` are its words that are in the evidence or in a
    confirmed page; they are not struck elsewhere."""

    rule: int
    against: str
    url: str
    reason: str
    spared: list[str] = Field(default_factory=list)


class Conclusion(Payload):
    """How the debate ended; `by` tells whether the chair's model or code decided. In its `brief` the chair answers
    whoever asked; `rests_on` are the entries that its reasons rest on, and `stronger` is the side whose case its answer
    follows, by its own word. `faults` are faults of form, which do not change the outcome."""

    outcome: Outcome | None
    by: Literal["chair", "code"]
    promoter_case: str = ""
    detractor_case: str = ""
    rests_on: list[int] = Field(default_factory=list)
    stronger: Stronger | None = None
    faults: list[str] = Field(default_factory=list)
    brief: Brief | None = None
    failure: str | None


class Leaning(Payload):
    """How much the chair or the audience agreed with the topic, in private, before the first statement and after the
    last: 0 is surely against, 50 undecided, 100 surely for. `moved_by` are the statements that moved it."""

    before: int | None
    after: int | None
    moved_by: list[int]
    reason: str
    failure: str | None = None


class Question(Payload):
    """A question from the audience, and the debater who should answer it."""

    to: str
    round: int


class View(Payload):
    """The audience's conclusion: its length, and the entries it cites. `fault` is a fault of its form, and `failure`
    the reason why there is no conclusion."""

    words: int = Field(ge=0)
    cites: list[int]
    fault: str | None
    failure: str | None


PAYLOADS: Payloads = {
    "setup": Setup,
    "announcement": Announcement,
    "ruling": Ruling,
    "redaction": Redaction,
    "conclusion": Conclusion,
    "opening_statement": Spoken,
    "new_point": Spoken,
    "rebuttal": Spoken,
    "conjecture": Spoken,
    "closing_statement": Spoken,
    "clarification_request": None,
    "source_challenge": Challenge,
    "withdraw": Withdrawal,
    "verification_result": Verification,
    "leaning": Leaning,
    "audience_question": Question,
    "audience_conclusion": View,
}
