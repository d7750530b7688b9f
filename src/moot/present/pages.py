"""Parts of a debate that pages show in addition to its report: the versions of a text."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a text; `seq` is its entry."""

    title: str
    text: str
    seq: int | None = None
