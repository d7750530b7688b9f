"""The evidence quality of a proposal, by counting: no model is asked, and nothing is checked for truth.

Only what is the same in every language counts: sources that are named, and figures.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel

from moot.protocols.arena.payloads import Convergence
from moot.text.citations import IN_DEBATES

LOW_QUALITY = 0.35
"""Below this, evidence is thin. A proposal with a source and a figure, or with three figures, is above it."""
SPAN = 0.3
"""How far above the convergence threshold proposals repeat each other rather than share a subject."""
OF_SOURCES, OF_FIGURES = 0.6, 0.4
ENOUGH_SOURCES, ENOUGH_FIGURES = 2, 3

_URL = re.compile(r"https?://[\w~!$&'*+,;=:@%./?#-]+", re.IGNORECASE | re.ASCII)
"""In scripts without spaces, a text goes on right after an address."""
_HOST = re.compile(r"https?://(?:www\.)?([^/?#:]+)", re.IGNORECASE)
_NUMBERED = re.compile(r"\[\d{1,3}\]")
_FIGURE = re.compile(r"(?<![A-Za-z\d_.,])\d(?:[\d.,]*\d)?")
"""`A4` is a name. In scripts without spaces, a figure follows a letter."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of sources: the `numbers` of documents and public lookups (`D1`, `L2a`), and which addresses exist;
    None for those that could not be looked up."""

    numbers: Collection[str] = ()
    looked_up: Mapping[str, bool | None] = field(default_factory=dict)


class Evidence(BaseModel):
    """The evidence of one proposal: `quality` and its two measures, from 0 to 1; the number of different `sources`
    that it names; and how many of its addresses are `absent`, that is, do not exist, and are no sources."""

    quality: float
    citations: float
    figures: float
    sources: int
    absent: int


def evidence_of(text: str, known: Known | None = None) -> Evidence:
    """The weighted mean of two measures: different sources (hosts of addresses, documents, lookups), out of two; and
    different figures, out of three."""
    known = known or Known()
    cited = {url: known.looked_up.get(url) for url in addresses_in(text)}
    hosts = {_host(url) for url, exists in cited.items() if exists is not False}
    marks = {number for mark in IN_DEBATES.mark.findall(text) for number in IN_DEBATES.number.findall(mark)}
    bare = IN_DEBATES.mark.sub(" ", _URL.sub(" ", text))
    sources = {*hosts, *marks.intersection(known.numbers)}
    citations = min(1.0, len(sources) / ENOUGH_SOURCES)
    figures = min(1.0, len(set(_FIGURE.findall(_NUMBERED.sub(" ", bare)))) / ENOUGH_FIGURES)
    return Evidence(
        quality=round(OF_SOURCES * citations + OF_FIGURES * figures, 4),
        citations=citations,
        figures=round(figures, 4),
        sources=len(sources),
        absent=sum(exists is False for exists in cited.values()),
    )


def gaps_in(text: str, known: Known) -> list[str]:
    """The weaknesses of a proposal's evidence, in words."""
    found = evidence_of(text, known)
    gaps = [] if found.sources else ["names no source"]
    if found.figures < 0.5:
        gaps.append("has few figures")
    absent = [url for url in addresses_in(text) if known.looked_up.get(url) is False]
    return gaps + [f"cites {url}, which does not exist" for url in absent]


def hollow_bar(threshold: float, quality: float) -> float | None:
    """The similarity above which a consensus with this evidence quality is hollow. It falls from well above the
    convergence threshold, for evidence that is just too thin, to the threshold itself, for no evidence. None if the
    evidence is sufficient."""
    return None if quality >= LOW_QUALITY else round(threshold + SPAN * quality / LOW_QUALITY, 4)


def thin_evidence_in(found: Convergence) -> list[str]:
    """The agents with thin evidence."""
    return [name for name, quality in found.quality.items() if quality < LOW_QUALITY]


def addresses_in(text: str) -> list[str]:
    """The web addresses in a text, each once."""
    return list(dict.fromkeys(url.rstrip(".,;:!?*_") for url in _URL.findall(text)))


def _host(url: str) -> str:
    found = _HOST.match(url)
    return found[1].casefold().rstrip(".") if found else url
