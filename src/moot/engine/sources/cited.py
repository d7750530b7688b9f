"""Documents as readers see them: which words of them are quoted, and by which entries."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from moot.present import Document, Section, Where, Words
from moot.record.entry import Entry, texts_of
from moot.record.payloads import Misquote
from moot.text.citations import citations

if TYPE_CHECKING:
    from moot.engine.sources.context import ContextDocument
    from moot.text.quotations import Said

MOST_SHOWN = 400_000
"""Bytes of documents, with `LINE` for each line, that pages have room for. Of the longest, they show an excerpt if all
have more."""
LINE = 30
GIVEN = "given"
"""The id of the section with the documents."""


class _Place(NamedTuple):
    """A cited document, and the quotation in it, if any, by the places of its first character and after its last."""

    document: str
    words: tuple[int, int] | None = None


class CitedDocuments:
    """The documents of a debate, and where texts cite them. `shown` is what readers may see of a line."""

    def __init__(self, documents: "Sequence[ContextDocument]", shown: Callable[[str], str] = str) -> None:
        self._given = {f"D{number}": one for number, one in enumerate(documents, 1)}
        self._shown = shown
        self._folded: dict[str, Said] = {}
        self._found: dict[tuple[str, str], tuple[int, int] | None] = {}

    @cached_property
    def _texts(self) -> dict[str, str]:
        return {key: "\n".join(map(self._shown, one.text.split("\n"))) for key, one in self._given.items()}

    def places(self, text: str) -> list[Where]:
        """The places that a text cites: the lines that it quotes, or else the whole document."""
        return list(dict.fromkeys(self._where(one) for mark in self._marks([text]) for one in mark))

    def links(self, text: str) -> list[dict[str, str]]:
        """For each mark in the text, such as [D1, D2], the anchors of what it cites, by the numbers in it."""
        return [{one.document: self._where(one).anchor for one in reversed(mark)} for mark in self._marks([text])]

    def section(self, entries: Sequence[Entry]) -> list[Section]:
        """The documents with what public entries cite in them."""
        cited: dict[_Place, list[int]] = {}
        missing: dict[str, list[tuple[str, int]]] = {}
        for entry in entries:
            if isinstance(entry.data, Misquote):
                if entry.data.quote and entry.target_seq is not None:
                    missing.setdefault(entry.data.document, []).append((entry.data.quote, entry.target_seq))
            elif entry.to == "all" and not entry.outside and entry.speaker != "moot":
                for one in dict.fromkeys(one for mark in self._marks(texts_of(entry)) for one in mark):
                    cited.setdefault(one, []).append(entry.seq)
        whole = self._shown_whole()
        blocks = [
            Document(
                number=key,
                name=one.title,
                about=", ".join(filter(None, (one.source, one.size, f"sha256 {one.sha256[:12]}", one.left_out))),
                text=self._texts[key],
                words=[Words(*at.words, seqs) for at, seqs in cited.items() if at.document == key and at.words],
                entries=cited.get(_Place(key), []),
                missing=missing.get(key, []),
                whole=key in whole,
            )
            for key, one in self._given.items()
        ]
        return [Section(GIVEN, "Given documents", blocks, place="end")] if blocks else []

    def _marks(self, texts: Sequence[str]) -> Iterator[list[_Place]]:
        """For each mark in the texts, the places that it cites."""
        mark: list[_Place] | None = None
        for citation in citations(texts):
            if not citation.quote:  # a mark comes first, and then with each of its quotations
                if mark is not None:
                    yield mark
                mark = [_Place(number) for number in citation.numbers if number in self._given]
            elif mark is not None:
                at = {one: place for one in citation.possible if (place := self._words(one, citation.quote))}
                mark = [one for one in mark if one.words or one.document not in at]
                mark += [_Place(number, words) for number, words in at.items()]
        if mark is not None:
            yield mark

    def _words(self, number: str, quote: str) -> tuple[int, int] | None:
        """Where a quotation is in a document; None if it is not."""
        if (number, quote) not in self._found:
            self._found[number, quote] = self._looked_up(number, quote)
        return self._found[number, quote]

    def _looked_up(self, number: str, quote: str) -> tuple[int, int] | None:
        from moot.text.quotations import Said

        if number not in self._given or self._given[number].image:
            return None
        if number not in self._folded:
            self._folded[number] = Said(self._texts[number])
        found = self._folded[number].find(quote)
        return (found.start, found.end) if found else None

    def _where(self, place: _Place) -> Where:
        one, text = self._given[place.document], self._texts[place.document]
        where = Where(document=place.document, file=one.source or one.title)
        if place.words is None:
            return where
        start, end = place.words
        line = text.count("\n", 0, start) + 1
        last = line + text.count("\n", start, end)
        return where.model_copy(update={"line": line, "end_line": last, "quote": text[start:end]})

    def _shown_whole(self) -> set[str]:
        """The documents that pages show whole: the shortest, as far as there is room."""
        sizes = {key: len(text.encode()) + LINE * text.count("\n") for key, text in self._texts.items()}
        room, whole = MOST_SHOWN, set[str]()
        for key in sorted(sizes, key=lambda key: sizes[key]):
            room -= sizes[key]
            whole |= {key} if room >= 0 else set()
        return whole
