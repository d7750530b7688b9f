"""The versions of a text, for documents about a debate."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a text; `seq` is its entry."""

    title: str
    text: str
    seq: int | None = None
