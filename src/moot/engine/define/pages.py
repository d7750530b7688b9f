"""What a protocol says of a gate, in addition to its summary and sections."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Gated:
    """The decision of a gate. `passed` is None until it is decided; `agreement` and `threshold` are the actual and
    the required share of votes for `decision`; `passing` is the decision that passes."""

    passed: bool | None
    decision: str | None
    agreement: float | None = None
    threshold: float | None = None
    passing: str | None = None
    conditions: Sequence[str] = ()
