"""What becomes of a sentence that cites a source.

A model's word alone confirms or contradicts nothing: the passage that it quotes must be in the page. What the passage
means is for the model to say: code never overrules a passage that was found.
"""

from typing import Annotated, Literal

from pydantic import Field

from moot.evidence.corpus import Document
from moot.evidence.pages import Page, Unfetched
from moot.present.data import Data
from moot.text.quotations import SHORTEST_QUOTE, Found, Said, find_quote, wanted_signs, width_of

Status = Literal["confirmed", "contradicted", "not_there", "unjudged", "fabricated"]
RULED: tuple[Status, ...] = ("contradicted", "not_there")
"""What goes against whoever cites the page, so that a model is asked a second time before it counts."""
Answer = Literal["supports", "partly", "contradicts", "says_nothing"]


class Judgement(Data):
    """A model's judgement of a page and a sentence. `quote` is the verbatim passage it is based on; it may be empty
    only if the page is silent. The answer follows its reasons."""

    quote: Annotated[str, Field(max_length=2000)]
    explanation: Annotated[str, Field(min_length=1, max_length=2000)]
    supports: Answer
    confidence: Annotated[float, Field(ge=0, le=1)]


class Finding(Data):
    """`confidence` is the model's own, and None if code alone decided. `quote` is in the page, or empty. `answer` is
    the answer of the model."""

    url: str
    status: Status
    confidence: float | None
    quote: str
    explanation: str
    answer: Answer | None = None


def decide(
    source: Page | Document | Unfetched, judgement: Judgement | None, shown: str = "", *, whole: bool = True
) -> Finding:
    """What becomes of a sentence that cites this source. `judgement` is None if there was nothing to judge, or no
    judgement could be obtained. `shown` is the passage that the model was asked about: it counts if the model quotes
    none that is found. Only who has read the `whole` page can say that something is not there."""
    if isinstance(source, Unfetched):
        fabricated = source.kind in {"no-host", "gone", "absent"}
        return _finding(source.url, "fabricated" if fabricated else "unjudged", source.words)
    if judgement is None:
        return _finding(source.url, "unjudged", "the page was read, but no judgement of it could be had")
    quoted = _found(judgement.quote, source.text) or _found(shown, source.text)
    if judgement.supports in ("partly", "says_nothing"):
        if not whole:
            return _finding(source.url, "unjudged", f"the page was read only in part: {judgement.explanation}")
        return _finding(source.url, "not_there", judgement.explanation, judgement, quoted)
    supports = judgement.supports == "supports"
    if quoted is None:
        what = f"said to {'support' if supports else 'contradict'} the sentence, but {_shortcoming(judgement.quote)}"
        return _finding(source.url, "unjudged", what)
    return _finding(source.url, "confirmed" if supports else "contradicted", judgement.explanation, judgement, quoted)


def _found(quote: str, text: str) -> Found | None:
    return (find_quote(quote, text) or Said(text).find(quote)) if _counts(quote) else None


def _counts(quote: str) -> bool:
    return width_of(wanted_signs(quote)) >= SHORTEST_QUOTE


def _shortcoming(quote: str) -> str:
    """The reason why a quotation that was not found proves nothing. A short one can still be in the page."""
    if not wanted_signs(quote):
        return "no passage is quoted for it"
    if not _counts(quote):
        return f"the passage quoted for it is too short to count: it has fewer than {SHORTEST_QUOTE} characters"
    return "the passage quoted for it is not in the page"


def _finding(
    url: str,
    status: Status,
    words: str,
    judgement: Judgement | None = None,
    quoted: Found | None = None,
) -> Finding:
    return Finding(
        url=url,
        status=status,
        confidence=judgement.confidence if judgement else None,
        quote=quoted.text if quoted else "",
        explanation=words,
        answer=judgement.supports if judgement else None,
    )
