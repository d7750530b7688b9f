"""What pages show of a debate beyond its report: the versions of a text, and what was voted on."""

from collections.abc import Sequence
from dataclasses import dataclass

from moot.present.blocks import Table


@dataclass(frozen=True, slots=True)
class Version:
    """A text as it stood at some time; `seq` is the entry it stands in."""

    title: str
    text: str
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something that was voted on, as the voters saw it. `number` is what it is called as long as nobody is to know
    whose it is; `about` says which version it is."""

    number: str
    name: str
    about: str
    text: str


@dataclass(frozen=True, slots=True)
class Sitting:
    """Proposals as they stood at one time, and the entries that were about these versions. `title` names the
    proposals ("The proposals after round 6"), `shown` says who saw them and when. `orders` are what somebody gave the
    proposals when they were shown again in another order."""

    title: str
    shown: str
    proposals: Sequence[Proposal]
    entries: frozenset[int]
    orders: Sequence[tuple[str, Table]] = ()
