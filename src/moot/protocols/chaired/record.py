"""The public record of a chaired debate, with redacted text removed word for word.

Everything that shows a chaired debate uses this module: prompts, documents, reports, terminal. The log and the journal
keep the original text for auditors.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from moot.protocols.chaired.config import STATEMENTS
from moot.protocols.chaired.payloads import Challenge, Conclusion, Redaction, Ruling, Spoken, Verification
from moot.protocols.chaired.rules import target_of
from moot.record.entry import Draft, Entry
from moot.record.payloads import Header, Payload

RUN = 5
"""This many consecutive words from a struck entry, not said before it, count as a quotation of it."""
GAP = "[REDACTED]"
_WORD = re.compile(r"\w+%?")
_TELLING = re.compile(r"(?=.*\d)(?=.*[^\d]).{2,}|\d{5,}|.*_.*|(?=(?:.*[A-Z]){2}).{6,}", re.DOTALL)
"""A single word that counts as a quotation: a figure with its unit, an identifier, a name in capitals."""
SHOWN = (*STATEMENTS, "source_challenge", "clarification_request", "ruling", "redaction", "audience_question")
"""The entry types in the cues: all statements, and the chair's rulings."""


@dataclass(frozen=True, slots=True)
class Struck:
    """A redacted entry: the ruling, the reason, and the struck words."""

    seq: int
    ruling: int
    reason: str
    runs: frozenset[tuple[str, ...]]
    words: frozenset[str]

    @property
    def mark(self) -> str:
        return f"[REDACTED — {self.reason}]"


@dataclass(frozen=True, slots=True)
class Mask:
    """Removes struck text. Without redactions it changes nothing."""

    struck: Mapping[int, Struck]

    def of(self, seq: int | None) -> Struck | None:
        """The struck text of that entry, if any; None without an entry."""
        return None if seq is None else self.struck.get(seq)

    def text(self, text: str, said_at: int | None = None) -> str:
        """The text without quotations of struck entries. `said_at` is its place on the record, if any, because
        earlier text cannot quote a later entry."""
        struck = [one for one in self.struck.values() if said_at is None or one.seq < said_at]
        return _without(text, struck) if struck else text

    def texts(self, texts: Iterable[str], said_at: int) -> list[str]:
        return [self.text(text, said_at) for text in texts]


def mask_of(entries: Sequence[Entry | Draft]) -> Mask:
    """The mask for the redactions among these entries."""
    by_seq: dict[int | None, Entry | Draft] = {
        one.seq: one for one in entries if one.seq is not None and not _outside(one)
    }
    found = {}
    for ruling in entries:
        if isinstance(ruling.data, Redaction) and ruling.seq is not None:
            entry = by_seq.get(target_of(ruling))
            if entry is not None and entry.seq is not None:
                found[entry.seq] = (entry, ruling.seq, ruling.data.reason)
    struck = {}
    for seq, (entry, ruling_seq, reason) in found.items():
        own = _texts(entry)
        earlier = [one for number, one in by_seq.items() if number is not None and number < seq and number not in found]
        before = [text for one in earlier for text in _texts(one)]
        before += [one.data.topic for one in by_seq.values() if isinstance(one.data, Header)]
        runs = _runs(own) - _runs(before) | _short(entry, before)
        words = {word for text in own for word in _telling(text)} - {w for text in before for w in _telling(text)}
        struck[seq] = Struck(seq, ruling_seq, reason, frozenset(runs), frozenset(words))
    return Mask(struck)


def readable(entries: Sequence[Entry]) -> list[Entry]:
    """The entries for readers: struck ones are marks with the reason, and quotations of them are gaps."""
    mask = mask_of(entries)
    return [_readable(entry, mask) for entry in entries] if mask.struck else list(entries)


def on_record(drafts: Sequence[Draft]) -> list[Draft]:
    """The public entries as quoted in cues: numbered, with sources, and without struck text."""
    mask, shown = mask_of(drafts), []
    for draft in drafts:
        if draft.to != "all" or draft.type not in SHOWN or draft.seq is None:
            continue
        label = f"entry #{draft.seq}, {draft.type}"
        answers = draft.rebuttal_to.seq if isinstance(draft.rebuttal_to, Draft) else draft.rebuttal_to
        label += f" answering #{answers}" if answers is not None else ""
        if draft.seq in mask.struck:
            content = f"{mask.struck[draft.seq].mark} Ruling #{mask.struck[draft.seq].ruling}."
        else:
            sources = "".join(f"\nSource: {source.title} <{source.url}>" for source in draft.sources)
            content = mask.text(draft.content + sources, draft.seq)
        shown.append(replace(draft, type=label, content=content, data=None))
    return shown


def standing(drafts: Sequence[Draft]) -> list[Draft]:
    """The statements of the debaters that are not struck."""
    struck = mask_of(drafts).struck
    return [draft for draft in drafts if draft.type in STATEMENTS and draft.seq not in struck]


def shown(entries: Sequence[Entry]) -> Callable[[str, str], str]:
    """The messages to and from the agents for readers. Replies that contain struck words are withheld."""
    mask = mask_of(entries)
    withheld = dict(_withheld(entries, mask))

    def show(key: str, text: str) -> str:
        return withheld[key] if key in withheld else mask.text(text)

    return show


def _withheld(entries: Sequence[Entry], mask: Mask) -> Iterator[tuple[str, str]]:
    """The calls whose replies are withheld from readers, and why."""
    for entry in entries:
        if isinstance(entry.data, Ruling) and entry.data.call is not None:
            yield entry.data.call, f"[STRUCK — ruling {entry.seq}]"
        struck = mask.of(entry.seq) or mask.of(entry.target_seq)
        if struck is None or entry.call is None:
            continue
        yield entry.call, f"{struck.mark} Entry {entry.seq} came from this reply."
        if entry.seq == struck.seq:
            part, _, place = entry.call.partition("/")[0].partition("@")
            yield f"chair@{part}.{place.removesuffix('.resumed')}/conduct", struck.mark


def _readable(entry: Entry, mask: Mask) -> Entry:
    if (struck := mask.struck.get(entry.seq)) is not None:
        data = entry.data.model_copy(update={"cited_for": []}) if isinstance(entry.data, Spoken) else None
        content = f"{struck.mark} Struck from the record by ruling {struck.ruling}."
        return entry.model_copy(update={"content": content, "sources": [], "data": data})
    at = None if entry.outside else entry.seq
    target = mask.of(entry.target_seq)
    if isinstance(entry.data, Verification) and target is not None:
        found = entry.data.model_copy(update={"quote": "", "explanation": target.mark})
        return entry.model_copy(update={"content": f"{found.url}: {found.status}. {target.mark}", "data": found})
    changes = {
        "content": mask.text(entry.content, at),
        "sources": [one.model_copy(update={"title": mask.text(one.title, at)}) for one in entry.sources],
        "data": _masked_data(entry, mask),
    }
    return entry.model_copy(update=changes)


def _masked_data(entry: Entry, mask: Mask) -> Payload | None:
    data, at = entry.data, entry.seq
    match data:
        case Spoken(cited_for=claims):
            return data.model_copy(update={"cited_for": mask.texts(claims, at)})
        case Challenge(claim=claim):
            return data.model_copy(update={"claim": mask.text(claim, at)})
        case Verification():
            return data.model_copy(update={"explanation": mask.text(data.explanation, at)})
        case Conclusion():
            cases = {name: mask.text(getattr(data, name), at) for name in ("promoter_case", "detractor_case")}
            return data.model_copy(update=cases)
        case _:
            return data


def _texts(entry: Entry | Draft) -> list[str]:
    """All texts of an entry."""
    claims = entry.data.cited_for if isinstance(entry.data, Spoken) else []
    return [entry.content, *(source.title for source in entry.sources), *claims]


def _outside(entry: Entry | Draft) -> bool:
    return isinstance(entry, Entry) and entry.outside


def _without(text: str, struck: Sequence[Struck]) -> str:
    """The text with a gap for every run of words from a struck entry."""
    found = list(_WORD.finditer(text))
    folded = [one.group().casefold() for one in found]
    hidden = [any(word in entry.words for entry in struck) for word in folded]
    lengths = {len(run) for entry in struck for run in entry.runs}
    runs = frozenset[tuple[str, ...]]().union(*(entry.runs for entry in struck))
    for start in range(len(found)):
        for length in lengths:
            if tuple(folded[start : start + length]) in runs:
                hidden[start : start + length] = [True] * length
    pieces, end, place = [], 0, 0
    while place < len(found):
        if not hidden[place]:
            place += 1
            continue
        first = place
        while place < len(found) and hidden[place]:
            place += 1
        pieces += [text[end : found[first].start()], GAP]
        end = found[place - 1].end()
    return "".join([*pieces, text[end:]])


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _runs(texts: Iterable[str]) -> set[tuple[str, ...]]:
    """Every run of RUN words in the texts."""
    listed = [_words(text) for text in texts]
    return {tuple(words[at : at + RUN]) for words in listed for at in range(len(words) - RUN + 1)}


def _short(entry: Entry | Draft, before: Iterable[str]) -> set[tuple[str, ...]]:
    """The complete texts of an entry that are too short for a run, unless they were said before. Titles and claims
    of one or two words, such as a publisher's name, are too common."""
    content, *others = [tuple(_words(text)) for text in _texts(entry)]
    short = {words for words in (content, *(one for one in others if len(one) > 2)) if 0 < len(words) < RUN}
    said = [tuple(_words(text)) for text in before] if short else []
    return {
        words
        for words in short
        if not any(text[at : at + len(words)] == words for text in said for at in range(len(text)))
    }


def _telling(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text) if _TELLING.fullmatch(word)}
