"""The typed payloads that entries carry in `data`: one class for each entry type that has one.

This is the whole vocabulary of the log. A reader that knows an entry's type knows its payload;
folds over the log match on these classes.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Side = Literal["for", "against"]


class Payload(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Outside(Payload):
    """Marks an entry that another program appended: no agent said it, no script emitted it."""

    outside: Literal[True] = True


class Member(Payload):
    """One of the cast, as the header introduces it."""

    id: str
    name: str
    role: str
    side: Side | None
    personality: str
    colour: str
    models: list[str]


class Header(Payload):
    """What is debated, by whom; `notices` are what a reader should know before believing the outcome."""

    protocol: str
    topic: str
    premise: str | None
    turns: int
    cast: list[Member]
    notices: list[str]


class Turn(Payload):
    """A public statement; `final` when it is the speaker's last."""

    turn: int
    final: bool


class Score(Payload):
    """The judge's score of `of` after a turn; null with the reason when the judge gave none that can be used."""

    turn: int
    of: str
    score: int | None = Field(ge=0, le=10)
    reasoning: str | None
    failure: str | None


class Verdict(Payload):
    """The outcome of a duel. `scores_from` says which reply the scores were taken from."""

    winner: str | None
    confirmed: bool
    scores: dict[str, int | None]
    scores_from: Literal["verdict", "running"]
    premise_upheld: bool | None
    scores_contradict_winner: bool
    failure: str | None


class Switch(Payload):
    """An agent's model failed and the next one of its list took over."""

    agent: str
    from_model: str
    to_model: str
    reason: str


class Summary(Payload):
    """An agent's oldest exchanges, named by their keys, gave way to its own summary of them."""

    agent: str
    replaced: list[str]


PAYLOADS: dict[str, type[Payload] | None] = {
    "header": Header,
    "plan": None,
    "think": None,
    "turn": Turn,
    "score": Score,
    "verdict": Verdict,
    "switch": Switch,
    "summary": Summary,
    "note": None,
}
"""Which payload each entry type carries; None for a type that carries none."""


def read_payload(entry_type: str, value: Any) -> Payload | None:
    """The typed payload of an entry as it stands in the log; ValueError for a type or shape not in the vocabulary."""
    if entry_type not in PAYLOADS:
        raise ValueError(f"unknown entry type {entry_type!r}")
    if value is None:
        return None
    if isinstance(value, dict) and "outside" in value:
        return Outside.model_validate(value)
    payload = PAYLOADS[entry_type]
    if payload is None:
        raise ValueError(f"an entry of type {entry_type!r} carries no data")
    return payload.model_validate(value)
