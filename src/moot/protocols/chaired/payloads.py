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


class Spoken(Payload):
    """A debater's statement. `cited_for` lists the claim that each source is cited for."""

    round: int | None
    cited_for: list[str]


class Challenge(Payload):
    """The challenged source, and the claim that it allegedly does not support."""

    url: str
    claim: str


class Verification(Payload):
    """The verifier's finding on one source; `confidence` comes from the model, null if code alone decided.

    If the page was read but not judged, `status` is unjudged and `failure` is the reason.
    """

    url: str
    status: Status
    confidence: float | None
    quote: str
    explanation: str
    failure: str | None = None


class Ruling(Payload):
    """The chair's decision on `about`. `rule` is the number of the rule, `against` the role that it goes against.

    `call` is the struck reply, if any, and `failure` the reason; the reply belongs to the role in `against`, otherwise
    to the chair.
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
    """An entry, the target, is permanently struck from the record."""

    rule: int
    against: str
    url: str
    reason: str


class Conclusion(Payload):
    """How the debate ended; `by` says whether the chair's model or code decided."""

    outcome: Outcome | None
    by: Literal["chair", "code"]
    promoter_case: str
    detractor_case: str
    failure: str | None


class Question(Payload):
    """A question from the audience, and the debater who should answer it."""

    to: str
    round: int


class View(Payload):
    """The audience's conclusion: its length, and the entries it cites."""

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
