"""The shapes of the replies, and their texts in the log. Labels, names and numbers are enumerated for each debate.
Reasons come before the choices, since fields are generated in this order. Limits on texts and lists go to the models
but are not enforced: they are about three times what the prompts ask for, and a slightly longer reply is just as
good."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, create_model

from moot.api import BriefBesides, Draft, Failure, brief_in_words
from moot.present import Grade
from moot.protocols.panel.config import ABSTAIN
from moot.protocols.panel.findings import (
    LooksFor,
    finding_fields,
    place_of,
    raised_in,
    raised_words,
    ruling_words,
    rulings_in,
    rulings_on,
)
from moot.protocols.panel.payloads import Ballot, Dispute, Position, Proposal, Required, Stance, Synthesis
from moot.text import shows
from moot.text.prose import plain_words

Line = Annotated[str, Field(json_schema_extra={"maxLength": 1200})]
Said = Annotated[str, Field(min_length=1, json_schema_extra={"maxLength": 3000})]
Few = Annotated[list[Line], Field(json_schema_extra={"maxItems": 3})]
MOST_RESPONSES = 4
Confidence = Annotated[float | None, Field(ge=0, le=1)]


class Settlement(BaseModel):
    point: Line
    who_is_right: Line


class Wanted(BaseModel):
    change: Line
    severity: Grade


class Revised(BaseModel):
    idea: Annotated[str, Field(min_length=1, max_length=100_000)]


@lru_cache(maxsize=256)
def opinion_shape(
    labels: tuple[str, ...], others: tuple[str, ...], looks_for: LooksFor | None = None, *, modifies: bool = True
) -> type[BaseModel]:
    """A position: responses to the others, what the claim rests on, the claim, and the label that follows from it. What
    has to be modified is asked for where a label sends the idea back, or where changes are all that is voted on."""
    fields: dict[str, Any] = {}
    if others:
        answer = create_model("Answer", to=(_one_of(others), ...), text=(Line, ...), stance=(Stance, ...))
        bounded: Any = Annotated[list[answer], Field(json_schema_extra={"maxItems": min(len(others), MOST_RESPONSES)})]  # type: ignore[valid-type]
        fields["responses"] = (bounded, [])
    fields |= {"evidence": (Few, []), "acknowledged_weaknesses": (Few, [])}
    fields |= finding_fields(looks_for) if looks_for else {}
    fields["claim"] = (Said, ...)
    if labels:
        fields["label"] = (_one_of((*labels, ABSTAIN)), ...)
    if modifies:
        fields["modifications"] = (Few, [] if labels else ...)
    return create_model("Opinion", **fields, confidence=(Confidence, None))


@lru_cache(maxsize=256)
def ruling_shape(
    labels: tuple[str, ...],
    proposals: tuple[str, ...],
    changes: tuple[str, ...],
    findings: tuple[str, ...] = (),
    *,
    modifies: bool = True,
) -> type[BaseModel]:
    """A validator's ruling: who is right on what is disputed, and then a label or, if there are changes to vote on, a
    vote on each."""
    disputes: Any = Annotated[list[Settlement], Field(json_schema_extra={"maxItems": 5})]
    fields: dict[str, Any] = {"disputes": (disputes, []), "inconsistencies": (Few, [])}
    fields |= {"findings": (rulings_on(findings), [])} if findings else {}
    fields["reasoning"] = (Said, ...)
    if changes:
        fields["severities"] = (create_model("EachSeverity", **dict.fromkeys(changes, (Grade, ...))), ...)  # type: ignore[call-overload]
        fields["votes"] = (_votes(changes), ...)
    elif labels:
        fields["label"] = (_one_of((*labels, ABSTAIN)), ...)
        fields["follows"] = (_one_of((*labels, ABSTAIN)), ABSTAIN)
        if modifies:
            wanted: Any = Annotated[list[Wanted], Field(json_schema_extra={"maxItems": 3})]
            fields["modifications_required"] = (wanted, [])
            if proposals:
                fields["adopted"] = (list[_one_of(proposals)], [])  # type: ignore[misc]
    return create_model("Ruling", __base__=BriefBesides, **fields, confidence=(Confidence, None))


@lru_cache(maxsize=256)
def ballot_shape(changes: tuple[str, ...]) -> type[BaseModel]:
    return create_model("Votes", reason=(Line, ""), votes=(_votes(changes), ...), confidence=(Confidence, None))


@lru_cache(maxsize=256)
def merger_shape(proposals: tuple[str, ...]) -> type[BaseModel]:
    """The pairs of equal proposals. For any reply, each proposal ends up in exactly one change."""
    pair = create_model(
        "Pair", reason=(Line, ""), proposal=(_one_of(proposals), ...), same_as=(_one_of(proposals), ...)
    )
    bounded: Any = Annotated[list[pair], Field(json_schema_extra={"maxItems": len(proposals)})]  # type: ignore[valid-type]
    return create_model("Merged", pairs=(bounded, ...))


def same_in(merged: BaseModel) -> list[tuple[str, str]]:
    return [(one["proposal"], one["same_as"]) for one in merged.model_dump()["pairs"]]


def _votes(changes: Sequence[str]) -> type[BaseModel]:
    yes_or_no: dict[str, Any] = dict.fromkeys(changes, (Literal["yes", "no", ABSTAIN], ...))
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
        findings=raised_in(given),
        confirms=sorted(set(given.get("confirms", [])), key=place_of),
        withdraws=sorted(set(given.get("withdraws", [])), key=place_of),
        failure=found.reason if isinstance(found, Failure) else None,
    )


def synthesis_of(
    found: BaseModel | Failure, version: int, number: int, proposals: list[Proposal], cited: Mapping[str, Draft]
) -> Synthesis:
    given = {} if isinstance(found, Failure) else found.model_dump()
    return Synthesis(
        version=version,
        round=number,
        label=_chosen(given),
        reasoning=given.get("reasoning"),
        confidence=given.get("confidence"),
        inconsistencies=_said(given.get("inconsistencies")),
        modifications_required=[
            Required(**one) for one in given.get("modifications_required", []) if one["change"].strip()
        ],
        adopted=sorted(set(given.get("adopted", [])), key=place_of),
        brief=found.brief(cited) if isinstance(found, BriefBesides) and shows(found.answer) else None,
        follows=_chosen(given, "follows"),
        votes=_cast(given.get("votes", {})),
        proposals=proposals,
        disputes=[Dispute(**one) for one in given.get("disputes", []) if one["point"].strip()],
        findings=rulings_in(given),
        severities=given.get("severities", {}),
        failure=found.reason if isinstance(found, Failure) else None,
    )


def _chosen(given: Mapping[str, Any], field: str = "label") -> str | None:
    label: str | None = given.get(field)
    return None if label == ABSTAIN else label


def _cast(votes: Mapping[str, str]) -> dict[str, str]:
    """The votes, without abstentions."""
    return {number: vote for number, vote in votes.items() if vote != ABSTAIN}


def ballot_of(found: BaseModel | Failure, version: int, number: int) -> Ballot:
    given = {} if isinstance(found, Failure) else found.model_dump()
    return Ballot(
        version=version,
        round=number,
        votes=_cast(given.get("votes", {})),
        confidence=given.get("confidence"),
        reason=" ".join(given.get("reason", "").split()) or None,
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


def position_text(position: Position) -> str:
    """A position as readers see it."""
    if position.failure is not None:
        return f"No position: {position.failure}"
    lists = {
        "Findings": [raised_words(one) for one in position.findings],
        "Findings confirmed": position.confirms,
        "Findings withdrawn": position.withdraws,
        "Modifications": position.modifications if position.label else [],
    }
    return f"Round {position.round}{_holds(position)}\n\n{position_words(position)}{_document('', lists)}"


def position_words(position: Position) -> str:
    """A position as the panel reads it during the round: without its label, and without modifications that would reveal
    it."""
    answers = [f"{one.to}: {one.stance}. {one.text}" for one in position.responses]
    lists = {
        "Evidence": position.evidence,
        "Weaknesses": position.acknowledged_weaknesses,
        "Modifications": position.modifications if position.label is None else [],
        "Responses": answers,
    }
    return _document(position.claim or "", lists)


def held_words(draft: Draft) -> str:
    """What somebody holds at the end of a round, and what it wants changed; empty where the kind has no labels."""
    data = draft.data
    if not isinstance(data, Position) or data.label is None:
        return ""
    sure = "" if data.confidence is None else f", confidence {data.confidence:g}"
    return "\n".join([f"{draft.speaker}: {data.label}{sure}", *(f"- {one}" for one in data.modifications)])


def synthesis_text(synthesis: Synthesis) -> str:
    if synthesis.failure is not None:
        return f"No ruling: {synthesis.failure}"
    lists = {
        "Disputed": [f"{one.point} {one.who_is_right}" for one in synthesis.disputes],
        "Inconsistencies": synthesis.inconsistencies,
        "Findings": [ruling_words(one) for one in synthesis.findings],
        "Modifications required": [f"{one.severity}: {one.change}" for one in synthesis.modifications_required],
        "Votes": ballot_lines(synthesis.votes),
    }
    ruled = f"After round {synthesis.round}{_holds(synthesis)}\n\n{_document(synthesis.reasoning or '', lists)}"
    return "\n\n".join(filter(None, (ruled, brief_in_words(synthesis.brief) if synthesis.brief else "")))


def ballot_lines(votes: Mapping[str, str]) -> list[str]:
    return [f"{number}: {vote}" for number, vote in votes.items()]


def _document(text: str, lists: Mapping[str, Sequence[str]]) -> str:
    parts = [text.strip()]
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
