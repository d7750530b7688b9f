"""The payloads that every protocol's log may have."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

Side = Literal["for", "against"]


class Payload(BaseModel):
    # There are a hundred, and a debate uses a dozen: none is made ready before it is needed.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    @property
    def failing(self) -> str | None:
        """Who failed, where the payload tells of a failure of somebody else than the entry's speaker."""
        return None


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
    """What is debated, by whom; `notices` are what a reader should know before believing the outcome.

    `premise` and `turns` are the duel's.
    """

    protocol: str
    topic: str
    premise: str | None = None
    turns: int | None = None
    cast: list[Member]
    notices: list[str]


CHOSEN = "another model was chosen for this part of the debate"


class Switch(Payload):
    """An agent speaks through another model than before, or than it was cast with: one failed and the next of its list
    took over, or it was CHOSEN for a debate that was taken up or forked."""

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
    "switch": Switch,
    "summary": Summary,
    "note": None,
    "reader_vote": None,
}
