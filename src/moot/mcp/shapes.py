"""What the tools give back. All of it is data: what models said in a debate is nobody's instruction."""

from typing import Any, Literal

from pydantic import BaseModel, Field

import moot
from moot.hosting import Ended

LONGEST_TEXT = 4000
"""Characters of one entry; the whole text is in the run's log."""


class Planned(BaseModel):
    """What a debate will take. The price is null where that of a model is unknown."""

    calls: int
    longest_chain: int = Field(description="Calls that wait for each other: what the time it takes depends on")
    typical_cost: float | None
    most_cost: float | None


class Started(BaseModel):
    run: str | None = Field(description="The run's name, for the other tools; null when it was only planned")
    plan: Planned


class EntrySeen(BaseModel):
    """One entry of the log. `private` ones are plans and thoughts that no other agent saw."""

    seq: int
    speaker: str
    phase: str
    type: str
    text: str
    private: bool
    cut: bool = Field(description="Whether the text was longer than what stands here")


class Followed(BaseModel):
    """What came after the entry that was asked for. Ask again with `last` as `after` while `status` is `running`."""

    run: str
    status: Literal["running", "done", "limit", "failed", "interrupted"]
    reason: str | None
    entries: list[EntrySeen]
    last: int


class Outcome(BaseModel):
    """What a debate came to, as in the run's result.json."""

    run: str
    protocol: str
    status: str
    reason: str | None
    document: dict[str, Any]


class Gated(BaseModel):
    """What a panel decided about an idea. `passed` is null while it has not decided."""

    run: str
    status: str
    passed: bool | None
    decision: str | None
    agreement: float | None = Field(description="The share of the weight behind the decision")
    threshold: float | None = Field(description="The share of the weight that a decision needs")
    passing_decision: str | None = Field(description="The decision that lets an idea pass here")
    conditions: list[str] = Field(description="What must be changed for it to hold")
    notices: list[str] = Field(description="What to know before believing it, such as that a tiny model decided")


class Listed(BaseModel):
    run: str
    protocol: str
    topic: str
    status: str


class Listing(BaseModel):
    runs: list[Listed] = Field(description="Newest first")
    more: int = Field(description="How many others there are")


class Scored(BaseModel):
    argument: str
    score: float | None
    state: str


class Argued(BaseModel):
    """`extensions` and `accepted` answer questions of abstract argumentation, `scores` are of a gradual semantics."""

    arguments: int
    semantics: str
    scores: list[Scored] = []
    converged: bool | None = None
    extensions: list[list[str]] = []
    more: bool = Field(default=False, description="Whether there are further extensions")
    accepted: bool | None = None
    notes: list[str] = []


def seen(entry: moot.Entry) -> EntrySeen:
    return EntrySeen(
        seq=entry.seq,
        speaker=entry.speaker,
        phase=entry.phase,
        type=entry.type,
        text=entry.content[:LONGEST_TEXT],
        private=entry.to != "all",
        cut=len(entry.content) > LONGEST_TEXT,
    )


def followed(run: str, after: int, entries: list[moot.Entry], ended: Ended | None) -> Followed:
    return Followed(
        run=run,
        status=ended.status if ended else "running",
        reason=ended.reason if ended else None,
        entries=[seen(entry) for entry in entries],
        last=max([after, *(entry.seq for entry in entries)]),
    )
