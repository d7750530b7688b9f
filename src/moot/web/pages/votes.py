"""What readers would have decided, beside what the debate decided. Their votes are entries from outside: no agent sees
them, and no result rests on them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

import moot
from moot.engine.material import Material, gather
from moot.hosting import reader_votes
from moot.web.aside import aside
from moot.web.forms import sent
from moot.web.pages.rendering import host_of

VOTE = "reader_vote"

router = APIRouter()


@router.post("/runs/{name}/reader-votes")
async def vote(request: Request, name: str) -> Response:
    """Note what a reader would have decided, who has read how it ended."""
    host = host_of(request)
    run = host.find(name)
    form = await sent(request)
    voter, choice = form.get("voter", "").strip() or "a reader", form.get("choice", "")
    if choice not in await aside(lambda: _choices(run)):
        raise moot.ConfigError("choose one of those whom or what this debate was about")
    await host.append(name, phase=run.config.protocol.words.phases[-1], speaker=voter, type=VOTE, content=choice)
    return RedirectResponse(f"/runs/{quote(name, safe='')}#readers", 303)


async def _choices(run: moot.Run) -> list[str]:
    return choices(gather(run, await moot.result_of(run)))


@dataclass(frozen=True, slots=True)
class Readers:
    """What there is to choose from, the votes for each choice, what the debate decided, and how the two compare."""

    choices: list[str]
    counts: list[tuple[str, int]]
    decided: str | None
    compared: str


def readers(material: Material) -> Readers:
    counts = Counter(reader_votes(material.entries).values()).most_common()
    document = material.result.document()
    decided = document.get("decision" if material.result.protocol == "panel" else "winner")
    return Readers(choices(material), counts, decided, _compared(counts, decided))


def beside_the_replies(protocol: str) -> str:
    """What the page of ballots is called: in some debates nobody votes."""
    what = {"duel": "Scores", "persuasion": "Moves", "chaired": "Rulings"}.get(protocol, "Ballots")
    return f"{what} beside the replies"


def choices(material: Material) -> list[str]:
    """What could have been decided: the sides or proposals by name, or a panel's labels."""
    if material.header is None:
        return []
    brief = next((getattr(entry.data, "labels", None) for entry in material.entries if entry.type == "brief"), None)
    if brief:
        return list(brief)
    if material.result.protocol == "chaired":
        return ["promoter", "detractor"]
    sides = ("debater", "proposer", "proponent", "opponent")
    return [member.name for member in material.header.cast if member.role in sides or member.id in sides]


def _compared(counts: Sequence[tuple[str, int]], decided: str | None) -> str:
    if not counts:
        return ""
    most = [choice for choice, count in counts if count == counts[0][1]]
    if decided is None:
        return "The debate decided nothing to compare this with."
    if len(most) > 1:
        return f"Readers are divided between {', '.join(most)}; the debate decided: {decided}."
    if most[0] == decided:
        return f"Readers and the debate agree: {decided}."
    return f"Readers would have chosen {most[0]}; the debate decided: {decided}."
