"""Every ballot, score and ruling as it was counted, beside the reply that it was read from; blind where it was cast
blind, until the reader asks who is who."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

import moot
from moot.report.page import Material, Table, gather
from moot.web.aside import aside
from moot.web.pages import votes
from moot.web.pages.read import address
from moot.web.pages.rendering import host_of, page

NOT_COUNTED = ("header", "setup", "turn", "statement", "proposal", "critique", "closing", "view")
"""Entries that say something and decide nothing."""
DECIDING = ("vote", "ballot", "verdict", "decision")
"""Those that one looks for first."""
UNTOLD = ("failure", "labels", "proposals")

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Ballot:
    """What was read from a reply, field by field, what was `added` to that, and the reply as it came; `order` is what
    its labels stood for, as shown."""

    seq: int
    who: str
    what: str
    order: str
    fields: list[tuple[str, str]]
    added: list[tuple[str, str]]
    failure: str | None
    raw: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal under its number here, and whose it is."""

    number: str
    name: str
    text: str


@router.get("/runs/{name}/ballots")
async def ballots(request: Request, name: str, reveal: bool = False) -> Response:
    run = host_of(request).find(name)
    result = await aside(lambda: moot.result_of(run))
    return await asyncio.to_thread(_page, request, run, result, reveal)


def _page(request: Request, run: moot.Run, result: moot.Result, reveal: bool) -> Response:
    material = gather(run, result)
    proposals = blind_proposals(material)
    known = {one.name: one.name if reveal else one.number for one in proposals}
    return page(
        request,
        "ballots.html.jinja",
        topic=material.topic,
        here=address(run.name),
        proposals=proposals,
        ballots=counted(material, known),
        orders=both_orders(material, known),
        title=votes.beside_the_replies(result.protocol),
        reveal=reveal,
    )


def blind_proposals(material: Material) -> list[Proposal]:
    """The proposals as they were last voted on or judged, in the order in which they were shown first."""
    labels: Mapping[str, str] = next(
        (found for entry in material.entries if (found := getattr(entry.data, "labels", None)) and entry.call), {}
    )
    versions = material.result.document().get("versions") or {}
    return [
        Proposal(f"Proposal {number}", name, versions[name][-1]["proposal"])
        for number, name in enumerate(dict.fromkeys(labels.values()), start=1)
        if versions.get(name)
    ]


def counted(material: Material, known: Mapping[str, str]) -> list[Ballot]:
    """The entries that were read from a reply as choices and figures; `known` are names as they may be shown."""
    replies = {one.key: one.reply or "" for one in material.records if one.kind == "reply"}
    found = []
    for entry in material.entries:
        if entry.call not in replies or entry.data is None or entry.type in NOT_COUNTED:
            continue
        told = entry.data.model_dump(mode="json")
        raw = material.shown(entry.call, replies[entry.call])
        fields = [(key, _told(told[key], known, key)) for key in told if key not in UNTOLD]
        given = {key for key in told if _is_in(raw, key, told[key])}
        order = ", ".join(f"{label}: {known.get(name, name)}" for label, name in (told.get("labels") or {}).items())
        found.append(
            Ballot(
                seq=entry.seq,
                who=entry.speaker,
                what=entry.type,
                order=order,
                fields=[(key.replace("_", " "), text) for key, text in fields if text and key in given],
                added=[(key.replace("_", " "), text) for key, text in fields if text and key not in given],
                failure=told.get("failure"),
                raw=raw,
            )
        )
    return sorted(found, key=lambda one: one.what not in DECIDING)


def _is_in(reply: str, key: str, value: object) -> bool:
    """Whether a reply has such a field, or these very words. Rounds, sides and rules are not in it: moot knows them."""
    return f'"{key}"' in reply or (isinstance(value, str) and len(value) > 1 and value in reply)


def both_orders(material: Material, known: Mapping[str, str]) -> list[tuple[str, Table]]:
    """For each judge that read the proposals twice, what it gave each in either order, in its last judgement."""
    readings: dict[str, dict[int, Any]] = {}
    for entry in material.entries:
        number = getattr(entry.data, "reading", None)
        if number is not None:
            readings.setdefault(entry.speaker, {})[number] = entry.data
    return [
        (judge, _two_readings(both[1], both[2], known))
        for judge, both in readings.items()
        if 1 in both and 2 in both and both[1].round == both[2].round
    ]


def _two_readings(first: Any, second: Any, known: Mapping[str, str]) -> Table:
    rows = []
    places = [{name: label for label, name in one.labels.items()} for one in (first, second)]
    for name in first.labels.values():
        marks = [fmean(one.scores[name].values()) if one.scores.get(name) else None for one in (first, second)]
        told = ["none" if mark is None else f"{mark:.1f}" for mark in marks]
        moved = "" if None in marks else f"{(marks[1] or 0) - (marks[0] or 0):+.1f}"
        rows.append([known.get(name, name), places[0][name], told[0], places[1].get(name, ""), told[1], moved])
    columns = ["Proposal", "Shown first as", "Score", "Then as", "Score", "Moved"]
    return Table(columns, rows, texts=1)


def _told(value: object, known: Mapping[str, str], key: str = "") -> str:
    """A field in words, with names as they may be shown."""
    match value:
        case None | [] | {} | "":
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:g}"
        case str():
            return known.get(value, value)
        case dict():
            return "; ".join(f"{known.get(name, name)}: {_told(one, known)}" for name, one in value.items())
        case Sequence():
            return (" > " if key == "ranking" else ", ").join(_told(one, known) for one in value)
        case _:
            return str(value)
