"""Debates side by side: the questions, the settings that differ, the results, and where they diverge."""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations, zip_longest
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import Response

import moot
from moot.engine.define.capabilities import Ballots, as_logged
from moot.engine.outcome.material import Material, Spoken, gather, transcript
from moot.present import ScoreChart, ScoreLine
from moot.record.payloads import Member
from moot.record.stores.base import CONFIG
from moot.text import clip
from moot.text.yaml import parse_yaml
from moot.web.gallery_index import RUNNING, UNREADABLE
from moot.web.pages.facts import cost_and_failures
from moot.web.pages.gallery import STATUSES
from moot.web.pages.read import address
from moot.web.pages.rendering import host_of, page, shelf_of
from moot.web.threads import aside

OFFERED = 50
MOST = 4
ORDINALS = ("First", "Second", "Third", "Fourth")
CURVES = ("blue", "red", "green", "yellow")
"""The colour of each debate in a chart of all."""
LONGEST_SETTING = 300

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Side:
    """One of the debates. `said` are the entries that say or decide something, with their fields; cast and settings are
    compared separately. `lines` are the same entries as they are read, `curves` its scores over turns."""

    name: str
    here: str
    topic: str
    protocol: str
    headline: str
    facts: dict[str, str]
    cast: str
    settings: dict[str, str]
    origin: Mapping[str, Any] | None
    said: list[tuple[moot.Entry, dict[str, Any]]]
    names: list[str]
    lines: list[Spoken]
    curves: ScoreChart | None


@dataclass(frozen=True, slots=True)
class Parting:
    """The first statement or decision in which two debates differ; None for a debate that had ended by then. `alike` is
    the last common entry, `fields` are the fields that differ besides the text."""

    alike: int | None
    one: moot.Entry | None
    other: moot.Entry | None
    fields: list[tuple[str, str, str]]


@router.get("/compare")
async def compare(
    request: Request, a: str = "", b: str = "", c: str = "", d: str = "", query: str = "", add: bool = False
) -> Response:
    """Two to four debates. With `add`, or fewer than two, a form to choose the next one."""
    names = [name for name in (a, b, c, d) if name]
    if len(names) < 2 or (add and len(names) < MOST):
        return await _picker(request, names, query)
    host = host_of(request)
    sides = [await aside(partial(_side, await host.found(name))) for name in names]
    others = sides[1:]
    return page(
        request,
        "compare.html.jinja",
        sides=sides,
        ordinals=ORDINALS,
        same_question=len({_plain(one.topic) for one in sides}) == 1,
        kinship=[told for one, other in combinations(sides, 2) if (told := _kinship(one, other))],
        facts=[(name, [side.facts.get(name, "–") for side in sides]) for name in _names(sides)],
        settings=differing(*sides),
        partings=[(other, await asyncio.to_thread(parting, sides[0], other)) for other in others],
        curves=one_chart(sides),
        rows=list(zip_longest(*(one.lines for one in sides))),
        swapped=address_of([*reversed(names)]),
        more=f"{address_of(names)}&add=1" if len(names) < MOST else "",
    )


def address_of(names: Sequence[str]) -> str:
    """The address of the page that compares these runs."""
    return f"/compare?{urlencode(dict(zip('abcd', names, strict=False)))}"


async def _picker(request: Request, names: Sequence[str], query: str) -> Response:
    """A form to choose the next debate: those on the same question as the first come first."""
    cards = await asyncio.to_thread(shelf_of(request).cards)
    by_name = {card.name: card for card in cards}
    for name in names:
        if name not in by_name:
            await host_of(request).found(name)
    chosen = by_name.get(names[0]) if names else None
    offered = [
        card
        for card in await asyncio.to_thread(partial(shelf_of(request).search, query, among=cards))
        if card.name not in names and card.status not in (RUNNING, UNREADABLE)
    ]
    if chosen:
        offered.sort(key=lambda card: _plain(card.topic) != _plain(chosen.topic))
    return page(
        request,
        "compare_pick.html.jinja",
        chosen=[by_name[name] for name in names if name in by_name],
        names=dict(zip("abcd", names, strict=False)),
        offered=[(card, address_of([*names, card.name])) for card in offered[:OFFERED]],
        statuses=STATUSES,
        query=query,
    )


def one_chart(sides: Sequence[Side]) -> ScoreChart | None:
    """The scores of all debates over the same turns. A debate has one colour, and its number before each name."""
    drawn = [(number, side.curves) for number, side in enumerate(sides, 1) if side.curves]
    lines = [
        ScoreLine(f"{number} {line.name}", CURVES[number - 1], line.marks)
        for number, one in drawn
        for line in one.lines
    ]
    if len(drawn) < 2:
        return None
    caption = f"{drawn[0][1].caption} The number before a name is that of the debate."
    return ScoreChart("Scores of all debates, turn by turn", caption, lines, max(one.turns for _, one in drawn))


async def _side(run: moot.Run) -> Side:
    result = await moot.result_of(run)
    material = gather(run, result)
    return Side(
        name=run.name,
        here=address(run.name),
        topic=material.topic,
        protocol=result.protocol,
        headline=result.summary.headline,
        facts=_facts(result),
        cast=_cast(material),
        settings=dict(_flat(parse_yaml(run.config.frozen().encode(), CONFIG))),
        origin=material.origin,
        said=_said(material),
        lines=[one for one in transcript(material) if one.line.kind != "note"],
        curves=_curves(material),
        names=[member.name for member in material.header.cast] if material.header else [],
    )


def _curves(material: Material) -> ScoreChart | None:
    blocks = (block for section in material.sections() for block in section.blocks)
    return next((block for block in blocks if isinstance(block, ScoreChart)), None)


def _facts(result: moot.Result) -> dict[str, str]:
    """What a debate came to, by label; a label without a text is left out."""
    summary, brief = result.summary, result.summary.brief
    facts = {
        words: " ".join(point.text for label, point in brief.points if label == words) for words, _ in brief.points
    }
    facts["Dissent"] = "; ".join(f"{one.who}: {one.reason}" for one in brief.dissent)
    facts |= {"How firm it is": brief.firmness, "How it was reached": summary.reached}
    facts |= {"What debating changed": summary.change or "", "Flags": " ".join(flag.text for flag in summary.flags)}
    facts |= {fact.name: fact.text for fact in cost_and_failures(result)}
    return {name: text for name, text in facts.items() if text}


def _names(sides: Sequence[Side]) -> list[str]:
    """The labels of all sides, in the order of the side that has the most."""
    return list(dict.fromkeys(chain(*sorted((side.facts for side in sides), key=len, reverse=True))))


def _said(material: Material) -> list[tuple[moot.Entry, dict[str, Any]]]:
    ballots = material.run.config.protocol.get(Ballots)
    by_seq = {entry.seq: entry for entry in material.entries}
    spoken = [
        one.entry
        for one in transcript(material)
        if not one.entry.outside and (one.line.kind != "note" or one.entry.call is not None)
    ]
    return [(entry, (ballots.fields if ballots else as_logged)(entry, by_seq)) for entry in spoken]


def _cast(material: Material) -> str:
    """The names of the agents; none if the debate never began."""
    members = material.header.cast if material.header else []
    return "; ".join(map(_member, members)) or "Nobody"


def _member(one: Member) -> str:
    named = one.name if one.name == one.role else f"{one.name}, {one.role}"
    return f"{named} ({', then '.join(one.models)})"


def differing(*sides: Side) -> list[tuple[str, list[str]]]:
    """The settings that differ, by their place in the debate file. Of several protocols, only settings that all have
    are compared."""
    every = [side.settings for side in sides]
    keys = [key for key in dict.fromkeys(chain(*every)) if key != "out" and not key.startswith("moot.")]
    if len({side.protocol for side in sides}) > 1:
        keys = [key for key in keys if all(key in one for one in every)]
    return [
        (key, [one.get(key, "not set") for one in every]) for key in keys if len({one.get(key) for one in every}) > 1
    ]


def parting(one: Side, other: Side) -> Parting | None:
    """Where the debates diverge; None if they do not, or if their protocols cannot be compared. Times, models and
    random orders are ignored."""
    if one.protocol != other.protocol:
        return None
    alike = None
    for of_one, of_other in zip_longest(one.said, other.said):
        if of_one is None or of_other is None:
            return Parting(alike, of_one and of_one[0], of_other and of_other[0], [])
        (left, these), (right, those) = of_one, of_other
        said, otherwise = (
            _by_place([entry.type, entry.speaker, entry.content, [source.url for source in entry.sources]], side.names)
            for entry, side in ((left, one), (right, other))
        )
        if said != otherwise:
            return Parting(alike, left, right, [])
        if fields := _beside_the_words(these, one.names, those, other.names):
            return Parting(alike, left, right, fields)
        alike = left.seq
    return None


def _beside_the_words(
    one: Mapping[str, Any], names: Sequence[str], other: Mapping[str, Any], others: Sequence[str]
) -> list[tuple[str, str, str]]:
    """The fields of two entries that differ, such as a score."""
    differ = [
        key
        for key in dict.fromkeys([*one, *other])
        if _by_place(one.get(key), names) != _by_place(other.get(key), others)
    ]
    return [(key.replace("_", " "), _in_words(one.get(key)), _in_words(other.get(key))) for key in differ]


def _by_place(value: Any, names: Sequence[str]) -> Any:
    """A value with names replaced by places in the cast, so that two casts can be compared."""
    match value:
        case str() if names:
            pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
            return re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", lambda found: f"[agent {names.index(found[0]) + 1}]", value)
        case dict():
            return {_by_place(key, names): _by_place(inner, names) for key, inner in value.items()}
        case list():
            return [_by_place(inner, names) for inner in value]
    return value


def _in_words(value: Any) -> str:
    return "; ".join(f"{place}: {text}" if place else text for place, text in _flat(value))


def _kinship(one: Side, other: Side) -> str | None:
    """Whether one debate was forked from the other, or both from the same."""
    for child, parent in ((one, other), (other, one)):
        if child.origin and child.origin["run"] == parent.name:
            return f"{child.name} was forked from {parent.name} at entry {child.origin['at']}."
    if one.origin and other.origin and one.origin["run"] == other.origin["run"]:
        return f"Both were forked from {one.origin['run']}."
    return None


def _flat(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    match value:
        case dict() if value:
            for key, inner in value.items():
                yield from _flat(inner, f"{place}.{key}" if place else str(key))
        case list() if value and all(isinstance(one, dict) and isinstance(one.get("name"), str) for one in value):
            # People are told by their names: which place one has among those who may be chosen says nothing.
            yield place, clip(", ".join(one["name"] for one in value), LONGEST_SETTING)
            for inner in value:
                rest = {key: one for key, one in inner.items() if key != "name"}
                yield from _flat(rest, f"{place}.{inner['name']}") if rest else ()
        case list() if any(isinstance(one, dict | list) for one in value):
            for number, inner in enumerate(value, start=1):
                yield from _flat(inner, f"{place}.{number}")
        case list():
            yield place, clip(", ".join(map(str, value)), LONGEST_SETTING)
        case _:
            yield place, clip(str(value), LONGEST_SETTING)


def _plain(topic: str) -> str:
    return " ".join(topic.casefold().split()).rstrip("?!. ")
