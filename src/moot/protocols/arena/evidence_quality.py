"""The evidence quality of a proposal, by counting: no model is asked, and nothing is checked for truth.

A mark alone is no evidence: a bracketed number is a source only if the text lists it, a figure counts only if it
measures something, and vague words reduce the score. Counts of English words, and of names by their capitals, are left
out for texts of other languages.
"""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from pydantic import BaseModel

from moot.protocols.arena.payloads import Convergence
from moot.text.language import language_of, word_count
from moot.text.sentences import sentences

LOW_QUALITY = 0.35
"""Below this, evidence is thin. A proposal with a source, a figure or two and its reasons given is above it."""
SPAN = 0.3
"""How far above the convergence threshold proposals repeat each other rather than share a subject."""
WEIGHTS = {
    "citations": 0.25,
    "specificity": 0.25,
    "diversity": 0.1,
    "reasoning": 0.2,
    "examples": 0.1,
    "quotations": 0.1,
}
FEWEST_WORDS = 40
"""Shorter texts get a reduced score."""

_ADDRESS = re.compile(r"(?:https?://|www\.)([\w.-]+)|\bdoi:\s*(10\.\S+)", re.IGNORECASE)
_NUMBERED = re.compile(r"\[(\d{1,3})\]")
_LISTED = re.compile(r"^[ \t]*\[?(\d{1,3})[\].:][ \t]+\S+[ \t]+\S", re.MULTILINE)
_AUTHOR = re.compile(r"(?<![\w’'-])([A-Z][\w’'-]+)(?: et al\.?| (?:and|&) [A-Z][\w’'-]+)?,? \(?((?:19|20)\d\d)\b")
_ATTRIBUTED = re.compile(
    r"\b(?:according to|reported by|as shown by|published by|data (?:from|of)|study (?:by|of)|survey (?:by|of))"
    r" (?:the |a |an )?([^\W\d][\w-]*)",
    re.IGNORECASE,
)
_NOBODY = re.compile(
    r"experts?|stud(?:y|ies)|research(?:ers)?|analysts?|data|surveys?|reports?|sources?|evidence|statistics|scien(?:ce|tists)"
    r"|people|many|most|some|several|every(?:one|body)|all|them|it|this|that|me|us|you",
    re.IGNORECASE,
)
"""Authorities without a name."""
_NO_AUTHOR = re.compile(
    r"january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter"
    r"|in|since|by|until|before|after|from|during|around|about|between|of|the|and|as|on|for|early|late|mid|q[1-4]|years?",
    re.IGNORECASE,
)
"""Words before a year that are no authors."""
_URL = re.compile(r"https?://[^\s<>()\[\]{}\"“”«»|\\^`]+", re.IGNORECASE)
_FIGURE = re.compile(r"(?<![\w\[])[$€£]?\d[\d.,]*(?:\s?%|\s?[A-Za-zµ°]+)?(?![\w\]])")
_NAME = re.compile(r"(?<=[\w,;:] )[A-Z][\w’'-]*[A-Za-z]")
_CONNECTIVE = re.compile(
    r"\b(?:because|since|therefore|thus|hence|so that|which means|as a result|consequently|given that|unless|although"
    r"|however|if|whereas|otherwise|for this reason)\b",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"\b(?:for example|for instance|such as|e\.g\.|in one case|when we|last (?:year|month|week))", re.IGNORECASE
)
_QUOTED = re.compile(r"[\"“«]([^\"”»]{15,})[\"”»]")
_VAGUE = re.compile(
    r"\b(?:nice|good|great|better|best|modern|robust|seamless|clear(?:ly)?|obvious(?:ly)?|everyone|everybody|all agree"
    r"|a lot|lots of|many|various|several|things?|stuff|somehow|significant(?:ly)?|improve things|right way|of course"
    r"|generally|probably|might|could be|some(?:what)?|very|really|important)\b",
    re.IGNORECASE,
)


class Evidence(BaseModel):
    """The evidence of one proposal, each measure from 0 to 1, null where it does not count. `vagueness` removes up to
    half of the quality. Of the `named` sources and quotations, `checked` were found in the context or on the web;
    `absent` counts addresses that do not exist, which are no sources."""

    quality: float
    citations: float
    specificity: float | None
    diversity: float
    reasoning: float | None
    examples: float | None
    quotations: float | None
    vagueness: float
    named: int
    checked: int
    absent: int


def quality_of(text: str, handed: Sequence[str] = (), absent: Sequence[str] = ()) -> float:
    return evidence_of(text, handed, dict.fromkeys(absent, False)).quality


def evidence_of(
    text: str, handed: Sequence[str] = (), looked_up: Mapping[str, bool | None] = MappingProxyType({})
) -> Evidence:
    """The weighted mean of the measures, reduced for vague words and for very short texts. `looked_up` says which
    addresses exist."""
    cited = addresses_in(text)
    absent = [url for url in cited if looked_up.get(url) is False]
    there = {_host(url) for url in cited if looked_up.get(url)}
    text = _without(text, absent)
    parts = measures(text, handed)
    length = min(1.0, word_count(text) / FEWEST_WORDS)
    known = {name: value for name, value in parts.items() if value is not None}
    whole = sum(WEIGHTS[name] * value for name, value in known.items()) / sum(WEIGHTS[name] for name in known)
    vague = vagueness(text)
    sources, quotes = set(_sources(text)), _quotes(text)
    found = sum(one in there or any(one in _plain(each) for each in handed) for one in (*sources, *quotes))
    quality = round(whole * length * (1 - vague / 2), 4)
    rounded = {name: None if value is None else round(value, 4) for name, value in parts.items()}
    figures = {
        "quality": quality,
        "vagueness": round(vague, 4),
        "named": len(sources) + len(quotes),
        "checked": found,
        "absent": len(absent),
    }
    return Evidence.model_validate({**figures, **rounded})


def measures(text: str, handed: Sequence[str] = ()) -> dict[str, float | None]:
    english = language_of(text) != "other"
    return {
        "citations": citations(text),
        "specificity": specificity(text) if english else None,
        "diversity": diversity(text),
        "reasoning": reasoning(text) if english else None,
        "examples": examples(text) if english else None,
        "quotations": quotations(text, handed),
    }


def citations(text: str) -> float:
    """Named sources (addresses, author and year, “according to …”, `[1]` if the text lists it), out of two."""
    return min(1.0, len(_sources(text)) / 2)


def specificity(text: str) -> float:
    """Sentences with a figure or a name inside, relative to half of all sentences. A mark such as `[1]` is no
    figure."""
    said = _sentences(text)
    exact = sum(bool(_FIGURE.search(one) or _NAME.search(one)) for one in said)
    return min(1.0, exact / max(1.0, len(said) / 2))


def diversity(text: str) -> float:
    """Different sources (hosts, authors, organisations), out of two."""
    return min(1.0, len(set(_sources(text))) / 2)


def reasoning(text: str) -> float:
    """Words that give a reason, a condition or a limit, relative to one in every two sentences."""
    return min(1.0, len(_CONNECTIVE.findall(text)) / max(1.0, len(_sentences(text)) / 2))


def examples(text: str) -> float:
    """Whether there is an example."""
    return min(1.0, float(len(_EXAMPLE.findall(text))))


def quotations(text: str, handed: Sequence[str]) -> float | None:
    """The share of quotations that occur, word for word, in the context; None without quotations."""
    quotes = _quotes(text)
    return sum(any(one in _plain(each) for each in handed) for one in quotes) / len(quotes) if quotes else None


def vagueness(text: str) -> float:
    """Vague words per sentence, at most 1; only English ones are known."""
    if language_of(text) == "other":
        return 0.0
    return min(1.0, len(_VAGUE.findall(text)) / max(1, len(_sentences(text))))


def gaps_in(text: str, handed: Sequence[str] = (), absent: Sequence[str] = ()) -> list[str]:
    """The weaknesses of a proposal's evidence, in words. `absent` are addresses that do not exist."""
    missing = [f"cites {url}, which does not exist" for url in addresses_in(text) if url in absent]
    text = _without(text, absent)
    said = {
        "citations": "names no source, or only one",
        "specificity": "has few figures and names",
        "diversity": "has its sources from one place",
        "reasoning": "gives few reasons and conditions",
    }
    found = measures(text, handed)
    vague = ["is worded vaguely"] if vagueness(text) > 0.5 else []
    if (found["citations"] or 0) < 0.5:  # whoever has one source at most has it from one place
        del said["diversity"]
    thin = [words for name, words in said.items() if (value := found[name]) is not None and value < 0.5]
    return thin + vague + missing


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


def quotes_in(text: str) -> list[str]:
    return list(_QUOTED.findall(text))


def _sources(text: str) -> list[str]:
    listed = set(_LISTED.findall(text))
    found = [host or doi for host, doi in _ADDRESS.findall(text)]
    found += [f"[{number}]" for number in _NUMBERED.findall(text) if number in listed]
    found += [author for author, _ in _AUTHOR.findall(text) if not _NO_AUTHOR.fullmatch(author)]
    found += [one for one in _ATTRIBUTED.findall(text) if not _NOBODY.fullmatch(one)]
    return [_bare(one) for one in found]


def _host(url: str) -> str:
    found = _ADDRESS.match(url)
    return _bare(found[1] or "") if found else ""


def _bare(source: str) -> str:
    return source.casefold().removeprefix("www.").rstrip(".")


def _without(text: str, absent: Sequence[str]) -> str:
    """The text without these addresses."""
    return _URL.sub(lambda found: "" if found[0].rstrip(".,;:!?*_") in absent else found[0], text)


def _quotes(text: str) -> list[str]:
    return [_plain(one) for one in quotes_in(text)]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _sentences(text: str) -> list[str]:
    return [one.text for one in sentences(text) if re.search(r"\w", one.text)]
