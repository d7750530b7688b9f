"""All ballots, scores and rulings as they were counted, next to the replies they were read from."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response

import moot
from moot.engine.define.capabilities import Ballots
from moot.engine.outcome.material import Material, gather
from moot.web.pages.read import address
from moot.web.pages.rendering import host_of, page
from moot.web.threads import aside

SUBJECT = "of"
"""The field that says what an answer is about; moot knows that without the reply."""

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Ballot:
    """The fields that were read from a reply, the fields that were `added`, and the raw reply."""

    seq: int
    who: str
    what: str
    fields: list[tuple[str, str]]
    added: list[tuple[str, str]]
    failure: str | None
    raw: str


@router.get("/runs/{name}/ballots")
async def ballots(request: Request, name: str) -> Response:
    run = await host_of(request).found(name)
    shown = run.config.protocol.get(Ballots)
    if shown is None:
        raise HTTPException(404, "nothing in this debate was read from a reply as a choice or a figure")
    result = await aside(lambda: moot.result_of(run))
    return await asyncio.to_thread(_page, request, gather(run, result), shown)


def _page(request: Request, material: Material, shown: Ballots) -> Response:
    return page(
        request,
        "ballots.html.jinja",
        topic=material.topic,
        here=address(material.run.name),
        ballots=counted(material, shown),
        title=f"{shown.title} beside the replies",
    )


def counted(material: Material, shown: Ballots) -> list[Ballot]:
    """The entries with choices or figures that were read from a reply."""
    replies = {one.key: one.reply or "" for one in material.records if one.kind == "reply"}
    by_seq = {entry.seq: entry for entry in material.entries}
    found = []
    for entry in material.entries:
        if entry.call not in replies or entry.type not in shown.types or entry.outside:
            continue
        told = shown.fields(entry, by_seq)
        failure = told.pop("failure", None)
        raw = material.shown(entry.call, replies[entry.call])
        given = {key for key in told if key in shown.renamed or _is_in(raw, key, told[key])}
        fields = [(key, _told(value, key)) for key, value in told.items()]
        added = [(key.replace("_", " "), text) for key, text in fields if key not in given]
        found.append(
            Ballot(
                seq=entry.seq,
                who=entry.speaker,
                what=entry.type,
                fields=[(key.replace("_", " "), text) for key, text in fields if text and key in given],
                added=[(key, text) for key, text in added if text],
                failure=failure,
                raw=raw,
            )
        )
    return sorted(found, key=lambda one: one.what not in shown.first)


def _is_in(reply: str, key: str, value: object) -> bool:
    """Whether a field comes from the reply: by its name, or by its words. Rounds, sides and rules do not."""
    if key == SUBJECT:
        return False
    return f'"{key}"' in reply or (isinstance(value, str) and len(value) > 1 and value in reply)


def _told(value: object, key: str = "") -> str:
    """A field in words; parts of a field have no `key`."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:g}"
        case str():
            return value
        case dict():
            told = {name: _told(one) for name, one in value.items()}
            return ("; " if key else ", ").join(f"{name}: {text}" for name, text in told.items() if text)
        case Sequence():
            between = "; " if any(isinstance(one, dict) for one in value) else ", "
            return (" > " if key == "ranking" else between).join(_told(one) for one in value)
        case _:
            return str(value)
