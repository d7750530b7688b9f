"""The shapes of the replies, and their texts in the log. Labels, names and numbers are enumerated for each debate.
Limits on texts and lists go to the models but are not enforced: a slightly longer reply is no worse."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, create_model

from moot.engine.structured import Failure
from moot.protocols.panel.config import ABSTAIN
from moot.protocols.panel.payloads import Ballot, Position, Proposal, Stance, Synthesis

Line = Annotated[str, Field(json_schema_extra={"maxLength": 600})]
Said = Annotated[str, Field(min_length=1, json_schema_extra={"maxLength": 1500})]
Few = Annotated[list[Line], Field(json_schema_extra={"maxItems": 3})]
Confidence = Annotated[float | None, Field(ge=0, le=1)]


class Revised(BaseModel):
    idea: Annotated[str, Field(min_length=1, max_length=100_000)]


@lru_cache(maxsize=256)
def opinion_shape(labels: tuple[str, ...], others: tuple[str, ...]) -> type[BaseModel]:
    """A position: a label, if there are any, and responses to the others. Claim and evidence come first, so that the
    label follows from them."""
    fields: dict[str, Any] = {
        "claim": (Said, ...),
        "evidence": (Few, []),
        "acknowledged_weaknesses": (Few, []),
        "modifications": (Few, [] if labels else ...),
    }
    if others:
        answer = create_model("Answer", to=(_one_of(others), ...), stance=(Stance, ...), text=(Line, ...))
        bounded: Any = Annotated[list[answer], Field(json_schema_extra={"maxItems": min(len(others), 4)})]  # type: ignore[valid-type]
        fields["responses"] = (bounded, [])
    if labels:
        fields["label"] = (_one_of((*labels, ABSTAIN)), ...)
    return create_model("Opinion", **fields, confidence=(Confidence, None))


@lru_cache(maxsize=256)
def ruling_shape(labels: tuple[str, ...], proposals: tuple[str, ...], changes: tuple[str, ...]) -> type[BaseModel]:
    """A validator's ruling: a label or, if there are changes to vote on, a vote on each."""
    fields: dict[str, Any] = {
        "reasoning": (Said, ...),
        "inconsistencies": (Few, []),
        "key_points": (Few, []),
        "next_steps": (Few, []),
    }
    if changes:
        fields["votes"] = (_votes(changes), ...)
    elif labels:
        fields["modifications_required"] = (Few, [])
        if proposals:
            fields["adopted"] = (list[_one_of(proposals)], [])  # type: ignore[misc]
        fields["label"] = (_one_of((*labels, ABSTAIN)), ...)
    return create_model("Ruling", **fields, confidence=(Confidence, None))


@lru_cache(maxsize=256)
def ballot_shape(changes: tuple[str, ...]) -> type[BaseModel]:
    return create_model("Votes", votes=(_votes(changes), ...), confidence=(Confidence, None))


@lru_cache(maxsize=256)
def merger_shape(proposals: tuple[str, ...]) -> type[BaseModel]:
    """The pairs of equal proposals. Whatever the reply, each proposal ends up in exactly one change."""
    pair = create_model("Pair", proposal=(_one_of(proposals), ...), same_as=(_one_of(proposals), ...))
    bounded: Any = Annotated[list[pair], Field(json_schema_extra={"maxItems": len(proposals)})]  # type: ignore[valid-type]
    return create_model("Merged", pairs=(bounded, ...))


def same_in(merged: BaseModel) -> list[tuple[str, str]]:
    return [(one["proposal"], one["same_as"]) for one in merged.model_dump()["pairs"]]


def _votes(changes: Sequence[str]) -> type[BaseModel]:
    yes_or_no: dict[str, Any] = dict.fromkeys(changes, (Literal["yes", "no"], ...))
    return create_model("EachChange", **yes_or_no)


def _one_of(options: Sequence[str]) -> Any:
    return Literal[tuple(options)]


def position_of(found: BaseModel | Failure, version: int, number: int) -> Position:
    """A persona's position in a round; empty if it failed."""
    given = {} if isinstance(found, Failure) else found.model_dump()
    return Position(
        version=version,
        round=number,
        label=_chosen(given),
        claim=given.get("claim"),
        evidence=_said(given.get("evidence")),
        confidence=given.get("confidence"),
        acknowledged_weaknesses=_said(given.get("acknowledged_weaknesses")),
        modifications=_said(given.get("modifications")),
        responses=[one for one in given.get("responses", []) if one["text"].strip()],
        failure=found.reason if isinstance(found, Failure) else None,
    )


def synthesis_of(found: BaseModel | Failure, version: int, number: int, proposals: list[Proposal]) -> Synthesis:
    given = {} if isinstance(found, Failure) else found.model_dump()
    return Synthesis(
        version=version,
        round=number,
        label=_chosen(given),
        reasoning=given.get("reasoning"),
        confidence=given.get("confidence"),
        inconsistencies=_said(given.get("inconsistencies")),
        key_points=_said(given.get("key_points")),
        modifications_required=_said(given.get("modifications_required")),
        adopted=sorted(set(given.get("adopted", [])), key=_number),
        next_steps=_said(given.get("next_steps")),
        votes=given.get("votes", {}),
        proposals=proposals,
        failure=found.reason if isinstance(found, Failure) else None,
    )


def _chosen(given: Mapping[str, Any]) -> str | None:
    label: str | None = given.get("label")
    return None if label == ABSTAIN else label


def ballot_of(found: BaseModel | Failure, version: int, number: int) -> Ballot:
    given = {} if isinstance(found, Failure) else found.model_dump()
    return Ballot(
        version=version,
        round=number,
        votes=given.get("votes", {}),
        confidence=given.get("confidence"),
        failure=found.reason if isinstance(found, Failure) else None,
    )


def proposals_in(positions: Sequence[tuple[str, Position]]) -> list[Proposal]:
    """Every proposed modification, by persona. The same wording gets the same number."""
    numbers: dict[str, str] = {}
    found: list[Proposal] = []
    for persona, position in positions:
        for text in position.modifications:
            number = numbers.setdefault(plain_words(text), f"P{len(numbers) + 1}")
            one = Proposal(number=number, persona=persona, round=position.round, text=text)
            if not any((number, persona) == (other.number, other.persona) for other in found):
                found.append(one)
    return found


def plain_words(text: str) -> str:
    """The text without case, extra spaces and a final full stop."""
    return " ".join(text.casefold().split()).rstrip(" .;!")


def groups_of(proposals: Sequence[str], same: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Group the proposals that are equal, given pairs of them."""
    group = {number: [number] for number in proposals}
    for one, other in same:
        if group[one] is not group[other]:
            group[one] += group[other]
            for number in group[other]:
                group[number] = group[one]
    return [sorted(group[one], key=_number) for one in proposals if min(group[one], key=_number) == one]


def position_text(position: Position) -> str:
    """A position as the others read it."""
    if position.failure is not None:
        return f"No position: {position.failure}"
    answers = [f"{one.to}: {one.stance}. {one.text}" for one in position.responses]
    return _document(
        position.claim or "",
        {
            "Evidence": position.evidence,
            "Weaknesses": position.acknowledged_weaknesses,
            "Modifications": position.modifications,
            "Responses": answers,
        },
        f"Round {position.round}{_holds(position)}",
    )


def synthesis_text(synthesis: Synthesis) -> str:
    if synthesis.failure is not None:
        return f"No ruling: {synthesis.failure}"
    lists = {
        "Inconsistencies": synthesis.inconsistencies,
        "Key points": synthesis.key_points,
        "Modifications required": synthesis.modifications_required,
        "Next steps": synthesis.next_steps,
        "Votes": ballot_lines(synthesis.votes),
    }
    return _document(synthesis.reasoning or "", lists, f"After round {synthesis.round}{_holds(synthesis)}")


def ballot_lines(votes: Mapping[str, str]) -> list[str]:
    return [f"{number}: {vote}" for number, vote in votes.items()]


def _document(text: str, lists: Mapping[str, Sequence[str]], head: str) -> str:
    parts = [head, text.strip()]
    parts += [
        f"{name}:\n" + "\n".join(f"- {' '.join(one.split())}" for one in lines)
        for name, lines in lists.items()
        if lines
    ]
    return "\n\n".join(parts)


def _holds(one: Position | Synthesis) -> str:
    sure = "" if one.confidence is None else f", confidence {one.confidence:g}"
    return f": **{one.label}**{sure}" if one.label else ""


def _said(texts: Sequence[str] | None) -> list[str]:
    return [text.strip() for text in texts or [] if text.strip()]


def _number(name: str) -> int:
    return int(name[1:])
