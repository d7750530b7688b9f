"""The payloads of a chaired debate."""

from typing import Literal

from pydantic import Field

from moot.record.payloads import Header, Payload, Payloads

Status = Literal["verified", "unreliable", "fabricated", "unreachable", "unjudged"]
Outcome = Literal["affirmative_wins", "negative_wins", "draw", "void"]


class Setup(Header):
    """The header of a chaired debate. `evidence` is the closed pack, or null for the open web."""

    min_rounds: int
    max_rounds: int
    time_budget_minutes: float
    evidence: str | None


class Announcement(Payload):
    """What the chair says of the procedure. Of kind `missing` it says that a judgement could not be had.

    `failure` names what is missing and why, and `of` the role that it was wanted from.
    """

    kind: Literal["ready", "openings", "round", "closings", "over", "end", "missing"]
    round: int | None = None
    of: str | None = None
    failure: str | None = None

    @property
    def failing(self) -> str | None:
        return self.of


class Spoken(Payload):
    """A debater's statement. `cited_for` says, source by source, what each is cited for."""

    round: int | None
    cited_for: list[str]


class Challenge(Payload):
    """The source that is challenged, and the claim it is said not to support."""

    url: str
    claim: str


class Verification(Payload):
    """What the verifier found of one source; `confidence` is the model's own, null where code alone decided.

    Where the page was read and nobody judged it, `status` is unjudged and `failure` says why.
    """

    url: str
    status: Status
    confidence: float | None
    quote: str
    explanation: str
    failure: str | None = None


class Ruling(Payload):
    """The chair's decision on `about`. `rule` is the number of the rule it rests on, `against` whom it goes.

    `call` is the reply that was struck, where one was, and `failure` says why; it is theirs whom it goes against, or
    else the chair's own.
    """

    about: Literal["struck", "source", "challenge", "clarification", "conduct", "question"]
    rule: int
    against: str | None = None
    url: str | None = None
    status: Status | None = None
    call: str | None = None
    failure: str | None = None

    @property
    def failing(self) -> str | None:
        return self.against


class Redaction(Payload):
    """An entry, the target, is struck from the record for good."""

    rule: int
    against: str
    url: str
    reason: str


class Conclusion(Payload):
    """How the debate ended; `by` tells whether the chair's model or code decided."""

    outcome: Outcome | None
    by: Literal["chair", "code"]
    promoter_case: str
    detractor_case: str
    failure: str | None


class Question(Payload):
    """A question from the audience, and the debater it was put to."""

    to: str
    round: int


class View(Payload):
    """The audience's conclusion: how long it is, and the entries it cites."""

    words: int = Field(ge=0)
    cites: list[int]
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
    "verification_result": Verification,
    "audience_question": Question,
    "audience_conclusion": View,
}
