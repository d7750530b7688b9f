"""Two debates side by side: the questions, the settings that differ, the results, and where they diverge."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import Response

import moot
from moot.engine.outcome.material import Material, Spoken, gather, transcript
from moot.record.payloads import Member
from moot.record.stores.base import CONFIG
from moot.service.shelf import RUNNING, UNREADABLE
from moot.text import clip
from moot.text.yaml import parse_yaml
from moot.web.pages.read import address, cost_and_failures
from moot.web.pages.rendering import host_of, page
from moot.web.threads import run_in_thread

OFFERED = 50
LONGEST_SETTING = 300

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Side:
    """One of the debates. `lines` are the entries that say or decide something; cast and settings are compared
    separately."""

    name: str
    here: str
    topic: str
    protocol: str
    headline: str
    facts: dict[str, str]
    cast: str
    names: list[str]
    settings: dict[str, str]
    forked: str
    lines: list[Spoken]


@dataclass(frozen=True, slots=True)
class Parting:
    """The first statement or decision in which two debates differ; None for a debate that had ended by then. `alike` is
    the last common entry."""

    alike: int | None
    one: moot.Entry | None
    other: moot.Entry | None


@router.get("/compare")
async def compare(request: Request, a: str = "", b: str = "", query: str = "") -> Response:
    """Two debates; with fewer, a form to choose the next one."""
    names = [name for name in (a, b) if name]
    if len(names) < 2:
        return await _picker(request, names, query)
    host = host_of(request)
    sides = [await run_in_thread(partial(_side, await host.found(name))) for name in names]
    labels = list(dict.fromkeys(label for side in sides for label in side.facts))
    return page(
        request,
        "compare.html.jinja",
        sides=sides,
        same_question=_plain(sides[0].topic) == _plain(sides[1].topic),
        facts=[(label, [side.facts.get(label, "–") for side in sides]) for label in labels],
        settings=_differing(*sides),
        parting=await asyncio.to_thread(_parting, *sides),
        swapped=address_of([*reversed(names)]),
    )


def address_of(names: Sequence[str]) -> str:
    """The address of the page that compares these runs."""
    return f"/compare?{urlencode(dict(zip('ab', names, strict=False)))}"


async def _picker(request: Request, names: Sequence[str], query: str) -> Response:
    """A form to choose the next debate: those on the same question as the first come first."""
    cards = await asyncio.to_thread(host_of(request).shelf.cards)
    chosen = next((card for card in cards if card.name in names), None)
    if names and chosen is None:
        await host_of(request).found(names[0])
    found = await asyncio.to_thread(partial(host_of(request).shelf.search, query, among=cards))
    offered = [card for card in found if card.name not in names and card.status not in (RUNNING, UNREADABLE)]
    if chosen:
        offered.sort(key=lambda card: _plain(card.topic) != _plain(chosen.topic))
    return page(
        request,
        "compare_pick.html.jinja",
        chosen=chosen,
        names=names,
        offered=[(card, address_of([*names, card.name])) for card in offered[:OFFERED]],
        query=query,
    )


async def _side(run: moot.Run) -> Side:
    result = await moot.result_of(run)
    material = gather(run, result)
    cast = material.header.cast if material.header else []
    origin = material.origin
    return Side(
        name=run.name,
        here=address(run.name),
        topic=material.topic,
        protocol=result.protocol,
        headline=result.summary.headline,
        facts=_facts(result),
        cast="; ".join(map(_member, cast)) or "Nobody",
        names=[member.name for member in cast],
        settings=dict(_flat(parse_yaml(run.config.frozen().encode(), CONFIG))),
        forked=f"{run.name} was forked from {origin['run']} at entry {origin['at']}." if origin else "",
        lines=_lines(material),
    )


def _member(member: Member) -> str:
    named = member.name if member.name == member.role else f"{member.name}, {member.role}"
    return f"{named} ({', then '.join(member.models)})"


def _facts(result: moot.Result) -> dict[str, str]:
    """What a debate came to, by label; a label without a text is left out."""
    summary, brief = result.summary, result.summary.brief
    facts = {
        words: " ".join(point.text for label, point in brief.points if label == words) for words, _ in brief.points
    }
    facts["Dissent"] = "; ".join(f"{dissent.who}: {dissent.reason}" for dissent in brief.dissent)
    facts |= {"How firm it is": brief.firmness, "How it was reached": summary.reached}
    facts |= {"What debating changed": summary.change or "", "Flags": " ".join(flag.text for flag in summary.flags)}
    facts |= {label: text for label, text, _ in cost_and_failures(result)}
    return {name: text for name, text in facts.items() if text}


def _lines(material: Material) -> list[Spoken]:
    return [spoken for spoken in transcript(material) if spoken.line.kind != "note"]


def _differing(*sides: Side) -> list[tuple[str, list[str]]]:
    """The settings that differ, by their place in the debate file. Of two protocols, only settings that both have are
    compared."""
    every = [side.settings for side in sides]
    keys = [key for key in dict.fromkeys(key for side_settings in every for key in side_settings) if key != "out"]
    if sides[0].protocol != sides[1].protocol:
        keys = [key for key in keys if all(key in side_settings for side_settings in every)]
    values = {
        key: [side_settings.get(key, "not set") for side_settings in every]
        for key in keys
        if not key.startswith("moot.")
    }
    return [(key, both) for key, both in values.items() if both[0] != both[1]]


def _parting(side: Side, other: Side) -> Parting | None:
    """Where the debates diverge; None if they do not, or if their protocols cannot be compared. Times, models and
    random orders are ignored."""
    if side.protocol != other.protocol:
        return None
    alike = None
    for left, right in zip_longest(_said(side), _said(other)):
        if left is None or right is None or left[1] != right[1]:
            return Parting(alike, left and left[0], right and right[0])
        alike = left[0].seq
    return None


def _said(side: Side) -> Iterator[tuple[moot.Entry, tuple[str, str, str]]]:
    """What was said, with names replaced by places in the cast, so that two casts can be compared."""
    for line in side.lines:
        entry = line.entry
        if not entry.outside:
            text = entry.content if line.line.text is None else line.line.text
            shown = f"{line.line.badge}\n{text}\n{line.line.body}"
            yield entry, (entry.type, _by_place(entry.speaker, side.names), _by_place(shown, side.names))


def _by_place(text: str, names: Sequence[str]) -> str:
    if not names:
        return text
    pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", lambda found: f"[agent {names.index(found[0]) + 1}]", text)


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
