"""The transcript of a report: every entry in its place, looking like what it is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from moot.entry import Entry
from moot.payloads import Header, Summary, Switch
from moot.report.page import Material

Kind = Literal["statement", "private", "marked", "context", "outside"]


@dataclass(frozen=True, slots=True)
class Look:
    """How an entry is shown, what to say of it after the speaker's name, and for one that is `marked` its mark."""

    kind: Kind
    label: str
    badge: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of the transcript; `seat` is a debater's place in the cast, 0 for everybody else."""

    entry: Entry
    kind: Kind
    label: str
    badge: str
    colour: str
    seat: int


def transcript(material: Material, described: Callable[[Entry], Look | None]) -> list[Item]:
    """All entries. `described` knows how the protocol's own look, and gives None for the rest."""
    members = material.header.cast if material.header else []
    cast = {member.name: member for member in members}
    debaters = [member.name for member in members if member.role == "debater"]
    seats = {name: seat for seat, name in enumerate(debaters, 1)}
    items = []
    for entry in material.entries:
        look = _of_every_protocol(entry) or described(entry) or Look("context", f"adds a {entry.type}")
        member = cast.get(entry.speaker)
        own = member is not None and look.kind != "outside"
        colour = member.colour if member and own else "neutral"
        seat = seats.get(entry.speaker, 0) if own else 0
        items.append(Item(entry, look.kind, look.label, look.badge, colour, seat))
    return items


def _of_every_protocol(entry: Entry) -> Look | None:
    if entry.outside:
        return Look("outside", f"added a {entry.type}")
    match entry.data:
        case Header():
            return Look("context", "introduces the topic and the cast, shown above")
        case Switch():
            return Look("context", "notes that an agent changed its model")
        case Summary(replaced=keys):
            span = f"{keys[0]} to {keys[-1]}" if keys else "none"
            return Look("context", f"sums up its {len(keys)} oldest exchanges ({span}), which give way to this")
        case _:
            return None
