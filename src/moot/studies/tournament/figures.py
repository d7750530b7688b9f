"""The figures of a tournament. They are all computed from its rows; null where nothing can be said."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from moot.stats import Rate
from moot.studies.template import Note


class Figure(BaseModel):
    model_config = ConfigDict(frozen=True)


class Place(Figure):
    """One model. `strength` is that of Bradley and Terry in logits, with its 95 % interval, of which ends may be
    `open`; `chance` is that of beating an average one. `points` are those of `debates` that count, where a tie is half
    a point. There is neither `strength` nor `place` if the debates do not compare all models. `best` and `worst` are
    the places that it may have, by which others it is told apart from."""

    model: str
    family: str
    place: int | None
    best: int | None
    worst: int | None
    strength: float | None
    low: float | None
    high: float | None
    open: Literal["above", "below", "both"] | None
    chance: float | None
    chance_low: float | None
    chance_high: float | None
    points: float
    debates: int
    ties: int
    missing: int


class PairFigure(Figure):
    """Two models. `points` are those that the first took from the second in `debates`. `p` is the exact test that the
    two are of the same strength, from the motions on which all debates of both against the same opponents count;
    `p_at_worst` is the same if every debate of the two that failed had gone against the one that leads. `adjusted` is
    the larger of these, corrected for all pairs. `ahead` is the one that is shown to be stronger. `left_out` are the
    judges who were kept from their debates, being of the family of one of the two."""

    first: str
    second: str
    points: float
    debates: int
    missing: int
    motions: int
    p: float | None
    p_at_worst: float | None
    adjusted: float | None
    ahead: str | None
    jury: list[str]
    left_out: list[str]


class JudgeFigure(Figure):
    """One judge. `swayed` is how often it named another winner in the other order, of all debates that it read in both.
    `agrees` is how often it votes like the majority of the others, of its votes that are the same in both orders."""

    judge: str
    debates: int
    missing: int
    swayed: Rate
    agrees: Rate


class Leaderboard(Figure):
    """`counted` are the debates that count, in pairs with the sides swapped; of the others, `unfinished` have no end,
    and `unjudged` no judge with two readings; `halves` lack the debate with the sides swapped. `motions` is how many
    have debates that count, `level` the significance level at which models are told apart."""

    level: float
    motions: int
    planned: int
    counted: int
    ties: int
    unfinished: int
    unjudged: int
    halves: int
    places: list[Place]
    pairs: list[PairFigure]
    judges: list[JudgeFigure]
    notes: list[Note]
