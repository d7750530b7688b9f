"""How well a proposal is evidenced, by count: no model is asked, and nothing is checked for being true."""

import re

from moot.protocols.arena.payloads import Convergence

LOW_QUALITY = 0.35
"""Below this, evidence is thin. A proposal with a source, a figure or two and its reasons given is above it."""
SPAN = 0.3
"""How far above the convergence threshold proposals repeat each other rather than speak of the same thing."""
WEIGHTS = {"citations": 0.3, "specificity": 0.3, "diversity": 0.15, "reasoning": 0.25}

_ADDRESS = re.compile(r"(?:https?://|www\.)([\w.-]+)|\bdoi:\s*(10\.\S+)", re.IGNORECASE)
_NUMBERED = re.compile(r"\[(\d{1,3})\]")
_AUTHOR = re.compile(r"(?<![\w’'-])([A-Z][\w’'-]+)(?: et al\.?| (?:and|&) [A-Z][\w’'-]+)?,? \(?((?:19|20)\d\d)\b")
_ATTRIBUTED = re.compile(
    r"\b(?:according to|reported by|as shown by|published by|data (?:from|of)|study (?:by|of)|survey (?:by|of))"
    r" (?:the |a |an )?([\w-]+)",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d")
_NAME = re.compile(r"(?<=[\w,;:] )[A-Z][\w’'-]*[A-Za-z]")
_CONNECTIVE = re.compile(
    r"\b(?:because|since|therefore|thus|hence|so that|which means|as a result|consequently|given that|unless|although"
    r"|however|if|whereas|otherwise|for this reason)\b",
    re.IGNORECASE,
)


def quality_of(text: str) -> float:
    """From 0 to 1: the weighted mean of the four measures."""
    parts = measures(text)
    return round(sum(WEIGHTS[name] * value for name, value in parts.items()), 4)


def measures(text: str) -> dict[str, float]:
    return {
        "citations": citations(text),
        "specificity": specificity(text),
        "diversity": diversity(text),
        "reasoning": reasoning(text),
    }


def citations(text: str) -> float:
    """Sources named (addresses, `[1]`, author and year, “according to …”), of two wanted."""
    return min(1.0, len(_sources(text)) / 2)


def specificity(text: str) -> float:
    """Sentences with a figure, or with a name inside them, of half the sentences wanted."""
    sentences = _sentences(text)
    exact = sum(bool(_FIGURE.search(one) or _NAME.search(one)) for one in sentences)
    return min(1.0, exact / max(1.0, len(sentences) / 2))


def diversity(text: str) -> float:
    """Different sources (hosts, authors, bodies), of two wanted: one source cited twice is one."""
    return min(1.0, len(set(_sources(text))) / 2)


def reasoning(text: str) -> float:
    """Words that give a reason, a condition or a limit, of one for every two sentences wanted."""
    return min(1.0, len(_CONNECTIVE.findall(text)) / max(1.0, len(_sentences(text)) / 2))


def gaps_in(text: str) -> list[str]:
    """What is thin about a proposal, in words."""
    said = {
        "citations": "names no source, or only one",
        "specificity": "has few figures and names",
        "diversity": "rests on a single source at most",
        "reasoning": "gives few reasons and conditions",
    }
    return [words for name, words in said.items() if measures(text)[name] < 0.5]


def hollow_bar(threshold: float, quality: float) -> float | None:
    """The similarity from which a consensus on such evidence is hollow: where proposals repeat each other for evidence
    that is just too thin, sliding down to the convergence threshold for none at all. None where the evidence will
    do."""
    return None if quality >= LOW_QUALITY else round(threshold + SPAN * quality / LOW_QUALITY, 4)


def concerned(found: Convergence) -> list[str]:
    """The agents whose proposals are thinly evidenced."""
    return [name for name, quality in found.quality.items() if quality < LOW_QUALITY]


def _sources(text: str) -> list[str]:
    found = [host or doi for host, doi in _ADDRESS.findall(text)]
    found += [f"[{number}]" for number in _NUMBERED.findall(text)]
    found += [author for author, _ in _AUTHOR.findall(text)]
    found += _ATTRIBUTED.findall(text)
    return [one.casefold().removeprefix("www.").rstrip(".") for one in found]


def _sentences(text: str) -> list[str]:
    return [one for one in re.split(r"(?<=[.!?])\s+|\n+", text) if re.search(r"\w", one)]
