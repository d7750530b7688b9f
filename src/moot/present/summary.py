"""The outcome of a debate in a few sentences, shown by every interface."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Severity = Literal["warning", "note"]
"""A warning is a reason not to rely on the outcome; a note is worth knowing."""


class Flag(BaseModel):
    """Something that a reader must know before relying on the outcome. `code` is for programs and stays the same when
    the wording changes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    text: str
    severity: Severity = "warning"


class Dissent(BaseModel):
    """An agent that disagrees with the outcome, and its reason."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    who: str
    reason: str


class Summary(BaseModel):
    """The outcome in words. `kind` is the sort of outcome that the headline gives, such as a verdict or a decision, and
    `reached` how it was decided. `change` is the effect of debating, None if unknown. `decided` is false without a
    decision.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    headline: str
    kind: str = "Outcome"
    decided: bool = True
    reached: str = ""
    change: str | None = None
    dissent: list[Dissent] = []
    flags: list[Flag] = []
