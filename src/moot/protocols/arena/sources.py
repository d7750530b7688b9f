"""Looking up what proposals cite: whether the addresses exist, and whether quotations stand in the pages behind them.

No model is asked. What is found is in the log; the pages themselves are in the journal. Loaded only where it is asked
for.
"""

from dataclasses import dataclass, field

from pydantic import BaseModel

from moot.evidence import Fetcher, Page, Unfetched, quotations, says
from moot.protocols.arena.cast import Arena
from moot.protocols.arena.convergence import words_of
from moot.protocols.arena.evidence_quality import addresses_in
from moot.protocols.arena.payloads import CheckedSource, SourcesChecked

MOST_OF_ONE = 5
"""Addresses of one proposal that are looked up; the others count as unchecked."""
ABSENT = ("no-host", "gone")
"""What a page that does not exist comes to; anything else may be a fault of the way there."""


class Looked(BaseModel):
    """The result of looking up an address, as journalled."""

    found: Page | Unfetched


@dataclass(slots=True)
class Library:
    """What was looked up so far: `sources` by address, the texts of the `pages` and of the debate's documents, and what
    of the proposals is `quoted` from them. Without a `fetcher`, addresses are not looked up."""

    fetcher: Fetcher | None
    sources: dict[str, CheckedSource] = field(default_factory=dict)
    pages: list[str] = field(default_factory=list)
    quoted: list[str] = field(default_factory=list)

    async def check(self, arena: Arena, number: int, phase: str) -> None:
        """Look up the addresses in the proposals as they stand, each once, and find quotations in all pages so far."""
        texts = [words_of(seat.proposal) for seat in arena.proposing]
        cited = dict.fromkeys(url for text in texts for url in addresses_in(text)[:MOST_OF_ONE] if self.fetcher)
        new = [url for url in cited if url not in self.sources]
        places = range(len(self.sources), len(self.sources) + len(new))
        found = await arena.room.together(
            *(self._look_up(arena, url, f"page/{place}") for url, place in zip(new, places, strict=True))
        )
        self.sources |= {one.url: one for one in found}
        quotes = dict.fromkeys(quote for text in texts for quote in quotations(text) if quote not in self.quoted)
        quoted = [quote for quote in quotes if any(says(quote, page) for page in self.pages)]
        self.quoted += quoted
        if found or quoted:
            data = SourcesChecked(round=number, sources=found, quoted=quoted)
            arena.room.emit("sources", "moot", _in_words(data), phase=phase, to=[], data=data)

    async def _look_up(self, arena: Arena, url: str, at: str) -> CheckedSource:
        async def look() -> Looked:
            assert self.fetcher is not None  # noqa: S101 (without it, nothing is looked up)
            return Looked(found=await self.fetcher.fetch(url))

        found = (await arena.room.learn(Looked, at, look)).found
        if isinstance(found, Page):
            self.pages.append(found.text)
            return CheckedSource(url=url, found=True, why=None)
        return CheckedSource(url=url, found=False if found.kind in ABSENT else None, why=found.words)


def _in_words(data: SourcesChecked) -> str:
    told = {True: "is there", False: "does not exist", None: "could not be looked up"}
    lines = [f"- {one.url} {told[one.found]}{f': {one.why}' if one.why else ''}" for one in data.sources]
    return "\n".join([*lines, *(f"- found in what was read: “{quote}”" for quote in data.quoted)])
