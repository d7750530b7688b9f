"""The structured replies of a persuasion dialogue. They enumerate the legal choices; their texts are checked."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, create_model

from moot.api import BriefReply
from moot.protocols.persuasion.legal import MOST_PREMISES
from moot.protocols.persuasion.moves import Option, Premise, Proposal

LONGEST_SPEECH, LONGEST_PREMISE, LONGEST_POINT, MOST_POINTS = 3000, 600, 800, 5
"""Characters: about three times as many as the words that the prompts ask for."""
Thought = Annotated[str, Field(max_length=1200)]
Speech = Annotated[str, Field(min_length=1, max_length=LONGEST_SPEECH)]
Reasons = Annotated[str, Field(min_length=1, max_length=600)]
Point = Annotated[str, Field(min_length=1, max_length=LONGEST_POINT)]


class Turn(BaseModel):
    """One move, after a private thought. The real shape, with the legal moves and the facts as choices, is made for
    each position."""

    thought: Thought
    move: BaseModel


def turn_shape(options: Sequence[Option], facts: Sequence[str]) -> type[Turn]:
    """The shape of a reply with one of these moves: `since` has premises, a claim can cite evidence."""
    reasons = tuple(option.label for option in options if option.act == "since")
    claims = any(option.act == "claim" for option in options)
    others = tuple(option.label for option in options if option.act != "since")
    return _turn_shape(reasons, others, tuple(facts), claims=claims)


@lru_cache(maxsize=256)
def _turn_shape(
    reasons: tuple[str, ...], others: tuple[str, ...], facts: tuple[str, ...], *, claims: bool
) -> type[Turn]:
    cited: Any = {"evidence": (_list_of(facts), Field([], max_length=4))} if facts else {}
    reason: Any = create_model(
        "Reason", content=(Annotated[str, Field(min_length=1, max_length=LONGEST_PREMISE)], ...), **cited
    )
    kinds: list[Any] = []
    if reasons:
        given: Any = Annotated[list[reason], Field(min_length=1, max_length=MOST_PREMISES)]
        chosen = _one_of(reasons)
        kinds.append(create_model("GiveReasons", choice=(chosen, ...), content=(Speech, ...), premises=(given, ...)))
    if others:
        own: Any = cited if claims else {}
        kinds.append(create_model("SayOtherwise", choice=(_one_of(others), ...), content=(Speech, ...), **own))
    if len(kinds) == 1:
        return create_model("Turn", __base__=Turn, move=(kinds[0], ...))
    either: Any = Annotated[kinds[0] | kinds[1], Field(discriminator="choice")]
    return create_model("Turn", __base__=Turn, move=(either, ...))


def proposal_of(turn: Turn, options: Sequence[Option]) -> Proposal:
    """The move in a reply of that shape."""
    move: Any = turn.move
    return Proposal(
        option=next(option for option in options if option.label == move.choice),
        content=move.content,
        premises=tuple(
            Premise(one.content, tuple(getattr(one, "evidence", ()))) for one in getattr(move, "premises", ())
        ),
        evidence=tuple(getattr(move, "evidence", ())),
    )


Fault = Literal["straw man", "personal attack", "weak argument"]
NEITHER, NOBODY = "neither", "nobody"


class Look(BaseModel):
    """The moderator's ruling on a move before it counts. `does_not_bear` are labels of irrelevant citations, in the
    shape made for the move."""

    reason: Reasons
    does_not_bear: list[str] = []
    ruling: Literal["stands", "straw man", "personal attack", "weak argument"]


def citations(proposal: Proposal) -> dict[str, tuple[int, str]]:
    """The citations of a move by their labels: each the number of a premise, 0 for the claim itself, and a fact. A
    premise that is a fact and nothing else says what the fact says."""
    found = {f"{one} for the claim": (0, one) for one in proposal.evidence if proposal.option.act == "claim"}
    for number, premise in enumerate(proposal.premises, start=1):
        found |= {f"{one} for premise {number}": (number, one) for one in premise.evidence}
    return found


@lru_cache(maxsize=256)
def look_shape(labels: tuple[str, ...]) -> type[Look]:
    none: Any = Annotated[list[str], Field(max_length=0)]
    some: Any = Annotated[_list_of(labels), Field(max_length=len(labels))]
    return create_model("Look", __base__=Look, does_not_bear=(some if labels else none, []))


class Closing(BaseModel):
    """A final statement; `give_up` are labels of concessions and retractions, in the shape made for the position."""

    statement: Speech
    give_up: list[str] = []


@lru_cache(maxsize=256)
def closing_shape(labels: tuple[str, ...]) -> type[Closing]:
    if not labels:
        return create_model("Closing", __base__=Closing, give_up=(Annotated[list[str], Field(max_length=0)], []))
    choices: Any = _list_of(labels)
    return create_model("Closing", __base__=Closing, give_up=(choices, Field([], max_length=len(labels))))


class Rationale(BaseModel):
    """Why the verdict is as it is. `cites` are the arguments it rests on."""

    rationale: Annotated[str, Field(min_length=1, max_length=6000)]
    cites: list[str]
    strongest: list[str]
    winner: str


@lru_cache(maxsize=256)
def rationale_shape(
    winners: tuple[str, ...], on_record: tuple[str, ...], surviving: tuple[str, ...]
) -> type[Rationale]:
    """The shape for this outcome: the possible winners, the citable ids, and the candidates for the strongest."""
    cited: Any = _list_of(on_record)
    strongest: Any = _list_of(surviving) if surviving else list[str]
    return create_model(
        "Rationale",
        __base__=Rationale,
        winner=(_one_of(winners), ...),
        cites=(cited, Field(min_length=1, max_length=8)),
        strongest=(strongest, Field(max_length=MOST_POINTS if surviving else 0)),
    )


class Remarks(BaseModel):
    """What the moderator notes on the dialogue itself."""

    valid_points_of_the_loser: list[Point] = Field(max_length=MOST_POINTS)
    unaddressed_questions: list[Point] = Field(max_length=MOST_POINTS)
    concessions_that_mattered: list[Point] = Field(max_length=MOST_POINTS)


class Findings(BriefReply, Remarks):
    """The moderator's remarks, its brief, and whose case the answer follows. The real shape names the debaters."""

    follows: str


@lru_cache(maxsize=256)
def findings_shape(names: tuple[str, ...]) -> type[Findings]:
    return create_model("Findings", __base__=Findings, follows=(_one_of((*names, NEITHER)), ...))


def _one_of(values: tuple[str, ...]) -> Any:
    return Literal[values]


def _list_of(values: tuple[str, ...]) -> Any:
    return list[Literal[values]]  # type: ignore[valid-type]
