"""Payloads: what entries carry in `data`, one class for each entry type that has one.

The types that every log may have are here; all others belong to the protocol that writes them. A payload that stands
for something missing says why in `failure`.
"""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from moot.present import Flag

Side = Literal["for", "against"]


class Payload(BaseModel):
    # There are a hundred, and a debate uses a dozen: none is made ready before it is needed.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    @property
    def failing(self) -> str | None:
        """The agent that failed, if it is not the entry's speaker."""
        return None


class Unknown(Payload):
    """The payload of an unknown type, kept unchanged: its protocol is not installed."""

    model_config = ConfigDict(frozen=True, extra="allow")


class Outside(Payload):
    """Marks an entry that another program appended: no agent said it, no script emitted it."""

    outside: Literal[True] = True


class Answer(Outside):
    """An outside agent's answer to a question that is not a turn of its own; `to_call` is the question."""

    to_call: str
    attempt: int = 1


class Member(Payload):
    """A member of the cast, as introduced by the header."""

    id: str
    name: str
    role: str
    side: Side | None
    personality: str
    colour: str
    models: list[str]


class Header(Payload):
    """What is debated, by whom; `flags` are what a reader must know before believing the outcome. `details` are what
    else is shown at the top, by name. A protocol that has more to say extends it, and what its header says beyond this
    is kept where the protocol is not installed."""

    model_config = ConfigDict(extra="allow")

    protocol: str
    topic: str
    details: dict[str, str] = {}
    cast: list[Member]
    flags: list[Flag] = []


CHOSEN = "another model was chosen for this part of the debate"


class Switch(Payload):
    """An agent speaks through another model than before, or than it was cast with: one failed and the next of its list
    took over, or it was CHOSEN for a debate that was taken up or forked. At `call` the model `failed`; both are None
    where another was chosen."""

    agent: str
    from_model: str
    to_model: str
    reason: str
    call: str | None = None
    failed: str | None = None


class Recap(Payload):
    """An agent's oldest exchanges, named by their keys, gave way to its own summary of them."""

    agent: str
    replaced: list[str]


class Gap(Payload):
    """A text that no model of an agent gave; the debate continues without it."""

    agent: str
    call: str
    failure: str

    @property
    def failing(self) -> str:
        return self.agent


class Irregular(Payload):
    """A reply that was kept although something is wrong with it, after it was asked for twice. `codes` say what."""

    agent: str
    call: str
    codes: list[str]


Payloads = Mapping[str, type[Payload] | None]
"""Which payload each entry type carries; None for a type that carries none."""
COMMON: Payloads = {
    "header": Header,
    "switch": Switch,
    "summary": Recap,
    "gap": Gap,
    "irregular": Irregular,
    "note": None,
    "reader_vote": None,
}
"""The types that every log may have. A protocol may put an extended Header in the place of this one."""


def read_payload(entry_type: str, value: Any, payloads: Payloads) -> Payload | None:
    """The typed payload of an entry as it stands in the log. What is of no known type is kept as it is; ValueError for
    a known type in another shape."""
    if value is None:
        return None
    if isinstance(value, dict) and "outside" in value:
        return (Answer if "to_call" in value else Outside).model_validate(value)
    if entry_type not in payloads and entry_type not in COMMON:
        return Unknown.model_validate(value)
    payload = payloads.get(entry_type, COMMON.get(entry_type))
    if payload is None:
        raise ValueError(f"an entry of type {entry_type!r} carries no data")
    return payload.model_validate(value)
