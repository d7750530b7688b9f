"""Remarks: what the engine adds to entries about documents and lookups.

The header gets the list of them. A public statement gets an entry for each lookup that it makes public, and for each
citation that does not check out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from moot.engine.play.agent import Agent
from moot.engine.play.branches import published
from moot.engine.sources.context import Handout
from moot.engine.sources.lookups import Lookups
from moot.record.entry import Draft, texts_of
from moot.record.payloads import Cited, Header, Lookup, Misquote, Payload
from moot.text import clip, one_line
from moot.text.citations import citations, is_in
from moot.text.quotations import Said

LONGEST_PASSAGE = 1_000
"""Characters of an answer that are published with a citation."""


def listed_in(handout: Handout | None, lookups: Lookups | None, data: Payload | None) -> Payload | None:
    """A header that lists documents and tools among its details; any other payload as it is."""
    if not isinstance(data, Header):
        return data
    data = handout.listed_in(data) if handout else data
    return lookups.listed_in(data) if lookups else data


def remarks(handout: Handout | None, lookups: Lookups | None, draft: Draft, speaker: Agent | str) -> list[Draft]:
    """What the engine adds to an entry: the documents to the header, and to a public statement the lookups that it
    cites, and false citations."""
    if handout and isinstance(draft.data, Header):
        told = handout.context.given()
        return [Draft(draft.phase, "moot", "document", content, data=one) for content, one in told]
    if draft.to != "all" or not isinstance(speaker, Agent):
        return []
    added: dict[tuple[str, str], Draft] = {}
    cites = list(citations(texts_of(draft), of_others=_Heard(handout, lookups, draft, speaker).has))
    for cited in cites:
        texts: list[str] = []
        for number in cited.possible:
            known, found = _cited(handout, lookups, number, speaker)
            texts += [found.text] if found else []
            if number not in cited.numbers:
                continue
            if (wrong := _unusable(number, speaker.name, found)) and known:
                added.setdefault((number, ""), _misquote(draft, wrong, speaker.name, number))
            elif found and found.lookup and number not in published.get():
                quotes = [one.quote for one in cites if one.quote and number in one.numbers]
                added[number, ""] = _citation(draft, found.lookup, _passage(found.text, quotes))
                published.set({**published.get(), number: added[number, ""]})
        # An image has no text, and what words it shows is not known.
        if cited.quote and texts and all(texts) and not any(is_in(cited.quote, text) for text in texts):
            first = cited.numbers[0]
            wrong = f"These words are not in {' or '.join(cited.numbers)}: “{clip(one_line(cited.quote), 300)}”"
            added.setdefault((first, cited.quote), _misquote(draft, wrong, speaker.name, first, cited.quote))
    return list(added.values())


@dataclass(frozen=True)
class _Heard:
    """What the speaker of an entry was told besides documents: the words of others, which may be quoted beside those of
    a source."""

    handout: Handout | None
    lookups: Lookups | None
    draft: Draft
    speaker: Agent

    def has(self, quote: str) -> bool:
        given = self.handout.context.documents.values() if self.handout else ()
        return not any(quote in one.text for one in given) and self._told.find(quote) is not None

    @cached_property
    def _told(self) -> Said:
        # A request to mend a reply has words of that reply: only the first of each call counts.
        told = {exchange.key: exchange.prompt.content for exchange in reversed(self.speaker.history)}
        source = self.handout or self.lookups
        record = source.journal.reply(self.draft.call or "", 1) if source else None
        asked = [one.content for one in (record.sent or () if record else ()) if one.role == "user"]
        return Said("\n\n".join([*told.values(), *asked]))


@dataclass(frozen=True, slots=True)
class _Source:
    text: str
    lookup: Lookup | None = None


def _cited(
    handout: Handout | None, lookups: Lookups | None, number: str, speaker: Agent
) -> tuple[bool, _Source | None]:
    """Whether there are sources of this kind, and the one with this number, if the speaker can know it."""
    if number.startswith("D"):
        document = handout.context.documents.get(number) if handout else None
        return handout is not None, _Source("" if document.image else document.text) if document else None
    found = lookups.known(speaker, number) if lookups else None
    return lookups is not None, _Source(found[1], found[0]) if found else None


def _unusable(number: str, speaker: str, found: _Source | None) -> str:
    """Why this source cannot be cited, or ""."""
    if found is None:
        if number.startswith("D"):
            return f"There is no document {number} in this debate."
        return f"{speaker} has not looked up {number}, and nobody has made it public."
    return f"The lookup {number} gave no answer." if found.lookup and found.lookup.error is not None else ""


def _citation(draft: Draft, data: Lookup, passage: str) -> Draft:
    words = f"{data.number}, {data.tool} {one_line(data.asked)}: {passage}"
    cited = Cited(agent=data.agent, number=data.number, tool=data.tool, asked=data.asked, sha256=data.sha256)
    return Draft(draft.phase, "moot", "citation", words, data=cited, call=draft.call, target=draft)


def _passage(text: str, quotes: Sequence[str]) -> str:
    """The part of an answer around the first of these quotations that is in it, or its beginning, in a line."""
    from moot.evidence import find_quote

    places = [found.start for quote in quotes if (found := find_quote(quote, text, least=1))]
    start = max(0, min(places[0] - LONGEST_PASSAGE // 4, len(text) - LONGEST_PASSAGE)) if places else 0
    part = text[start : start + LONGEST_PASSAGE]
    if part == text:
        return one_line(text)
    return f"{one_line(part)} (characters {start + 1:,} to {start + len(part):,} of {len(text):,})"


def _misquote(draft: Draft, words: str, agent: str, number: str, quote: str = "") -> Draft:
    data = Misquote(agent=agent, document=number, quote=quote)
    return Draft(draft.phase, "moot", "misquote", words, data=data, call=draft.call, target=draft)
