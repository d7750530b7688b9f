"""The shapes of the replies. What is enumerated is so for each question, and reasons stand before what they decide, as
they are generated in this order. Length limits go to the models but are not enforced: they are about three times what
the prompts ask for, and a slightly longer reply is no worse. Small models are not asked for what may be left out.

An answer that would end a debate early comes second in its enumeration, because a plan takes the first one and
should show the whole debate.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, create_model

from moot.api import Reasons
from moot.protocols.arena.payloads import Verdict
from moot.protocols.arena.prompts import FALLACIES, KINDS

Sentence = Annotated[str, Field(min_length=1, json_schema_extra={"maxLength": 1200})]
Line = Annotated[str, Field(json_schema_extra={"maxLength": 900})]
LETTERS_PER_WORD = 20
"""About three times as many as a word has."""
Percent = Annotated[int, Field(ge=0, le=100)]
"""Integers, because grammars for small models can bound only these."""
NOBODY = "nobody"
ABSTAIN = "abstain"


class Issue(BaseModel):
    quote: Line = ""
    issue: Sentence
    suggestion: Line
    severity: Percent


class SameOrNot(BaseModel):
    differs_in: Line
    same: Literal["no", "yes"]


@lru_cache(maxsize=256)
def comparison_shape(others: tuple[str, ...]) -> type[BaseModel]:
    """For each of the others, whether it decides the same."""
    fields: dict[str, Any] = {f"with_{i}": (SameOrNot, Field(alias=name)) for i, name in enumerate(others)}
    return create_model("Compared", **fields)


@lru_cache(maxsize=64)
def proposal_shape(words: int) -> type[BaseModel]:
    return create_model("Proposed", **_proposal(words))


@lru_cache(maxsize=256)
def revision_shape(words: int, own: str, others: tuple[str, ...], objections: tuple[str, ...]) -> type[BaseModel]:
    """What the agent makes of the objections, its account of what moved it, and then the revised proposal. Whom its own
    words moved was moved by nobody."""
    weighed: dict[str, Any] = {}
    if objections:
        answer = create_model("Answer", to=(_some_of(objections), ...), reason=(Sentence, ...), verdict=(Verdict, ...))
        bounded: Any = Annotated[list[answer], Field(json_schema_extra={"maxItems": len(objections)})]  # type: ignore[valid-type]
        weighed["answers"] = (bounded, [])
    new_evidence: Any = Annotated[list[Line], Field(json_schema_extra={"maxItems": 3})]

    by_others = BeforeValidator(lambda cause: NOBODY if cause == own else cause)
    cause: Any = Annotated[_one_of((NOBODY, *others, *objections)), by_others]
    return create_model(
        "Revised",
        **weighed,
        new_evidence=(new_evidence, []),
        because_of=(cause, ...),
        changed_mind=(bool, ...),
        **_proposal(words),
    )


def _proposal(words: int) -> dict[str, Any]:
    passage = Annotated[str, Field(min_length=1, json_schema_extra={"maxLength": LETTERS_PER_WORD * words})]
    return {
        "proposal": (passage, ...),
        "would_change": (Line, ""),
        "decision": (Sentence, ...),
        "confidence": (Percent | None, None),
    }


@lru_cache(maxsize=256)
def critique_shape(targets: tuple[str, ...]) -> type[BaseModel]:
    """The issues, by the author of the proposal."""
    few: Any = Annotated[list[Issue], Field(json_schema_extra={"maxItems": 3})]
    fields: dict[str, Any] = {f"of_{i}": (few, Field(alias=name)) for i, name in enumerate(targets)}
    return create_model("Critiques", **fields)


@lru_cache(maxsize=64)
def vote_shape(labels: tuple[str, ...], *, ranked: bool) -> type[BaseModel]:
    """A vote; an empty ranking abstains, as `abstain` does."""
    some: Any = Annotated[list[_one_of(labels)], Field(json_schema_extra={"maxItems": len(labels)})]  # type: ignore[misc]
    said: dict[str, Any] = {"ranking": (some, ...)} if ranked else {"choice": (_one_of((*labels, ABSTAIN)), ...)}
    return create_model("Vote", reason=(Sentence, ...), **said, confidence=(Percent, ...))


class Advice(BaseModel):
    """What a judge says for its first place to whoever asked."""

    because: Reasons = []
    objection: str = ""
    conditions: list[str] = []
    next: str = ""


@lru_cache(maxsize=64)
def judging_shape(labels: tuple[str, ...], criteria: tuple[str, ...]) -> type[Advice]:
    """A reading, and then what the judge says for its first place."""
    return create_model("Judging", __base__=(Advice, reading_shape(labels, criteria)))  # type: ignore[arg-type]


@lru_cache(maxsize=64)
def reading_shape(labels: tuple[str, ...], criteria: tuple[str, ...]) -> type[BaseModel]:
    """For every label a reason and a score on each criterion; then the ranking and the judge's confidence."""
    score: Any = Annotated[int, Field(ge=0, le=10)]
    marks: dict[str, Any] = {f"on_{i}": (score, Field(alias=name)) for i, name in enumerate(criteria)}
    judged = create_model("Judged", **marks)
    fields: dict[str, Any] = {}
    for label in labels:
        fields |= {f"reason_{label}": (Sentence, ...), label: (judged, ...)}
    return create_model("Reading", **fields, ranking=(_some_of(labels), ...), confidence=(Percent, ...))


@lru_cache(maxsize=64)
def challenge_shape(names: tuple[str, ...]) -> type[BaseModel]:
    fields: dict[str, Any] = {f"to_{i}": (Sentence, Field(alias=name)) for i, name in enumerate(names)}
    return create_model("Questions", **fields)


@lru_cache(maxsize=64)
def observation_shape(turns: tuple[str, ...]) -> type[BaseModel]:
    """What each turn does, by its number, and its fallacies with the words that show them."""
    fallacy = create_model("Fallacy", words=(Sentence, ...), name=(_one_of(tuple(FALLACIES)), ...))
    kinds: Any = Annotated[list[_one_of(tuple(KINDS))], Field(json_schema_extra={"maxItems": 5})]  # type: ignore[misc]
    found: Any = Annotated[list[fallacy], Field(json_schema_extra={"maxItems": 3})]  # type: ignore[valid-type]
    noted = create_model("Noted", fallacies=(found, ...), kinds=(kinds, ...))
    fields: dict[str, Any] = dict.fromkeys(turns, (noted, ...))
    return create_model("Observed", **fields)


def ranked(labels: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """A ranking in names. A repeated label counts at its first place; missing ones share the last."""
    return [names[label] for label in dict.fromkeys(labels)]


def _some_of(options: Sequence[str]) -> Any:
    bounds = Field(min_length=1, json_schema_extra={"maxItems": len(options)})
    return Annotated[list[_one_of(options)], bounds]  # type: ignore[misc]


def _one_of(options: Sequence[str]) -> Any:
    return Literal[tuple(options)]
