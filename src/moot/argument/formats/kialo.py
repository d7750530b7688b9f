"""The text export of Kialo discussions, which is read only.

A title, then one claim a line, numbered by its place in the tree: `1. A thesis`, `1.2. Con: …` against it, `1.2.1.
Pro: …` for that. A claim can go on in further lines. `-> See 1.2.` puts a claim in a second place. A claim without Pro
or Con below another, such as a thesis below a question, has no relation to it.
"""

import re
import warnings
from collections.abc import Container
from dataclasses import dataclass

from moot.argument.formats.base import ATTACK, SUPPORT, Builder, FormatError, Loss, quoted
from moot.argument.graph import Graph

_TITLE = re.compile(r"\s*Discussion (?:Title|Name):[ \t]*([^\n]*)(?:\n|\Z)")
_CLAIM = re.compile(r"[ \t]*((?:\d{1,9}\.)+)[ \t]+(?:(Pro|Con|Thesis):[ \t]*)?(.*)", re.ASCII)
_LINK = re.compile(r"->[ \t]*See[ \t]+((?:\d{1,9}\.)*\d{1,9})\.?\s*", re.ASCII)
_SOURCES = re.compile(r"\n[ \t]*Sources:[ \t\r]*\n.*", re.DOTALL)


@dataclass
class _Claim:
    line: int
    place: str
    stance: str | None
    words: list[str]

    @property
    def text(self) -> str:
        return "\n".join(self.words).strip()

    @property
    def parent(self) -> str:
        return self.place.rpartition(".")[0]


def read(text: str) -> Graph:
    title = _TITLE.match(text)
    if not title:
        raise FormatError("the first line has to be: Discussion Title: …", 1)
    body = _SOURCES.sub("\n", text)
    claims = _claims(body, title.end())
    if not claims:
        raise FormatError("there is no claim in it: 1. …")
    graph = _graph(claims)
    if lost := _losses(title[1].strip(), claims, sources=body != text):
        warnings.warn(f"left out of the discussion: {', '.join(lost)}", Loss, stacklevel=2)
    return graph


def _graph(claims: list[_Claim]) -> Graph:
    links = {claim.place: found[1] for claim in claims if (found := _LINK.fullmatch(claim.text))}
    builder = Builder()
    for claim in claims:
        if claim.place not in links:
            builder.add(claim.place, claim.line, text=claim.text)
    for claim in claims:
        if claim.place in links:
            _follow(claim, links, builder.index)
    for claim in claims:
        source, target = (builder.index.get(links.get(place, place)) for place in (claim.place, claim.parent))
        if claim.parent and target is None:
            raise FormatError(f"there is no claim {claim.parent}. that {claim.place}. could be below", claim.line)
        if source is not None and target is not None and claim.stance in ("Pro", "Con"):
            builder.relate(SUPPORT if claim.stance == "Pro" else ATTACK, source, target)
    return builder.graph()


def _follow(claim: _Claim, links: dict[str, str], known: Container[str]) -> None:
    """Let a link, and the links that it goes through, lead to the claim at their end."""
    passed, seen = {claim.place}, links[claim.place]
    while seen in links and seen not in passed:
        passed.add(seen)
        seen = links[seen]
    if seen not in known:
        raise FormatError(f"there is no claim {links[claim.place]}. to see", claim.line)
    links.update(dict.fromkeys(passed, seen))


def _claims(text: str, start: int) -> list[_Claim]:
    claims: list[_Claim] = []
    for number, line in enumerate(text[start:].split("\n"), text.count("\n", 0, start) + 1):
        if found := _CLAIM.fullmatch(line.rstrip("\r")):
            claims.append(_Claim(number, found[1].rstrip("."), found[2], [found[3].strip()]))
        elif claims:
            claims[-1].words.append(line.strip())
        elif line.strip():
            raise FormatError(f"{quoted(line.strip())} is no claim of the form: 1. …", number)
    return claims


def _losses(title: str, claims: list[_Claim], *, sources: bool) -> list[str]:
    titled = title in ("", claims[0].text)
    return [*([] if titled else [f"the title {quoted(title)}"]), *(["the list of sources"] if sources else [])]
