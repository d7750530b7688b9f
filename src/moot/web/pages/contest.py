"""Contesting a verdict: strike arguments or relations, on the map or in the table, and see whether it moves.

What is struck stands in the address. No model is asked, and the run stays as it is.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from markupsafe import Markup, escape

import moot
from moot.argument import formats
from moot.argument.draw import draw
from moot.argument.formats.base import relations
from moot.argument.graph import Graph
from moot.web.aside import aside
from moot.web.pages.read import address, cast_of, unstyled
from moot.web.pages.rendering import host_of, page

PARTS = {"PRO": "proponent", "OPP": "opponent"}
UNDECIDED = "The moderator would have to decide"
MOST_STRUCK = 500

router = APIRouter()
_LINKED = re.compile(r'<a href="#strike-(\d+)">')
_LINE = re.compile(r'<path class="(am-(?:attack|undercut|support))" d="([^"]+)">(<title>[^<]*</title>)</path>')


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument with its score as it was and, unless it is struck, as it is now."""

    id: str
    content: str
    side: str
    struck: bool
    before: str
    after: str
    moved: bool


@dataclass(frozen=True, slots=True)
class Relation:
    id: str
    words: str
    struck: bool


@router.get("/runs/{name}/contest")
async def contest(request: Request, name: str, strike: Annotated[list[str] | None, Query()] = None) -> Response:
    run = host_of(request).find(name)
    struck = sorted({one for many in strike or () for one in many.split(",") if one})[:MOST_STRUCK]
    values = await aside(lambda: _contested(run, struck))
    return page(request, "contest.html.jinja", here=address(name), **values)


async def _contested(run: moot.Run, struck: Sequence[str]) -> dict[str, Any]:
    result = await moot.result_of(run)
    framework = getattr(result.outcome, "framework", None)
    if framework is None or not framework.arguments:
        raise moot.ConfigError("there are no arguments to contest here: only a persuasion dialogue has a framework")
    graph = formats.read(await moot.export(run, "graph"), "json")
    return {"topic": getattr(result.outcome, "topic", run.name), **_values(run, framework, graph, struck)}


def _values(run: moot.Run, framework: Any, graph: Graph, struck: Sequence[str]) -> dict[str, Any]:
    contested = moot.contest(run, reject=struck) if struck else None
    before = {one.id: one.score for one in framework.arguments}
    after = dict(before)
    if contested:
        now = contested.contest.after
        after = {name: now[name] for name in now.graph.names}
    people = _people(run)
    sides = {one.id: people[one.side] for one in framework.arguments}
    arguments = [
        Argument(
            id=one.id,
            content=one.content,
            side=sides[one.id],
            struck=one.id in struck,
            before=_score(one.score),
            after=_score(after[one.id]) if one.id in after else "gone",
            moved=one.id not in after or _score(after[one.id]) != _score(one.score),
        )
        for one in framework.arguments
    ]
    found = [
        Relation(f"{one.source}:{one.target}", f"{one.source} {_VERBS[one.kind]} {one.target}", False)
        for one in framework.relations
    ]
    return {
        "arguments": arguments,
        "relations": [Relation(one.id, one.words, one.id in struck) for one in found],
        "picture": drawn(graph, after, sides, struck),
        "struck": struck,
        "verdict": _wins(people, contested.before if contested else framework.winner),
        "now": _wins(people, contested.after) if contested else None,
        "moved": contested.moved if contested else False,
        "summary": contested.summary.split("\n") if contested else [],
        "given_up": contested.given_up if contested else None,
    }


def _people(run: moot.Run) -> dict[str, str]:
    """Who argues for each side."""
    names = cast_of(run)
    return {side: names.get(part, part) for side, part in PARTS.items()}


def _wins(people: Mapping[str, str], side: str | None) -> str:
    return UNDECIDED if side is None else f"{people[side]} wins"


_VERBS = {"support": "supports", "rebut": "rebuts", "undercut": "undercuts"}


def drawn(graph: Graph, scores: Mapping[str, float | None], sides: Mapping[str, str], struck: Sequence[str]) -> Markup:
    """The map as it was, with the scores of now: each argument and each relation is a link that strikes it or puts it
    back, and what is struck looks so."""
    names = list(graph.names)
    picture = draw(graph, scores, sides, {name: f"#strike-{number}" for number, name in enumerate(names)})
    edges = iter(relations(graph))

    def argument(match: re.Match[str]) -> str:
        name = names[int(match[1])]
        return _link(name, name, name in struck, struck, "")

    def line(match: re.Match[str]) -> str:
        source, target, kind = next(edges)
        name = f"{names[source]}:{names[target]}"
        words = f"the {kind} of {names[source]} on {names[target]}"
        gone = name in struck or names[source] in struck or names[target] in struck
        # A line is thin: a broad one that nobody sees is there to be met.
        hit = f'<path class="am-hit" d="{match[2]}"/>'
        path = f'<path class="{match[1]}" d="{match[2]}">{match[3]}</path>'
        return f"{_link(name, words, gone, struck, ' edge')}{hit}{path}</a>"

    return unstyled(_LINE.sub(line, _LINKED.sub(argument, picture)))


def _link(one: str, words: str, gone: bool, struck: Sequence[str], kind: str) -> str:
    others = [name for name in struck if name != one]
    toggled = others if one in struck else [*others, one]
    label = f"Put {words} back" if one in struck else f"Strike {words}"
    href = f"?{urlencode({'strike': sorted(toggled)}, doseq=True)}#moved"
    look = f"strike{kind}{' struck' if gone else ''}"
    return f'<a class="{look}" href="{escape(href)}" aria-label="{escape(label)}">'


def _score(score: float | None) -> str:
    return "not settled" if score is None else f"{score:.3f}"
