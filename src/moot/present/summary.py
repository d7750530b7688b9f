"""The outcome of a debate in a few sentences, shown by every interface."""

from typing import Literal

from pydantic import Field

from moot.present.brief import Brief
from moot.present.data import Data

Severity = Literal["warning", "note"]
"""A warning is a reason not to rely on the outcome; a note is worth knowing."""


class Flag(Data):
    """Something that a reader must know before relying on the outcome. `code` is for programs and stays the same when
    the wording changes."""

    code: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    text: str
    severity: Severity = "warning"


class Summary(Data):
    """The outcome in words. The `headline` answers the question that was asked, and the `brief` gives the reasons.
    `kind` is the sort of outcome, such as an answer or a decision, and `reached` is how it was decided. `change` is the
    effect of debating, None if unknown. `decided` is false without a decision.
    """

    headline: str
    kind: str = "Outcome"
    decided: bool = True
    reached: str = ""
    change: str | None = None
    brief: Brief = Brief()
    flags: list[Flag] = []
