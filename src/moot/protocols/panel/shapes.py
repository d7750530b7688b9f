"""The shapes of the replies, and what the log keeps of them. Labels, names and numbers are enumerated for each debate.
Reasons come before the choices, since fields are generated in this order. Limits on texts and lists go to the models
but are not enforced: they are about three times what the prompts ask for, and a slightly longer reply is just as
good."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, Field, create_model

from moot.api import IF_SOUND, BriefBesides, Draft, Failure, brief_in_words, one_of
from moot.present import Grade
from moot.protocols.panel.config import ABSTAIN
from moot.protocols.panel.findings import LooksFor, finding_fields, place_of, raised_words, ruling_words, rulings_on
from moot.protocols.panel.payloads import Ballot, Dispute, Given, Position, Proposal, Required, Stance, Synthesis
from moot.text.prose import plain_words

GivenT = TypeVar("GivenT", bound=Given)
MOST = 12
"""Items of a list that is as long as it has to be."""
MOST_RESPONSES = 4


def several(item: Any, most: int, sound: Callable[[list[Any]], list[Any]]) -> Any:
    """The type of a list that is kept as far as it is `sound`."""
    return Annotated[
        list[Annotated[item, IF_SOUND]], AfterValidator(sound), Field(json_schema_extra={"maxItems": most})
    ]


def _without_blanks(texts: list[str]) -> list[str]:
    return [text.strip() for text in texts if text.strip()]


Line = Annotated[str, Field(json_schema_extra={"maxLength": 1200})]
Text = Annotated[str, Field(json_schema_extra={"maxLength": 3000})]
Few, Lines = several(Line, 3, _without_blanks), several(Line, MOST, _without_blanks)
Confidence = Annotated[float | None, Field(ge=0, le=1)]


class Revised(BaseModel):
    idea: Annotated[str, Field(min_length=1, max_length=100_000)]


@lru_cache(maxsize=256)
def opinion_shape(
    labels: tuple[str, ...],
    others: tuple[str, ...],
    looks_for: LooksFor | None = None,
    *,
    modifies: bool = True,
    steps: bool = False,
) -> type[BaseModel]:
    """A position: responses to the others, what the claim rests on, the claim, and the label that follows from it. What
    has to be modified is asked for where a label sends the idea back, or where changes are all that is voted on. With
    `steps` it rests on as many as it takes."""
    fields: dict[str, Any] = {}
    if others:
        to = Annotated[str, Field(json_schema_extra={"enum": [*others]})]
        answer = create_model("Answer", to=(to, ...), text=(Line, ...), stance=(Stance, ...))

        def to_others(answers: list[Any]) -> list[Any]:
            return [answer for answer in answers if answer.to in others and answer.text.strip()]

        fields["responses"] = (several(answer, min(len(others), MOST_RESPONSES), to_others), [])
    fields |= {"evidence": (Lines if steps else Few, []), "acknowledged_weaknesses": (Few, [])}
    fields |= finding_fields(looks_for) if looks_for else {}
    fields["claim"] = (Annotated[Text, Field(min_length=1)], ...)
    if labels:
        fields["label"] = (one_of((*labels, ABSTAIN)), ...)
    if modifies:
        fields["modifications"] = (Lines, [] if labels else ...)
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
    vote on each. What is long comes last, where a reply that is cut loses it."""
    disputes = several(Dispute, 3, lambda given: [one for one in given if one.point.strip()])
    fields: dict[str, Any] = {"disputes": (disputes, []), "inconsistencies": (Few, [])}
    fields["reasoning"] = (Text, "")
    if changes:
        fields["severities"] = (create_model("EachSeverity", **dict.fromkeys(changes, (Grade, ...))), ...)  # type: ignore[call-overload]
        fields["votes"] = (_votes(changes), ...)
    elif labels:
        fields["label"] = (one_of((*labels, ABSTAIN)), ...)
        fields["follows"] = (one_of((*labels, ABSTAIN)), ABSTAIN)
        if modifies:
            required = several(Required, MOST, lambda given: [one for one in given if one.change.strip()])
            fields["modifications_required"] = (required, [])
            if proposals:
                fields["adopted"] = (list[Annotated[one_of(proposals), IF_SOUND]], [])  # type: ignore[misc]
    fields["confidence"] = (Confidence, None)
    fields |= {"findings": (rulings_on(findings), [])} if findings else {}
    return create_model("Ruling", __base__=BriefBesides, **fields)


@lru_cache(maxsize=256)
def ballot_shape(changes: tuple[str, ...]) -> type[BaseModel]:
    return create_model("Votes", reason=(Line, ""), votes=(_votes(changes), ...), confidence=(Confidence, None))


@lru_cache(maxsize=256)
def merger_shape(proposals: tuple[str, ...]) -> type[BaseModel]:
    """The pairs of equal proposals. For any reply, each proposal ends up in exactly one change."""
    one = one_of(proposals)
    pair = create_model("Pair", reason=(Line, ""), proposal=(one, ...), same_as=(one, ...))
    return create_model("Merged", pairs=(several(pair, len(proposals), list), ...))


def _votes(changes: Sequence[str]) -> type[BaseModel]:
    yes_or_no: dict[str, Any] = dict.fromkeys(changes, (Literal["yes", "no", ABSTAIN], ...))
    return create_model("EachChange", **yes_or_no)


def recorded(kind: type[GivenT], reply: BaseModel | Failure, version: int, number: int, **more: Any) -> GivenT:
    """What the log keeps of a reply. Who abstains has chosen nothing."""
    place: dict[str, Any] = {"version": version, "round": number}
    if isinstance(reply, Failure):
        return kind(**place, failure=reply.reason, **more)
    given = reply.model_dump(include=set(kind.model_fields))
    given |= {name: None for name in ("label", "follows") if given.get(name) == ABSTAIN}
    votes = {change: vote for change, vote in given.get("votes", {}).items() if vote != ABSTAIN}
    return kind(**place, **given | ({"votes": votes} if "votes" in given else {}) | more)


def proposals_in(positions: Sequence[tuple[str, Position]]) -> list[Proposal]:
    """Every modification that these positions propose, by persona. The same wording gets the same number."""
    numbers: dict[str, str] = {}
    found: list[Proposal] = []
    for persona, position in positions:
        for text in position.modifications:
            number = numbers.setdefault(plain_words(text), f"P{len(numbers) + 1}")
            if not any((number, persona) == (other.number, other.persona) for other in found):
                found.append(Proposal(number=number, persona=persona, round=position.round, text=text))
    return found


def position_text(position: Position) -> str:
    """A position as readers see it."""
    if position.failure is not None:
        return f"No position: {position.failure}"
    lists = {
        "Findings": [raised_words(finding) for finding in position.findings],
        "Findings confirmed": position.confirms,
        "Findings withdrawn": position.withdraws,
        "Modifications": position.modifications if position.label else [],
    }
    return f"Round {position.round}{_holds(position)}\n\n{position_words(position)}{_document('', lists)}"


def position_words(position: Position) -> str:
    """A position as the panel reads it during the round: without its label, and without modifications that would reveal
    it."""
    lists = {
        "Evidence": position.evidence,
        "Weaknesses": position.acknowledged_weaknesses,
        "Modifications": position.modifications if position.label is None else [],
        "Responses": [f"{response.to}: {response.stance}. {response.text}" for response in position.responses],
    }
    return _document(position.claim or "", lists)


def held_words(draft: Draft) -> str:
    """What somebody holds at the end of a round, and what it wants changed; empty where the kind has no labels."""
    data = draft.data
    if not isinstance(data, Position) or data.label is None:
        return ""
    sure = "" if data.confidence is None else f", confidence {data.confidence:g}"
    return "\n".join([f"{draft.speaker}: {data.label}{sure}", *(f"- {one}" for one in data.modifications)])


def synthesis_text(synthesis: Synthesis, raised: Sequence[str] = ()) -> str:
    """A ruling as readers see it, with those of the findings `raised` that it leaves open."""
    if synthesis.failure is not None:
        return f"No ruling: {synthesis.failure}"
    lists = {
        "Disputed": [f"{dispute.point} {dispute.who_is_right}" for dispute in synthesis.disputes],
        "Inconsistencies": synthesis.inconsistencies,
        "Findings": [ruling_words(finding) for finding in synthesis.findings],
        "Left open": sorted({*raised} - {finding.finding for finding in synthesis.findings}, key=place_of),
        "Modifications required": [f"{each.severity}: {each.change}" for each in synthesis.modifications_required],
        "Votes": ballot_lines(synthesis.votes),
    }
    ruled = f"After round {synthesis.round}{_holds(synthesis)}\n\n{_document(synthesis.reasoning or '', lists)}"
    return "\n\n".join(filter(None, (ruled, brief_in_words(synthesis.brief) if synthesis.brief else "")))


def ballot_text(ballot: Ballot) -> str:
    return f"No vote: {ballot.failure}" if ballot.failure else "\n".join(ballot_lines(ballot.votes))


def ballot_lines(votes: Mapping[str, str]) -> list[str]:
    return [f"{number}: {vote}" for number, vote in votes.items()]


def _document(text: str, lists: Mapping[str, Sequence[str]]) -> str:
    parts = [text.strip()]
    parts += [
        f"{name}:\n" + "\n".join(f"- {' '.join(line.split())}" for line in lines)
        for name, lines in lists.items()
        if lines
    ]
    return "\n\n".join(parts)


def _holds(one: Position | Synthesis) -> str:
    sure = "" if one.confidence is None else f", confidence {one.confidence:g}"
    return f": **{one.label}**{sure}" if one.label else ""
