"""Every ballot, score and ruling as it was counted, beside the reply that it was read from; blind where it was cast
blind, until the reader asks who is who."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

import moot
from moot.engine.material import Material, gather
from moot.present import Table
from moot.web.aside import aside
from moot.web.pages import votes
from moot.web.pages.read import address
from moot.web.pages.rendering import host_of, page

NOT_COUNTED = ("header", "setup", "turn", "statement", "proposal", "critique", "closing", "view")
"""Entries that say something and decide nothing."""
DECIDING = ("vote", "ballot", "verdict", "decision")
"""Those that one looks for first."""
UNTOLD = ("failure", "labels", "proposals")
UNDER_OTHER_NAMES = ("questions", "turns")
"""Fields that a reply gives by the names of agents or the numbers of turns."""

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Ballot:
    """What was read from a reply, field by field, what was `added` to that, and the reply as it came."""

    seq: int
    who: str
    what: str
    fields: list[tuple[str, str]]
    added: list[tuple[str, str]]
    failure: str | None
    raw: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal under its number here, as voters saw it: whose it is, and in which round this version was made."""

    number: str
    name: str
    round: int
    text: str


@dataclass(frozen=True, slots=True)
class Sitting:
    """The proposals as they stood after a round, and what was voted and judged about these versions in `rounds`."""

    after: int
    rounds: list[str]
    proposals: list[Proposal]
    orders: list[tuple[str, Table]]
    ballots: list[Ballot]


@router.get("/runs/{name}/ballots")
async def ballots(request: Request, name: str, reveal: bool = False) -> Response:
    run = host_of(request).find(name)
    result = await aside(lambda: moot.result_of(run))
    return await asyncio.to_thread(_page, request, run, result, reveal)


def _page(request: Request, run: moot.Run, result: moot.Result, reveal: bool) -> Response:
    material = gather(run, result)
    numbers = numbered(material)
    known = {name: name if reveal else number for name, number in numbers.items()}
    ballots = counted(material, known)
    found = sittings(material, numbers, known, ballots)
    beside = {one.seq for sitting in found for one in sitting.ballots}
    return page(
        request,
        "ballots.html.jinja",
        topic=material.topic,
        here=address(run.name),
        sittings=found,
        others=[one for one in ballots if one.seq not in beside],
        title=votes.beside_the_replies(result.protocol),
        reveal=reveal,
    )


def numbered(material: Material) -> dict[str, str]:
    """What each proposal is called here, by whose it is, in the order in which they were shown first."""
    versions = material.result.document().get("versions") or {}
    shown = dict.fromkeys(name for entry in material.entries for name in _labels(entry).values())
    return {name: f"Proposal {number}" for number, name in enumerate(filter(versions.get, shown), start=1)}


def sittings(
    material: Material, numbers: Mapping[str, str], known: Mapping[str, str], ballots: Sequence[Ballot]
) -> list[Sitting]:
    """Every set of versions that was voted on or judged, in the order of the debate; only an arena has any."""
    versions = material.result.document().get("versions") or {}
    written = {entry.seq: entry for entry in material.entries}
    about: dict[tuple[int, ...], list[moot.Entry]] = {}
    for entry in material.entries:
        if numbers and _labels(entry):
            made = [[one["seq"] for one in versions[name] if one["seq"] < entry.seq] for name in numbers]
            about.setdefault(tuple(seqs[-1] for seqs in made if seqs), []).append(entry)
    found = []
    for seqs, entries in about.items():
        proposals = [_as_shown(written[seq], numbers, list(versions)) for seq in seqs]
        rounds = dict.fromkeys(str(getattr(entry.data, "round", "")) for entry in entries)
        cast = {entry.seq for entry in entries}
        found.append(
            Sitting(
                after=max(one.round for one in proposals),
                rounds=list(rounds),
                proposals=proposals,
                orders=both_orders(entries, known),
                ballots=[one for one in ballots if one.seq in cast],
            )
        )
    return found


def _labels(entry: moot.Entry) -> Mapping[str, str]:
    """What stood under which letter for whoever answered here; empty where nothing did."""
    return getattr(entry.data, "labels", None) or {}


def _as_shown(entry: moot.Entry, numbers: Mapping[str, str], names: Sequence[str]) -> Proposal:
    """The decision and the text, with the names of those who propose covered as they were for voters and judges."""
    pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    text = re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", "[an agent]", entry.content)
    return Proposal(numbers[entry.speaker], entry.speaker, getattr(entry.data, "round", 0), text)


def counted(material: Material, known: Mapping[str, str]) -> list[Ballot]:
    """The entries that were read from a reply as choices and figures; `known` are names as they may be shown."""
    replies = {one.key: one.reply or "" for one in material.records if one.kind == "reply"}
    made = {entry.seq: getattr(entry.data, "round", None) for entry in material.entries if entry.type == "proposal"}
    found = []
    for entry in material.entries:
        if entry.call not in replies or entry.data is None or entry.type in NOT_COUNTED:
            continue
        told = entry.data.model_dump(mode="json")
        if entry.type == "challenge":
            # The questions are the reply's; what is missing was found before it.
            told |= {"gaps": {one["to"]: one["gaps"] for one in told["questions"]}}
            told |= {"questions": {one["to"]: one["question"] for one in told["questions"]}}
        raw = material.shown(entry.call, replies[entry.call])
        fields = [(key, _told(told[key], known, key)) for key in told if key not in UNTOLD]
        if round_made := made.get(entry.target_seq or 0):
            fields = [(key, f"{text}, version of round {round_made}" if key == "of" else text) for key, text in fields]
        labels = _labels(entry)
        given = {key for key in told if _is_in(raw, key, told[key], set(labels.values()))}
        order = ", ".join(f"{label}: {known.get(name, name)}" for label, name in labels.items())
        added = [("shown as", order), *((key.replace("_", " "), text) for key, text in fields if key not in given)]
        found.append(
            Ballot(
                seq=entry.seq,
                who=entry.speaker,
                what=entry.type,
                fields=[(key.replace("_", " "), text) for key, text in fields if text and key in given],
                added=[(key, text) for key, text in added if text],
                failure=told.get("failure"),
                raw=raw,
            )
        )
    return sorted(found, key=lambda one: one.what not in DECIDING)


def _is_in(reply: str, key: str, value: object, labelled: set[str]) -> bool:
    """Whether a reply has such a field, or these very words, or says it of what it knows by labels only. Rounds, sides
    and rules are not in it: moot knows them, and what it asked about."""
    if key == "of":
        return False
    if f'"{key}"' in reply or key in UNDER_OTHER_NAMES:
        return True
    if isinstance(value, str):
        return value in labelled or (len(value) > 1 and value in reply)
    return isinstance(value, list | dict) and any(name in value for name in labelled)


def both_orders(entries: Sequence[moot.Entry], known: Mapping[str, str]) -> list[tuple[str, Table]]:
    """For each judge that read the proposals twice, what it gave each in either order, in its last judgement."""
    readings: dict[str, dict[int, Any]] = {}
    for entry in entries:
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
    """A field in words, with names as they may be shown; within a field there is no `key`."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:g}"
        case str():
            return known.get(value, value)
        case dict():
            told = {name: _told(one, known) for name, one in value.items()}
            return ("; " if key else ", ").join(
                f"{known.get(name, name)}: {text}" for name, text in told.items() if text
            )
        case Sequence():
            between = "; " if any(isinstance(one, dict) for one in value) else ", "
            return (" > " if key == "ranking" else between).join(_told(one, known) for one in value)
        case _:
            return str(value)
