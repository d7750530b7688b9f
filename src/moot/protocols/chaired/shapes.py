"""The structured replies of a chaired debate."""

from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, WithJsonSchema, create_model

from moot.api import IF_CLEAR, THOUGHT, BriefBesides
from moot.evidence import Judgement
from moot.protocols.chaired.citing import numbered
from moot.protocols.chaired.payloads import Outcome, Stronger
from moot.protocols.chaired.rules import MOST_SOURCES

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=8000)]
Thought = Annotated[str, StringConstraints(max_length=1500)]
Brief = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1200)]
Quoted = Annotated[str, StringConstraints(strip_whitespace=True, max_length=1200)]


class Cited(BaseModel):
    """A source. The sentences that rest on it cite it by its number in the list, [1] for the first. Its title is the
    page's own."""

    url: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]


Sources = Annotated[list[Cited], Field(max_length=MOST_SOURCES)]


class Turn(BaseModel):
    """What a debater says. A source_challenge names the entry in target_seq, the one source it is about in sources,
    and in claim the sentence that this source fails to support, copied; a withdraw its own entry in target_seq and, if
    only sentences of it are withdrawn, these in claim. The shape of a turn has what its phase allows."""

    type: Literal[
        "opening_statement",
        "new_point",
        "rebuttal",
        "conjecture",
        "closing_statement",
        "source_challenge",
        "clarification_request",
        "withdraw",
    ]
    content: Words
    sources: list[Cited]
    rebuttal_to_seq: int | None = None
    target_seq: int | None = None
    claim: Quoted | None = None


@lru_cache(maxsize=64)
def turn_shape(
    types: tuple[str, ...], answered: tuple[int, ...], aimed: tuple[int, ...], *, thinks: bool
) -> type[BaseModel]:
    """The shape of a turn of these types, with the fields that they need. `answered` are the entries that it can be
    about, `aimed` those that an interruption can be about. A model thinks first, and chooses its sources before it
    writes, so that it can cite them by their numbers."""
    fields: dict[str, Any] = {THOUGHT: (Thought, ...)} if thinks else {}
    fields["type"] = (Literal[types], ...)
    if answered:
        fields["rebuttal_to_seq"] = (_number_of(answered), None)
    if aimed:
        fields["target_seq"] = (_number_of(aimed), None)
    fields["sources"] = (Sources, [])
    if {"source_challenge", "withdraw"} & {*types}:
        fields["claim"] = (Quoted | None, None)
    fields["content"] = (Words, ...)
    # Optional fields are requested anyway: people are asked only for required fields.
    config = ConfigDict(json_schema_extra={"required": list(fields)})
    made: type[BaseModel] = create_model("Turn", __config__=config, **fields)
    return made


def _number_of(entries: tuple[int, ...]) -> Any:
    """One of these entries, or none. The rules refuse any other number, with a reason."""
    number = {"type": "integer", "enum": list(entries)}
    return Annotated[int | None, WithJsonSchema({"anyOf": [number, {"type": "null"}]})]


def turn_in(reply: BaseModel, *, documents: int) -> Turn:
    """What was said in a reply of such a shape, without the thought. 0 is how some models write that they refer to no
    entry. `documents`: so many there are, which are sources like any other."""
    said = reply.model_dump(exclude={THOUGHT})
    turn = Turn.model_validate(said | {name: said.get(name) or None for name in ("rebuttal_to_seq", "target_seq")})
    content, urls = numbered(turn.content, [one.url for one in turn.sources], documents)
    return turn.model_copy(update={"content": content, "sources": [Cited(url=url) for url in urls]})


class Reading(Judgement):
    """The judgement of one of the sentences, by its number."""

    sentence: int


class Readings(BaseModel):
    found: list[Reading]


@lru_cache(maxsize=32)
def readings_shape(count: int) -> type[Readings]:
    """The shape of the judgements of so many sentences."""
    several = Annotated[list[Reading], Field(min_length=count, max_length=count)]
    return create_model("Readings", __base__=Readings, found=(several, ...))


def in_order(readings: Readings) -> list[Reading]:
    """The judgements in the order of the sentences: by their numbers, or as given if those are not of one each."""
    found = readings.found
    ordered = sorted(found, key=lambda one: one.sentence)
    return ordered if [one.sentence for one in ordered] == [*range(1, len(found) + 1)] else found


class Motion(BaseModel):
    topic: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]


class Unsourced(BaseModel):
    """A sentence that states a new fact without a source, exactly as in the statement, and what would mend it."""

    sentence: Brief
    mend: Quoted = ""


class Conduct(BaseModel):
    """`words` are the offending words, exactly as in the statement; empty if there are none."""

    reason: Brief
    words: Annotated[str, StringConstraints(strip_whitespace=True, max_length=8000)]
    breach: Literal["none", "ad_hominem", "misrepresentation", "contests_ruling", "declines_to_argue"]


class ConductAndFacts(Conduct):
    """With the sentences that state new facts."""

    unsourced: list[Unsourced] = []


@lru_cache(maxsize=4)
def conduct_shape(speaks_of_others: bool, closing: bool) -> type[Conduct]:
    """The shape for a statement: only one that speaks of the other side's can misrepresent it. In a closing one the
    chair who has read the record looks for what is new."""
    shape = Conduct if closing else ConductAndFacts
    if speaks_of_others:
        return shape
    breaches: Any = Literal["none", "ad_hominem", "contests_ruling", "declines_to_argue"]
    return create_model("Conduct", __base__=shape, breach=(breaches, ...))


class Clarified(BaseModel):
    answer: Brief


class Asked(BaseModel):
    to: Literal["promoter", "detractor"]
    question: Brief


class Questions(BaseModel):
    questions: Annotated[list[Asked], Field(max_length=10)]


class Worthy(BaseModel):
    """Which of the questions are relayed, by their numbers, from 1."""

    reason: Brief
    numbers: Annotated[list[int], Field(max_length=2)]


class RoundOver(BaseModel):
    reason: Brief
    goes_on: bool


class Unresolved(BaseModel):
    points: Annotated[list[Brief], Field(min_length=1, max_length=3)]


Case = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


def _outcome_last(schema: dict[str, Any]) -> None:
    """Sort the fields. A person, who is asked only for required ones, may leave the other parts of the brief out."""
    cases, decided = ("new_points", "promoter_case", "detractor_case"), ("stronger", "outcome")
    schema["required"] = [*cases, "because", "answer", *decided]
    order = (*cases, *BriefBesides.model_fields, *decided)
    schema["properties"] = {name: schema["properties"][name] for name in order}


class Decision(BriefBesides):
    """The brief comes before the outcome, and both cases before the brief. `new_points` are sentences of closing
    statements; `stronger` is whose case the answer follows."""

    model_config = ConfigDict(json_schema_extra=_outcome_last)

    new_points: list[str] = Field(default_factory=list)
    promoter_case: Case
    detractor_case: Case
    stronger: Stronger | None = None
    outcome: Outcome

    @property
    def rests_on(self) -> list[int]:
        """The numbers of the statements that the reasons rest on."""
        labels = [label.split()[-1].removeprefix("#") for one in self.because for label in one.rests_on]
        return list(dict.fromkeys(int(label) for label in labels if label.isdecimal()))


class Leant(BaseModel):
    """`leaning` is from 0, surely against the topic, over 50, undecided, to 100, surely for it. `moved_by` are the
    numbers of the statements that moved it most, the first first; empty when none did."""

    reason: Brief
    moved_by: Annotated[list[int], Field(max_length=5)]
    leaning: Annotated[int, Field(ge=0, le=100)]


class LeantBefore(BaseModel):
    """The same before anything was said that could move anybody."""

    reason: Brief
    leaning: Annotated[int, Field(ge=0, le=100)]


class AudienceView(BaseModel):
    conclusion: Words


class Review(BaseModel):
    strengths: Brief
    gaps: Brief
    suggestions: Brief


class Reviews(BaseModel):
    """One for every role but the assessor's own."""

    chair: Review
    promoter: Review
    detractor: Review
    verifier: Review
    audience: Review
    reporter: Review


class Assessment(BaseModel):
    """The assessor's report. `reporter_neutral` is its finding on the rule that binds the reporter, and `neutrality`
    the reason for it. `reasons_for` is whose case the chair's reasons speak for, as the assessor reads them."""

    model_config = ConfigDict(
        json_schema_extra={"required": ["roles", "reasons_for", "reporter_neutral", "improvements", "overall"]}
    )

    roles: Reviews
    reasons_for: Annotated[Stronger | None, IF_CLEAR] = None
    neutrality: Brief = "No reason is given."
    reporter_neutral: bool
    improvements: Annotated[list[Brief], Field(min_length=1, max_length=5)]
    overall: Literal["Excellent", "Good", "Adequate", "Poor"]
