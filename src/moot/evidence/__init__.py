"""Evidence: pages, packs, folders and git histories, and whether they support the sentences that cite them.

`Fetcher` gets cited pages safely; a `Corpus` is a closed pack of documents; `passages` and `commits` search folders and
git histories; `find_quote`, `says` and `decide` check a source. This package calls no model, and loads heavy libraries
only when they are needed.
"""

from moot.evidence.corpus import Corpus, Document, Passage, shipped_packs
from moot.evidence.fetch import Fetcher, FetchLimits, loopback_allowed
from moot.evidence.folders import Excerpt, Gathered, passages
from moot.evidence.git import Commit, commits
from moot.evidence.pages import Page, Unfetched
from moot.evidence.quotes import (
    Answer,
    Finding,
    Found,
    Judgement,
    decide,
    find_quote,
    quotations,
    says,
    without_quotations,
)
from moot.evidence.ranking import Chunk, chunks, overlap, relevant

__all__ = [
    "Answer",
    "Chunk",
    "Commit",
    "Corpus",
    "Document",
    "Excerpt",
    "FetchLimits",
    "Fetcher",
    "Finding",
    "Found",
    "Gathered",
    "Judgement",
    "Page",
    "Passage",
    "Unfetched",
    "chunks",
    "commits",
    "decide",
    "find_quote",
    "loopback_allowed",
    "overlap",
    "passages",
    "quotations",
    "relevant",
    "says",
    "shipped_packs",
    "without_quotations",
]
