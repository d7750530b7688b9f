"""The structured replies of a persuasion dialogue. They enumerate the legal choices; their texts are checked."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, create_model

from moot.api import BriefReply
from moot.protocols.persuasion.legal import MOST_PREMISES
from moot.protocols.persuasion.moves import Option, Premise, Proposal

LONGEST_SPEECH, LONGEST_POINT, MOST_POINTS = 3000, 800, 5
"""Characters: about three times as many as the words that the prompts ask for."""
Thought = Annotated[str, Field(max_length=1200)]
Speech = Annotated[str, Field(min_length=1, max_length=LONGEST_SPEECH)]
Reason = Annotated[str, Field(min_length=1, max_length=600)]
Point = Annotated[str, Field(min_length=1, max_length=LONGEST_POINT)]


class Turn(BaseModel):
    """One move, after a private thought. The real shape, with the legal moves as choices, is made for each position."""

    thought: Thought
    choice: str
    content: Speech


@lru_cache(maxsize=256)
def turn_shape(labels: tuple[str, ...], *, in_person: bool) -> type[Turn]:
    """The shape of a reply with one of these moves: a `since` has premises. People are not asked what they think."""
    parts: dict[str, Any] = {"thought": (Thought, "")} if in_person else {}
    if any(label.startswith("since") for label in labels):
        parts["premises"] = (list[Reason], Field(... if in_person else [], max_length=MOST_PREMISES))
    return create_model("Turn", __base__=Turn, choice=(_one_of(labels), ...), **parts)


def proposal_of(turn: Turn, options: Sequence[Option]) -> Proposal:
    """The move in a reply of that shape."""
    option = next(option for option in options if option.label == turn.choice)
    return Proposal(option, turn.content, tuple(map(Premise, getattr(turn, "premises", ()))))


Fault = Literal["straw man", "personal attack", "weak argument"]
NEITHER, NOBODY = "neither", "nobody"


class Look(BaseModel):
    """The moderator's ruling on a move before it counts. `does_not_bear` are labels of irrelevant citations, in the
    shape made for the move."""

    reason: Reason
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
def closing_shape(labels: tuple[str, ...], *, in_person: bool) -> type[Closing]:
    given: Any = Field(... if in_person and labels else [], max_length=len(labels))
    return create_model("Closing", __base__=Closing, give_up=(_list_of(labels) if labels else list[str], given))


class Rationale(BaseModel):
    """Why the verdict is as it is. `cites` are the arguments it rests on."""

    rationale: Annotated[str, Field(min_length=1, max_length=6000)]
    cites: list[str] = []
    strongest: list[str] = []
    winner: str


@lru_cache(maxsize=256)
def rationale_shape(
    winners: tuple[str, ...], on_record: tuple[str, ...], surviving: tuple[str, ...], *, in_person: bool
) -> type[Rationale]:
    """The shape for this outcome: the possible winners, the citable ids, and the candidates for the strongest. People
    name ids in their words alone."""
    lists: dict[str, Any] = {
        "cites": (_list_of(on_record), Field(min_length=1, max_length=8)),
        "strongest": (
            _list_of(surviving) if surviving else list[str],
            Field(max_length=MOST_POINTS if surviving else 0),
        ),
    }
    return create_model("Rationale", __base__=Rationale, winner=(_one_of(winners), ...), **({} if in_person else lists))


class Remarks(BaseModel):
    """What the moderator notes on the dialogue itself."""

    valid_points_of_the_loser: list[Point] = Field([], max_length=MOST_POINTS)
    unaddressed_questions: list[Point] = Field([], max_length=MOST_POINTS)
    concessions_that_mattered: list[Point] = Field([], max_length=MOST_POINTS)


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
