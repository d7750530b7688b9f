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
    """An entry of the transcript; `seat` is a debater's place in the cast, 0 for everybody else. `cut`: the reply it
    was made from stopped at the token limit, as the label says, too."""

    entry: Entry
    kind: Kind
    label: str
    badge: str
    colour: str
    seat: int
    cut: bool


def transcript(material: Material, described: Callable[[Entry], Look | None]) -> list[Item]:
    """All entries. `described` knows how the protocol's own look, and gives None for the rest."""
    members = material.header.cast if material.header else []
    cast = {member.name: member for member in members}
    debaters = [member.name for member in members if member.role == "debater"]
    seats = {name: seat for seat, name in enumerate(debaters, 1)}
    # Of the replies that were asked for again at a call, the last is the one that was used.
    last = {record.key: record for record in material.records if record.kind == "reply"}
    items = []
    for entry in material.entries:
        look = _of_every_protocol(entry) or described(entry) or Look("context", f"adds a {entry.type}")
        member = cast.get(entry.speaker)
        own = member is not None and look.kind != "outside"
        colour = member.colour if member and own else "neutral"
        seat = seats.get(entry.speaker, 0) if own else 0
        used = last.get(entry.call or "")
        cut = used is not None and used.finish_reason == "length"
        label = f"{look.label}, cut off at the token limit" if cut else look.label
        items.append(Item(entry, look.kind, label, look.badge, colour, seat, cut))
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
