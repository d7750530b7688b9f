"""Looking up whether the addresses that proposals cite exist. No model is asked. Loaded only where it is asked for."""

from dataclasses import dataclass, field

from pydantic import BaseModel

from moot.evidence import Fetcher, Page, Unfetched
from moot.protocols.arena.cast import Arena
from moot.protocols.arena.convergence import text_of
from moot.protocols.arena.evidence_quality import addresses_in
from moot.protocols.arena.payloads import CheckedSource, SourcesChecked

MOST_OF_ONE = 5
"""Addresses of one proposal that are looked up; the others count as unchecked."""
ABSENT = ("no-host", "gone")
"""What a page that does not exist comes to; anything else may be a fault of the way there."""
FOUND = {True: "is there", False: "does not exist", None: "could not be looked up"}


class LookupResult(BaseModel):
    """The result of looking up an address, as journalled."""

    found: Page | Unfetched


@dataclass(slots=True)
class Library:
    """What was looked up so far: `sources` by address."""

    fetcher: Fetcher
    sources: dict[str, CheckedSource] = field(default_factory=dict)

    async def check(self, arena: Arena, number: int, phase: str) -> None:
        """Look up the addresses in the proposals as they stand, each once."""
        texts = [text_of(seat.proposal) for seat in arena.proposing]
        cited = dict.fromkeys(url for text in texts for url in addresses_in(text)[:MOST_OF_ONE])
        new = [url for url in cited if url not in self.sources]
        if not new:
            return
        keys = (f"page/{place}" for place in range(len(self.sources), len(self.sources) + len(new)))
        found = await arena.room.together(*(self._look_up(arena, url, key) for url, key in zip(new, keys, strict=True)))
        self.sources |= {one.url: one for one in found}
        lines = [f"- {one.url} {FOUND[one.found]}{f': {one.why}' if one.why else ''}" for one in found]
        data = SourcesChecked(round=number, sources=found)
        arena.room.emit("sources", "moot", "\n".join(lines), phase=phase, to=[], data=data)

    async def _look_up(self, arena: Arena, url: str, key: str) -> CheckedSource:
        async def look() -> LookupResult:
            return LookupResult(found=await self.fetcher.fetch(url))

        found = (await arena.room.learn(LookupResult, key, look)).found
        if isinstance(found, Page):
            return CheckedSource(url=url, found=True, why=None)
        return CheckedSource(url=url, found=False if found.kind in ABSENT else None, why=found.words)
