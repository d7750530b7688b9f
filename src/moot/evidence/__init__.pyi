# The names of this page, a line each. Each is loaded when it is asked for: see moot.plugins.lazy.
from moot.evidence.corpus import Corpus as Corpus
from moot.evidence.corpus import Document as Document
from moot.evidence.corpus import Passage as Passage
from moot.evidence.corpus import shipped_packs as shipped_packs
from moot.evidence.fetch import Fetcher as Fetcher
from moot.evidence.fetch import FetchLimits as FetchLimits
from moot.evidence.fetch import loopback_allowed as loopback_allowed
from moot.evidence.folders import Excerpt as Excerpt
from moot.evidence.folders import Gathered as Gathered
from moot.evidence.folders import passages as passages
from moot.evidence.git import Commit as Commit
from moot.evidence.git import commits as commits
from moot.evidence.pages import Page as Page
from moot.evidence.pages import Unfetched as Unfetched
from moot.evidence.quotes import RULED as RULED
from moot.evidence.quotes import Answer as Answer
from moot.evidence.quotes import Finding as Finding
from moot.evidence.quotes import Judgement as Judgement
from moot.evidence.quotes import Status as Status
from moot.evidence.quotes import decide as decide
from moot.evidence.ranking import Chunk as Chunk
from moot.evidence.ranking import chunks as chunks
from moot.evidence.ranking import overlap as overlap
from moot.evidence.ranking import relevant as relevant
from moot.text.quotations import Found as Found
from moot.text.quotations import find_quote as find_quote

__all__: list[str]  # noqa: PYI035 (made when the page is loaded)
