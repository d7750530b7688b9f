"""The evidence quality of a proposal, by counting: no model is asked, and nothing is checked for truth.

Only what is the same in every language counts: sources that are named, figures, and quotations that were found.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel

from moot.engine.sources.citations import IN_DEBATES
from moot.protocols.arena.payloads import Convergence

LOW_QUALITY = 0.35
"""Below this, evidence is thin. A proposal with a source and a figure, or with three figures, is above it."""
SPAN = 0.3
"""How far above the convergence threshold proposals repeat each other rather than share a subject."""
WEIGHTS = {"citations": 0.5, "figures": 0.35, "quotations": 0.15}
ENOUGH_SOURCES, ENOUGH_FIGURES = 2, 3

_URL = re.compile(r"https?://[^\s<>()\[\]{}\"“”«»|\\^`]+", re.IGNORECASE)
_HOST = re.compile(r"https?://(?:www\.)?([^/?#:]+)", re.IGNORECASE)
_DOI = re.compile(r"\bdoi:\s*(10\.\S+)", re.IGNORECASE)
_NUMBERED = re.compile(r"\[(\d{1,3})\]")
_LISTED = re.compile(r"^[ \t]*\[(\d{1,3})\]:?[ \t]+\S", re.MULTILINE)
_FIGURE = re.compile(r"(?<![A-Za-z\d_.,])\d(?:[\d.,]*\d)?")
"""`A4` is a name. In scripts without spaces, a figure follows a letter."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of sources: the `numbers` of documents and public lookups (`D1`, `L2a`), the quotations that were
    found in them or in cited pages, and which addresses exist; None for those that could not be looked up."""

    numbers: Collection[str] = ()
    quoted: Collection[str] = ()
    looked_up: Mapping[str, bool | None] = field(default_factory=dict)


class Evidence(BaseModel):
    """The evidence of one proposal, each measure from 0 to 1; `quotations` is null without any. Of the `named` sources
    and quotations, `checked` were found; `absent` counts addresses that do not exist, which are no sources."""

    quality: float
    citations: float
    figures: float
    quotations: float | None
    named: int
    checked: int
    absent: int


def evidence_of(text: str, known: Known | None = None) -> Evidence:
    """The weighted mean of the measures: different sources (hosts of addresses, documents, lookups, `[1]` if the text
    lists it), out of two; different figures, out of three; the share of quotations that were found."""
    from moot.evidence import quotations

    known = known or Known()
    cited = {url: known.looked_up.get(url) for url in addresses_in(text)}
    hosts = {_host(url) for url, there in cited.items() if there is not False}
    there = {_host(url) for url, found in cited.items() if found}
    marks = {number for mark in IN_DEBATES.mark.findall(text) for number in IN_DEBATES.number.findall(mark)}
    numbers = marks.intersection(known.numbers)
    bare = IN_DEBATES.mark.sub(" ", _URL.sub(" ", text))
    listed, times = set(_LISTED.findall(bare)), Counter(_NUMBERED.findall(bare))
    others = {*_DOI.findall(bare), *(one for one in listed if times[one] > 1)}
    quotes = quotations(text)
    found = [one for one in quotes if one in known.quoted]
    measures = {
        "citations": min(1.0, len({*hosts, *numbers, *others}) / ENOUGH_SOURCES),
        "figures": min(1.0, len(set(_FIGURE.findall(_NUMBERED.sub(" ", bare)))) / ENOUGH_FIGURES),
        "quotations": len(found) / len(quotes) if quotes else None,
    }
    counted = {name: value for name, value in measures.items() if value is not None}
    whole = sum(WEIGHTS[name] * value for name, value in counted.items()) / sum(WEIGHTS[name] for name in counted)
    return Evidence(
        quality=round(whole, 4),
        citations=measures["citations"] or 0.0,
        figures=round(measures["figures"] or 0.0, 4),
        quotations=None if measures["quotations"] is None else round(measures["quotations"], 4),
        named=len({*hosts, *numbers, *others}) + len(quotes),
        checked=len(there | numbers) + len(found),
        absent=sum(one is False for one in cited.values()),
    )


def gaps_in(text: str, known: Known) -> list[str]:
    """The weaknesses of a proposal's evidence, in words."""
    found = evidence_of(text, known)
    weak = {
        "names no source": not found.citations,
        "has few figures": found.figures < 0.5,
        "quotes words that were not found": found.quotations is not None and found.quotations < 0.5,
    }
    absent = [url for url in addresses_in(text) if known.looked_up.get(url) is False]
    return [words for words, so in weak.items() if so] + [f"cites {url}, which does not exist" for url in absent]


def hollow_bar(threshold: float, quality: float) -> float | None:
    """The similarity above which a consensus with this evidence quality is hollow. It falls from well above the
    convergence threshold, for evidence that is just too thin, to the threshold itself, for no evidence. None if the
    evidence is sufficient."""
    return None if quality >= LOW_QUALITY else round(threshold + SPAN * quality / LOW_QUALITY, 4)


def concerned(found: Convergence) -> list[str]:
    """The agents with thin evidence."""
    return [name for name, quality in found.quality.items() if quality < LOW_QUALITY]


def addresses_in(text: str) -> list[str]:
    """The web addresses in a text, each once."""
    return list(dict.fromkeys(url.rstrip(".,;:!?*_") for url in _URL.findall(text)))


def _host(url: str) -> str:
    found = _HOST.match(url)
    return found[1].casefold().rstrip(".") if found else url
