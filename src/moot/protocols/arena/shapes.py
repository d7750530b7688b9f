"""The shapes of the replies. Names and labels are enumerated for each question. Length limits go to the models but are
not enforced: a slightly longer reply is no worse.

An answer that would end a debate early comes second in its enumeration, because a plan takes the first one and
should show the whole debate.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, create_model

Sentence = Annotated[str, Field(min_length=1, json_schema_extra={"maxLength": 500})]
Line = Annotated[str, Field(json_schema_extra={"maxLength": 500})]
Passage = Annotated[str, Field(min_length=1, json_schema_extra={"maxLength": 4000})]
Percent = Annotated[int, Field(ge=0, le=100)]
"""Integers, because grammars for small models can bound only these."""
NOBODY = "nobody"
NO_EVIDENCE = ("", "none", "no", "nothing", "na", "null", "no new evidence")
"""Ways to say that there is none, without case and punctuation."""
KINDS = ("concession", "rebuttal", "evidence", "qualification", "synthesis")


class Proposed(BaseModel):
    """The text comes first, so that the decision follows from it."""

    proposal: Passage
    decision: Sentence


class Issue(BaseModel):
    issue: Annotated[str, Field(min_length=1, json_schema_extra={"maxLength": 500})]
    severity: Percent
    suggestion: Line


class SameOrNot(BaseModel):
    differs_in: Line
    same: Literal["no", "yes"]


@lru_cache(maxsize=256)
def comparison_shape(others: tuple[str, ...]) -> type[BaseModel]:
    """For each of the others, whether it decides the same."""
    fields: dict[str, Any] = {f"with_{i}": (SameOrNot, Field(alias=name)) for i, name in enumerate(others)}
    return create_model("Compared", **fields)


@lru_cache(maxsize=256)
def revision_shape(others: tuple[str, ...]) -> type[BaseModel]:
    """A revised proposal, and the agent's account of what moved it."""
    return create_model(
        "Revised",
        proposal=(Passage, ...),
        decision=(Sentence, ...),
        changed_mind=(bool, ...),
        because_of=(_one_of((NOBODY, *others)), ...),
        new_evidence=(Line, ""),
    )


@lru_cache(maxsize=256)
def critique_shape(targets: tuple[str, ...]) -> type[BaseModel]:
    """Issues by the author of the proposal."""
    few: Any = Annotated[list[Issue], Field(json_schema_extra={"maxItems": 3})]
    fields: dict[str, Any] = {f"of_{i}": (few, Field(alias=name)) for i, name in enumerate(targets)}
    return create_model("Critiques", **fields)


@lru_cache(maxsize=64)
def vote_shape(labels: tuple[str, ...], *, ranked: bool) -> type[BaseModel]:
    said: dict[str, Any] = {"reason": (Annotated[str, Field(min_length=1, json_schema_extra={"maxLength": 500})], ...)}
    if ranked:
        said["ranking"] = (_ranking(labels), ...)
    else:
        said["choice"] = (_one_of(labels), ...)
    return create_model("Vote", **said, confidence=(Percent, ...))


@lru_cache(maxsize=64)
def reading_shape(labels: tuple[str, ...], criteria: tuple[str, ...]) -> type[BaseModel]:
    """For every label a reason and a score on each criterion; then the ranking and the judge's confidence."""
    score: Any = Annotated[int, Field(ge=0, le=10)]
    marks: dict[str, Any] = {f"on_{i}": (score, Field(alias=name)) for i, name in enumerate(criteria)}
    judged = create_model("Judged", **marks)
    fields: dict[str, Any] = {}
    for label in labels:
        fields |= {f"reason_{label}": (Sentence, ...), label: (judged, ...)}
    return create_model("Reading", **fields, ranking=(_ranking(labels), ...), confidence=(Percent, ...))


@lru_cache(maxsize=64)
def challenge_shape(names: tuple[str, ...]) -> type[BaseModel]:
    question: Any = Annotated[str, Field(min_length=1, json_schema_extra={"maxLength": 500})]
    fields: dict[str, Any] = {f"to_{i}": (question, Field(alias=name)) for i, name in enumerate(names)}
    return create_model("Questions", **fields)


@lru_cache(maxsize=64)
def observation_shape(turns: tuple[str, ...]) -> type[BaseModel]:
    """What each turn does, by its number, and its fallacies with the words that show them."""
    fallacy = create_model("Fallacy", name=(Sentence, ...), words=(Sentence, ...))
    kinds: Any = Annotated[list[_one_of(KINDS)], Field(json_schema_extra={"maxItems": 5})]  # type: ignore[misc]
    found: Any = Annotated[list[fallacy], Field(json_schema_extra={"maxItems": 3})]  # type: ignore[valid-type]
    noted = create_model("Noted", kinds=(kinds, ...), fallacies=(found, ...))
    fields: dict[str, Any] = dict.fromkeys(turns, (noted, ...))
    return create_model("Observed", **fields)


def ranked(labels: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """A ranking in names. A repeated label counts at its first place; missing ones share the last."""
    return [names[label] for label in dict.fromkeys(labels)]


def evidence_in(text: str) -> str | None:
    """The evidence named; None if the text only says that there is none."""
    letters = "".join(letter for letter in text.casefold() if letter.isalnum() or letter.isspace())
    return None if " ".join(letters.split()) in NO_EVIDENCE else text.strip()


def _ranking(labels: Sequence[str]) -> Any:
    bounds = Field(min_length=1, json_schema_extra={"maxItems": len(labels)})
    return Annotated[list[_one_of(labels)], bounds]  # type: ignore[misc]


def _one_of(options: Sequence[str]) -> Any:
    return Literal[tuple(options)]
