"""Contesting a verdict: strike arguments or relations, on the map or in the table, and see whether it changes. The
edits are in the address. No model is asked, and the run is not changed."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from markupsafe import Markup, escape

import moot
from moot.plugins.features import MissingFeature
from moot.text.prose import plural, sentence
from moot.web.pages.read import address
from moot.web.pages.rendering import host_of, installed, page, unstyled

if TYPE_CHECKING:
    from moot.argument.contesting import Contested
    from moot.argument.graph import Graph

MOST_STRUCK = 500
VERBS = {"support": "supports", "undercut": "undercuts", "attack": "attacks"}

router = APIRouter()
_LINKED = re.compile(r'<a href="#strike-(\d+)">')
_LINE = re.compile(
    r'<path class="(am-(?:attack|undercut|support))" d="([^"]+)" data-ends="[^"]*">(<title>[^<]*</title>)</path>'
)


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument with its score before and, unless it is struck, after the edits."""

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
    if not installed("argument"):
        raise MissingFeature("contesting a verdict", "argument")
    run = await host_of(request).found(name)
    struck = sorted({name for many in strike or () for name in many.split(",") if name})[:MOST_STRUCK]
    values = await asyncio.to_thread(_contested, run, struck)
    return page(request, "contest.html.jinja", here=address(name), **values)


def _contested(run: moot.Run, struck: Sequence[str]) -> dict[str, Any]:
    from moot.argument.contesting import contestable, relation_name
    from moot.argument.gradual import scores

    found = contestable(run)
    contested = moot.contest(run, reject=struck) if struck else None
    own = contested.contest.before if contested else scores(found.graph)
    now = contested.contest.after if contested else own
    before = {name: own[name] for name in found.graph.names}
    texts = dict(zip(found.graph.names, found.graph.texts, strict=True))
    after = {name: now[name] for name in now.graph.names}
    arguments = [
        Argument(
            id=name,
            content=texts[name],
            side=found.sides.get(name, ""),
            struck=name in struck,
            before=_score(score),
            after=_score(after[name]) if name in after else "gone",
            moved=name not in after or _score(after[name]) != _score(score),
        )
        for name, score in before.items()
    ]
    names, every = found.graph.names, found.graph.relations()
    pairs = [(names[source], kind, names[target]) for source, target, kind in every]
    return {
        "topic": run.config.topic,
        "arguments": arguments,
        "relations": [
            Relation(name, f"{source} {VERBS.get(kind, kind)} {target}", name in struck)
            for source, kind, target in pairs
            for name in [relation_name(found.graph, source, target, kind)]
        ],
        "picture": drawn(found.graph, after, found.sides, struck, now.graph),
        "struck": struck,
        "decided": bool(found.words),
        "verdict": _headline(found.words[found.after(())[1]]) if found.words else "These arguments did not decide it",
        "now": _now(contested, found.words) if contested else None,
        "given_up": found.given_up,
        "moved": contested.moved if contested else False,
        "summary": contested.sentences() if contested else [],
    }


def _now(contested: "Contested", words: Mapping[str | None, str]) -> str:
    """What is different now: the verdict or, of a graph that decides nothing, how many scores."""
    if words:
        return _headline(words[contested.after])
    left = [change for change in contested.contest.changes if change.before and change.after]
    return (
        f"{plural(len(left), 'argument')} {'stands' if len(left) == 1 else 'stand'} otherwise"
        if left
        else "No score moves"
    )


def _headline(words: str) -> str:
    return sentence(words).removesuffix(".")


def drawn(
    graph: "Graph",
    scores: Mapping[str, float | None],
    sides: Mapping[str, str],
    struck: Sequence[str],
    left: "Graph",
) -> Markup:
    """The map with the new scores: each argument and each relation is a link that strikes or restores it. What is not
    `left`, struck or gone with it, is crossed out."""
    from moot.argument.contesting import relation_name
    from moot.argument.drawing import draw

    names = list(graph.names)
    picture = draw(graph, scores, sides, {name: f"#strike-{number}" for number, name in enumerate(names)})
    edges = iter(graph.relations())
    related = {(left.names[source], left.names[target], kind) for source, target, kind in left.relations()}

    def argument(match: re.Match[str]) -> str:
        name = names[int(match[1])]
        return _link(name, name, name not in left.index, struck, "")

    def line(match: re.Match[str]) -> str:
        source, target, kind = next(edges)
        name = relation_name(graph, names[source], names[target], kind)
        words = f"the {kind} of {names[source]} on {names[target]}"
        gone = (names[source], names[target], kind) not in related
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
