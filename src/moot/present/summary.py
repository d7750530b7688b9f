"""What a debate came to, in a few sentences that every face shows."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Severity = Literal["warning", "note"]
"""A warning speaks against relying on the outcome; a note is worth knowing."""


class Flag(BaseModel):
    """Something that a reader must know before relying on the outcome. `code` is for programs and stays the same when
    the text is worded differently."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    text: str
    severity: Severity = "warning"


class Dissent(BaseModel):
    """Who does not agree with the outcome, and why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    who: str
    reason: str


class Summary(BaseModel):
    """The outcome in words. `kind` says what sort of outcome the headline is: a verdict, a decision; `reached` how it
    came about; `change` what debating changed, None where that cannot be told. Without a decision `decided` is false.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    headline: str
    kind: str = "Outcome"
    decided: bool = True
    reached: str = ""
    change: str | None = None
    dissent: list[Dissent] = []
    flags: list[Flag] = []
