"""Anonymous proposals: letters instead of names, in random order."""

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from moot.engine.prompt import fenced
from moot.protocols.arena.cast import Arena, Seat, without_names


@dataclass(frozen=True, slots=True)
class Blind:
    """The proposals as one reader sees them; `labels` maps letters to authors, in the order shown."""

    labels: dict[str, str]
    shown: str
    hearsay: str


def blind(arena: Arena, order: Sequence[Seat]) -> Blind:
    """These proposals in this order, under letters, with the names of the cast covered."""
    names = [one.name for one in arena.config.agents]
    by_letter = dict(zip(ascii_uppercase, order, strict=False))
    shown = [
        fenced(without_names(seat.proposal.content, names), f"proposal {letter}") for letter, seat in by_letter.items()
    ]
    hearsay = " ".join(f"{letter}: {without_names(seat.decision, names)}" for letter, seat in by_letter.items())
    return Blind({letter: seat.name for letter, seat in by_letter.items()}, "\n\n".join(shown), hearsay)
