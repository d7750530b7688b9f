"""Parts of a debate that pages show in addition to its report: the versions of a text, and the proposals that were
voted on."""

from collections.abc import Sequence
from dataclasses import dataclass

from moot.present.blocks import Table


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a text; `seq` is its entry."""

    title: str
    text: str
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal as the voters saw it. `number` is its name while its author is hidden; `about` says which version it
    is."""

    number: str
    name: str
    about: str
    text: str


@dataclass(frozen=True, slots=True)
class Sitting:
    """A set of proposals at one time, and the entries about these versions. `title` names the set ("The proposals after
    round 6"), `shown` says who saw it and when. `orders` are the results when the proposals were shown again in another
    order."""

    title: str
    shown: str
    proposals: Sequence[Proposal]
    entries: frozenset[int]
    orders: Sequence[tuple[str, Table]] = ()
