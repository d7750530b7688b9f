"""The public record of a chaired debate, with redacted text removed word for word.

Everything that shows a chaired debate goes through here: the prompts, the documents, the reports, the terminal. The log
and the journal keep what was said, for auditors. Only a struck entry's own wording is removed from what others say,
never words that are in the evidence, in a confirmed passage, in a sentence that a source confirms, or in earlier
statements.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from moot.api import Draft, Entry, Header, Payload
from moot.evidence.ranking import words as telling_words
from moot.protocols.chaired.citing import without, without_marks
from moot.protocols.chaired.config import STATEMENTS
from moot.protocols.chaired.payloads import (
    STATUS_WORDS,
    Redaction,
    Ruling,
    Spoken,
    Verification,
    Withdrawal,
)
from moot.protocols.chaired.rules import target_of
from moot.protocols.chaired.sentences import sentences

RUN = 5
"""This many words in a row that only a struck entry has count as a quotation of it, if they are meaningful."""
TELLING = 3
"""This many words of a run must be uncommon; anybody could have written a run of common words."""
SHORTEST = 3
"""Words. A sentence of at least this length counts as quoted when it is repeated whole."""
GAP = "[REDACTED]"
_WORD = re.compile(r"\w+(?:[.,]\d+)*%?")
_MARKED = re.compile(r"(?=.*\d)(?=.*[^\d]).{2,}|\d{5,}|.*_.*|(?=(?:.*[A-Z]){2}).{6,}", re.DOTALL)
"""A word that somebody who puts it between quotation marks has from somewhere: a figure with its unit, an identifier, a
name in capitals."""
_QUOTED = tuple(map(re.compile, ("“[^“”]+”", '"[^"]+"', "‘[^‘’]+’", "«[^«»]+»", "„[^„“]+“")))
"""A pattern for each kind of marks, since one kind can be inside another."""
SHOWN = (
    *STATEMENTS,
    "source_challenge",
    "clarification_request",
    "withdraw",
    "ruling",
    "redaction",
    "audience_question",
)
"""The entry types in the cues: all statements, and the chair's rulings."""

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Struck:
    """A redacted entry: by which ruling, why, all of its text, and its own wording: runs of words, whole sentences,
    marked words."""

    seq: int
    ruling: int
    reason: str
    content: str
    runs: frozenset[Words]
    sentences: frozenset[Words]
    marked: frozenset[str]

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


def mask_of(entries: Sequence[Entry | Draft]) -> Mask:
    """The mask that the redactions among these entries make."""
    by_seq = {one.seq: one for one in entries if one.seq is not None and not (isinstance(one, Entry) and one.outside)}
    found = {}
    for ruling in entries:
        target = target_of(ruling)
        if isinstance(ruling.data, Redaction) and ruling.seq is not None and target in by_seq and target is not None:
            found[target] = (ruling.seq, ruling.data)
    confirmed = [text for one in by_seq.values() if target_of(one) not in found for text in _borne_out(one)]
    topics = [one.data.topic for one in by_seq.values() if isinstance(one.data, Header)]
    struck = {}
    for seq, (ruling_seq, data) in found.items():
        earlier = [one for number, one in by_seq.items() if number < seq and number not in found]
        free = [*topics, *confirmed, *data.spared, *(without_marks(one.content) for one in earlier)]
        struck[seq] = _struck(by_seq[seq], seq, (ruling_seq, data.reason), free)
    return Mask(struck)


def _struck(entry: Entry | Draft, seq: int, ruling: tuple[int, str], free: Sequence[str]) -> Struck:
    own = without_marks(entry.content)
    runs = _runs([own], RUN) - _runs(free, RUN)
    whole = {tuple(_words(one.text)) for one in sentences(own)}
    free_words = [_words(text) for text in free]
    whole = {
        words
        for words in whole
        if len(words) >= SHORTEST and len(telling_words(" ".join(words))) > 1 and not _stands(words, free_words)
    }
    marked = _marked(own) - {word for text in free for word in _words(text)}
    return Struck(seq, *ruling, entry.content, frozenset(runs), frozenset(whole), frozenset(marked))


def shared_wording(entry: Draft, evidence: Sequence[str]) -> list[str]:
    """The parts of an entry that are in the evidence word for word."""
    there, text = _runs(evidence, SHORTEST), without_marks(entry.content)
    places = list(_WORD.finditer(text))
    words = [place.group().casefold() for place in places]
    inside = [False] * len(words)
    for at in range(len(words) - SHORTEST + 1):
        if tuple(words[at : at + SHORTEST]) in there:
            inside[at : at + SHORTEST] = [True] * SHORTEST
    return list(dict.fromkeys(text[places[first].start() : places[last].end()] for first, last in _stretches(inside)))


def _borne_out(entry: Entry | Draft) -> list[str]:
    """The texts that a confirmed citation proves real: the passage, the sentence, words of the page."""
    data = entry.data
    if not isinstance(data, Verification) or data.status != "confirmed":
        return []
    return [data.sentence, data.quote, *data.spared]


def readable(entries: Sequence[Entry]) -> list[Entry]:
    """The entries for readers: struck ones are marks with the reason, quotations of them are gaps, and sentences that
    were withdrawn are marked."""
    mask, gone = mask_of(entries), taken_back(entries)
    if not mask.struck and not gone:
        return list(entries)
    return [_readable(entry, mask, gone.get(entry.seq, ())) for entry in entries]


def on_record(drafts: Sequence[Draft]) -> list[Draft]:
    """The public entries as cues quote them: numbered, with their sources, and without what was struck."""
    mask, gone, back, shown = mask_of(drafts), withdrawn(drafts), taken_back(drafts), []
    for draft in drafts:
        if draft.to != "all" or draft.type not in SHOWN or draft.seq is None:
            continue
        label = f"entry #{draft.seq}, {draft.type}"
        answers = draft.rebuttal_to.seq if isinstance(draft.rebuttal_to, Draft) else draft.rebuttal_to
        label += f" answering #{answers}" if answers is not None else ""
        label += ", withdrawn by its author" if draft.seq in gone else ""
        if draft.seq in mask.struck:
            content = f"{mask.struck[draft.seq].mark} Ruling #{mask.struck[draft.seq].ruling}."
        else:
            said = replace(draft, content=without_withdrawn(draft.content, back.get(draft.seq, ())))
            content = mask.text(_in_brief(draft) or with_sources(said), draft.seq)
        shown.append(replace(draft, type=label, content=content, data=None))
    return shown


def with_sources(draft: Draft) -> str:
    """A statement with its sources below it."""
    listed = (f"\nSource [{number}]: {one.title} <{one.url}>" for number, one in enumerate(draft.sources, 1))
    return draft.content + "".join(listed)


def _in_brief(ruling: Draft) -> str | None:
    """A ruling on a source or on a struck turn in brief. Only the debater concerned gets the reason: it is about the
    form of a reply, and others would take it for a point of the debate."""
    data, entry = ruling.data, ruling.target
    if isinstance(data, Ruling) and data.about == "struck":
        return f"The {data.against}'s turn is struck under rule {data.rule}."
    if not isinstance(data, Ruling) or data.about != "source" or data.status is None or not isinstance(entry, Draft):
        return None
    number = next((place for place, one in enumerate(entry.sources, 1) if one.url == data.url), None)
    told = f"“{data.sentence}” in #{entry.seq}, by source [{number}]: {STATUS_WORDS[data.status]}"
    return f"{told}; it does not count as sourced."


def standing(drafts: Sequence[Draft]) -> list[Draft]:
    """The debaters' statements that are not struck or withdrawn."""
    gone = {*mask_of(drafts).struck, *withdrawn(drafts)}
    return [draft for draft in drafts if draft.type in STATEMENTS and draft.seq not in gone]


def withdrawn(entries: Sequence[Entry | Draft]) -> set[int | None]:
    """The entries that their authors took back."""
    return {target_of(one) for one in entries if isinstance(one.data, Withdrawal) and not one.data.sentences}


def taken_back(entries: Sequence[Entry | Draft]) -> dict[int | None, list[str]]:
    """The sentences that their authors took back, by entry."""
    found: dict[int | None, list[str]] = {}
    for one in entries:
        if isinstance(one.data, Withdrawal):
            found.setdefault(target_of(one), []).extend(one.data.sentences)
    return found


def without_withdrawn(content: str, sentences_of: Sequence[str]) -> str:
    """A statement in which the sentences that were withdrawn are marked as such."""
    for one in sentences_of:
        content = without(one, content, f"[WITHDRAWN: {one}]")
    return content


def shown(entries: Sequence[Entry]) -> Callable[[str, str], str]:
    """The messages to and from the agents for readers. Replies with struck words are withheld, by the keys of their
    calls, and so are prompts with words that never were an entry, by the key and `/asked`."""
    mask = mask_of(entries)
    withheld = dict(_withheld(entries, mask))

    def show(key: str, text: str) -> str:
        return withheld[key] if key in withheld else mask.text(text)

    return show


def _withheld(entries: Sequence[Entry], mask: Mask) -> Iterator[tuple[str, str]]:
    """The calls whose replies are withheld from readers, and why."""
    for entry in entries:
        if isinstance(entry.data, Ruling) and entry.data.call is not None:
            agent, _, _ = entry.data.call.partition("/")
            for call in (entry.data.call, f"{agent}/turn-again", *_conduct_calls(agent)):
                yield call, f"[STRUCK — ruling {entry.seq}]"
        struck = mask.of(entry.seq) or mask.of(entry.target_seq)
        if struck is None or entry.call is None:
            continue
        yield entry.call, f"{struck.mark} Entry {entry.seq} came from this reply."
        if entry.seq == struck.seq:
            agent = entry.call.partition("/")[0]
            for call in (f"{agent}/turn", f"{agent}/turn-again", *_conduct_calls(agent)):
                yield call, struck.mark


def _conduct_calls(agent: str) -> list[str]:
    """The calls in which the chair judged what a debater said there, and the prompts that quote it."""
    part, _, place = agent.partition("@")
    at = f"chair@{part}.{place.removesuffix('.resumed')}"
    return [f"{at}{version}/conduct{prompt}" for version in ("", ".again") for prompt in ("", "/asked")]


def _readable(entry: Entry, mask: Mask, gone: Sequence[str]) -> Entry:
    if (struck := mask.struck.get(entry.seq)) is not None:
        data = entry.data.model_copy(update={"cites": []}) if isinstance(entry.data, Spoken) else None
        content = f"{struck.mark} Struck from the record by ruling {struck.ruling}."
        return entry.model_copy(update={"content": content, "sources": [], "data": data})
    at = None if entry.outside else entry.seq
    target = mask.of(entry.target_seq)
    if isinstance(entry.data, Verification) and target is not None:
        blank = {"quote": "", "sentence": target.mark, "explanation": target.mark, "spared": []}
        found = entry.data.model_copy(update=blank)
        return entry.model_copy(update={"content": f"{found.url}: {found.status}. {target.mark}", "data": found})
    if isinstance(entry.data, Ruling) and target is not None and entry.data.sentence is not None:
        ruled = entry.data.model_copy(update={"sentence": target.mark})
        return entry.model_copy(update={"content": f"On entry {target.seq}: {target.mark}", "data": ruled})
    content = mask.text(without_withdrawn(entry.content, gone), at)
    return entry.model_copy(update={"content": content, "data": _masked_data(entry, mask)})


def _masked_data(entry: Entry, mask: Mask) -> Payload | None:
    if entry.data is None or not mask.struck:
        return entry.data
    return type(entry.data).model_validate(_masked(entry.data.model_dump(), mask, entry.seq))


def _masked(value: Any, mask: Mask, at: int) -> Any:
    """A value with all its texts masked, but for words of the program, addresses and what a page says."""
    if isinstance(value, dict):
        kept: dict[str, Any] = {"quote": value.get("quote"), "spared": []}
        return {name: kept[name] if name in kept else _masked(one, mask, at) for name, one in value.items()}
    if isinstance(value, list):
        return [_masked(one, mask, at) for one in value]
    is_text = isinstance(value, str) and not (value.isascii() and " " not in value)
    return mask.text(value, at) if is_text else value


def _without(text: str, struck: Sequence[Struck]) -> str:
    """The text with a gap for every stretch of words that is a struck entry's own. An entry too short to be quoted goes
    where a text shows all of it, in a line of its own."""
    for one in struck:
        if one.content in text and len(_words(without_marks(one.content))) < SHORTEST:
            text = re.sub(rf"^{re.escape(one.content)}$", GAP, text, flags=re.MULTILINE)
    places = list(_WORD.finditer(text))
    words = [place.group().casefold() for place in places]
    hidden = _quoting(words, frozenset[Words]().union(*(one.runs for one in struck)))
    for whole in frozenset[Words]().union(*(one.sentences for one in struck)):
        for at in range(len(words) - len(whole) + 1):
            if tuple(words[at : at + len(whole)]) == whole:
                hidden[at : at + len(whole)] = [True] * len(whole)
    marked = frozenset[str]().union(*(one.marked for one in struck))
    if marked:
        quoted = [one for marks in _QUOTED for one in marks.finditer(text)]
        spans = [one.span() for one in quoted if len(_WORD.findall(one.group())) < RUN]
        for at, place in enumerate(places):
            if words[at] in marked and any(start < place.start() < end for start, end in spans):
                hidden[at] = True
    pieces, end = list[str](), 0
    for first, last in _stretches(hidden):
        pieces += [text[end : places[first].start()], GAP]
        end = places[last].end()
    return "".join([*pieces, text[end:]])


def _quoting(words: Sequence[str], runs: frozenset[Words]) -> list[bool]:
    """Which of the words are in a stretch that was taken over, and that means something."""
    found = [False] * len(words)
    for at in range(len(words) - RUN + 1):
        if tuple(words[at : at + RUN]) in runs:
            found[at : at + RUN] = [True] * RUN
    for first, last in list(_stretches(found)):
        if len(telling_words(" ".join(words[first : last + 1]))) < TELLING:
            found[first : last + 1] = [False] * (last + 1 - first)
    return found


def _stretches(marks: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """The first and last places of each stretch that is marked."""
    first = None
    for at, mark in enumerate([*marks, False]):
        if mark and first is None:
            first = at
        elif not mark and first is not None:
            yield first, at - 1
            first = None


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _runs(texts: Iterable[str], length: int) -> set[Words]:
    """Every run of this many words in the texts."""
    listed = [_words(text) for text in texts]
    return {tuple(words[at : at + length]) for words in listed for at in range(len(words) - length + 1)}


def _stands(words: Words, texts: Iterable[Sequence[str]]) -> bool:
    length = len(words)
    return any(tuple(text[at : at + length]) == words for text in texts for at in range(len(text) - length + 1))


def _marked(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text) if _MARKED.fullmatch(word)}
