"""The rules that a program can check. Each check is a function of a proposed entry and of the current record. The same
checks apply to both debaters, a model's reply and an entry that another program appends. Questions of meaning are left
to the verifier and the chair."""

from collections.abc import Callable, Iterator, Sequence

from moot.protocols.chaired.citing import (
    LABEL,
    addresses_in,
    named,
    page_of,
    place_of,
    said_in,
    without_marks,
)
from moot.protocols.chaired.config import INTERRUPTIONS, STATEMENTS
from moot.protocols.chaired.rules import (
    MOST_CITATIONS,
    MOST_SOURCES,
    MOST_WORDS,
    Breach,
    Record,
    Saying,
    unknown_addresses,
)
from moot.text.language import word_count


def faults(saying: Saying, record: Record) -> list[Breach]:
    """Every rule that a debater would break by saying this. Its type is one that the shape of the turn offers."""
    return [found for check in CHECKS for found in check(saying, record)]


def has_words(saying: Saying, record: Record) -> Iterator[Breach]:
    count, most = word_count(without_marks(saying.content)), most_words(saying.type, saying.role, record)
    if count == 0:
        yield Breach(4, "there are no words in it")
    elif count > most:
        yield Breach(4, f"it has {count} words, and a {saying.type} may have {most}")


def most_words(kind: str, role: str, record: Record) -> int:
    """The maximal length of an entry of this type by this role."""
    usual = MOST_WORDS.get(kind, 0)
    return record.limits.get(role, usual) if kind in STATEMENTS else usual


def cites_addresses(saying: Saying, record: Record) -> Iterator[Breach]:  # noqa: ARG001
    """A URL is shown even where the words around it are struck, so it must not be able to say anything."""
    if any(not url or len(url.split()) != 1 for url in saying.urls):
        yield Breach(4, "the url of a source is an address, without spaces")
    if len(saying.urls) > MOST_SOURCES:
        yield Breach(4, f"it has {len(saying.urls)} sources, and {MOST_SOURCES} are the most")


def cites_at_sentences(saying: Saying, record: Record) -> Iterator[Breach]:  # noqa: ARG001
    """Every citation is of a source that is given, and every source is cited at some sentence."""
    if saying.type in INTERRUPTIONS:
        return
    said, given = said_in(saying.content), range(1, len(saying.urls) + 1)
    for one in said:
        if loose := [number for number in one.cites if number not in given]:
            told = f"it cites [{loose[0]}], and `sources` has {len(given)}, counted from 1"
            yield Breach(11, f"{told}: add the source, or leave out the number", one.text)
    marks = [number for one in said for number in one.cites]
    if idle := [number for number in given if number not in marks]:
        which = f"source {idle[0]} is" if len(idle) == 1 else f"sources {', '.join(map(str, idle))} are"
        told = f"{which} cited at no sentence: in `content`, end the sentence that rests on source {idle[0]} with"
        yield Breach(11, f"{told} [{idle[0]}], and leave out of `sources` what no sentence rests on")
    if len(marks) > MOST_CITATIONS:
        yield Breach(4, f"it has {len(marks)} citations, and {MOST_CITATIONS} are the most")


def names_known_addresses(saying: Saying, record: Record) -> Iterator[Breach]:
    """A web address in the text must be among the entry's sources, and a conjecture must not have one. A closing, and
    an entry that is not a statement, may name addresses that are on the record."""
    if saying.type == "conjecture" and addresses_in(saying.content):
        yield Breach(12, "a conjecture names no pages, and this does")
        return
    known = {*saying.urls, *(record.cited if saying.type in ("closing_statement", *INTERRUPTIONS) else ())}
    for one in said_in(saying.content):
        if unknown_addresses(one.text, known):
            told = "a sentence names a page that is not among its sources: list it there, or leave it out"
            yield Breach(12, told, one.text, grave=True)


def refers(saying: Saying, record: Record) -> Iterator[Breach]:
    """References are to entries that exist, are not struck, and are of the right kind."""
    if saying.type == "rebuttal" and saying.rebuttal_to is None:
        yield Breach(4, "a rebuttal must carry rebuttal_to_seq, the number of the entry it answers")
    for name, seq in (("rebuttal_to_seq", saying.rebuttal_to), ("target_seq", saying.target)):
        if seq is None:
            continue
        if seq not in record.lines:
            yield Breach(4, f"{name} is {seq}, and there is no such entry")
        elif seq in record.redacted:
            yield Breach(14, f"{name} is {seq}, and that entry has been redacted")
        elif seq in record.withdrawn:
            yield Breach(4, f"{name} is {seq}, and that entry was withdrawn")
        elif name == "rebuttal_to_seq" and not record.statement(seq, saying.role):
            yield Breach(4, f"{name} is {seq}, and that is no statement of the other side")


def is_labelled(saying: Saying, record: Record) -> Iterator[Breach]:  # noqa: ARG001
    if saying.type == "conjecture" and not saying.content.lstrip().startswith(LABEL):
        yield Breach(9, f"a conjecture must begin with {LABEL}")


def is_paired(saying: Saying, record: Record) -> Iterator[Breach]:  # noqa: ARG001
    conjectures = saying.type == "conjecture" or saying.content.lstrip().startswith(LABEL)
    answers = saying.type == "rebuttal" or saying.rebuttal_to is not None
    if conjectures and answers and not saying.urls:
        yield Breach(10, "it answers with a conjecture and has no source beside it")


def brings_nothing_new(saying: Saying, record: Record) -> Iterator[Breach]:
    if saying.type == "closing_statement" and {*map(page_of, saying.urls)} - {*map(page_of, record.cited)}:
        yield Breach(4, "a closing statement may cite only what stands on the record, and this has a new source")


def is_specific(saying: Saying, record: Record) -> Iterator[Breach]:
    if saying.type != "source_challenge":
        return
    if saying.target is None or len(saying.urls) != 1 or word_count(saying.claim) < 3:
        yield Breach(15, "a challenge names target_seq, one source by its url, and in `claim` what that fails to bear")
        return
    if not record.statement(saying.target, saying.role):
        yield Breach(15, f"target_seq is {saying.target}, and that is no statement of the other side")
        return
    line, url = record.lines[saying.target], saying.urls[0]
    sentence = challenged_sentence(saying.claim, line.content, line.urls, url)
    if page_of(url) not in map(page_of, line.urls):
        yield Breach(15, f"the source challenged is not among those of entry {saying.target}")
    elif sentence is None:
        told = f"entry {saying.target} does not cite this source for that"
        yield Breach(15, f"{told}: copy the sentence you challenge, one that cites it, into `claim`")
    elif (saying.target, page_of(url), sentence) in record.settled:
        yield Breach(1, "this challenge was settled, and the ruling is final")


def challenged_sentence(claim: str, content: str, urls: Sequence[str], url: str) -> str | None:
    """What a challenger means, among what cites this source: the one that contains the words or that they contain. If
    a single one cites it, it is meant, unless the words stand elsewhere in the statement; None if there is none."""
    found = [
        one.text
        for one in said_in(content)
        if any(page_of(urls[number - 1]) == page_of(url) for number in one.cites if number <= len(urls))
    ]
    for text in found:
        if place_of(claim, text) or place_of(text, claim):
            return text
    return found[0] if len(found) == 1 and not named(claim, content) else None


def withdraws_its_own(saying: Saying, record: Record) -> Iterator[Breach]:
    if saying.type != "withdraw":
        return
    line = record.standing.get(saying.target) if saying.target is not None else None
    if line is None or line.speaker != saying.role or line.type in INTERRUPTIONS:
        yield Breach(4, "what is withdrawn is a statement of your own that stands: put its number into target_seq")
    elif saying.claim and not named(saying.claim, line.content):
        told = f"entry {saying.target} has no such sentence"
        yield Breach(4, f"{told}: copy what you withdraw into `claim`, or leave `claim` out")


def withdrawn_sentences(saying: Saying, content: str) -> list[str]:
    """What is withdrawn of this statement; empty for all of it. Somebody who cannot name sentences apart writes one as
    the only words of the withdrawal."""
    alone = without_marks(saying.content).strip()
    return named(saying.claim or (alone if alone in [one.text for one in said_in(content)] else ""), content)


CHECKS: tuple[Callable[[Saying, Record], Iterator[Breach]], ...] = (
    has_words,
    cites_addresses,
    refers,
    cites_at_sentences,
    names_known_addresses,
    is_labelled,
    is_paired,
    brings_nothing_new,
    is_specific,
    withdraws_its_own,
)
