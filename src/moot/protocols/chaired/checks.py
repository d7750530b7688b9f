"""The rules that a program can check. Each check is a function of a proposed entry and of the current record; the first
breach counts. The same checks apply to both debaters, a model's reply and an entry that another program appends.
Questions of meaning are left to the verifier and the chair."""

from collections.abc import Callable, Sequence

from moot.evidence import find_quote
from moot.evidence.anchors import figures, stands
from moot.evidence.ranking import words
from moot.protocols.chaired.citing import LABEL, addresses_in, said_in, without_marks
from moot.protocols.chaired.config import DEBATERS, INTERRUPTIONS
from moot.protocols.chaired.rules import (
    ALLOWED_IN,
    MOST_CITATIONS,
    MOST_SOURCES,
    MOST_WORDS,
    Breach,
    Record,
    Saying,
    unknown_addresses,
)
from moot.text.language import word_count

SAME_CLAIM = 0.5
"""The share of a challenger's words that a sentence must have to be the one that is challenged."""


def breach(saying: Saying, record: Record) -> Breach | None:
    """The first rule that a debater would break by saying this, or None."""
    return next((found for check in CHECKS if (found := check(saying, record)) is not None), None)


def fits_phase(saying: Saying, record: Record) -> Breach | None:
    allowed = ALLOWED_IN.get(saying.phase, ()) if saying.role in DEBATERS else ()
    if saying.type not in allowed:
        may = f"may use {' or '.join(allowed)}" if allowed else "has no turn"
        return Breach(4, f"in the phase {saying.phase} the {saying.role} {may}, not {saying.type}")
    if saying.type in INTERRUPTIONS and record.interrupted:
        return Breach(3, "the one interruption of this turn is spent; now the statement itself is wanted")
    return None


def has_words(saying: Saying, record: Record) -> Breach | None:
    count, most = word_count(without_marks(saying.content)), most_words(saying.type, saying.role, record)
    if count == 0:
        return Breach(4, "there are no words in it")
    return Breach(4, f"it has {count} words, and a {saying.type} may have {most}") if count > most else None


def most_words(kind: str, role: str, record: Record) -> int:
    """The maximal length of an entry of this type by this role."""
    return record.limits.get(role, {}).get(kind, MOST_WORDS.get(kind, 0))


def cites_addresses(saying: Saying, record: Record) -> Breach | None:  # noqa: ARG001
    """A URL is shown even where the words around it are struck, so it must not be able to say anything."""
    if any(not url or len(url.split()) != 1 for url in saying.urls):
        return Breach(4, "the url of a source is an address, without spaces")
    if len(saying.urls) > MOST_SOURCES:
        return Breach(4, f"it has {len(saying.urls)} sources, and {MOST_SOURCES} are the most")
    return None


def cites_at_sentences(saying: Saying, record: Record) -> Breach | None:  # noqa: ARG001
    """Every citation is of a source that is given, and every source is cited at some sentence."""
    if saying.type in INTERRUPTIONS:
        return None
    marks = [number for one in said_in(saying.content) for number in one.cites]
    if wrong := [number for number in marks if not 1 <= number <= len(saying.urls)]:
        return Breach(4, f"it cites [{wrong[0]}], and `sources` has {len(saying.urls)}, counted from 1")
    if idle := [number for number in range(1, len(saying.urls) + 1) if number not in marks]:
        which = f"source {idle[0]} is" if len(idle) == 1 else f"sources {', '.join(map(str, idle))} are"
        told = f"{which} cited at no sentence: in `content`, end the sentence that rests on source {idle[0]} with"
        return Breach(11, f"{told} [{idle[0]}], and leave out of `sources` what no sentence rests on")
    if len(marks) > MOST_CITATIONS:
        return Breach(4, f"it has {len(marks)} citations, and {MOST_CITATIONS} are the most")
    return None


def names_known_addresses(saying: Saying, record: Record) -> Breach | None:
    """A web address in the text must be among the entry's sources, and a conjecture must not have one. A closing, and
    an entry that is not a statement, may name addresses that are on the record."""
    if saying.type == "conjecture" and addresses_in(saying.content):
        return Breach(12, "a conjecture names no pages, and this does")
    known = {*saying.urls, *(record.cited if saying.type in ("closing_statement", *INTERRUPTIONS) else ())}
    if unknown_addresses(saying.content, known):
        return Breach(12, "its words name a page that is not among its sources")
    return None


def refers(saying: Saying, record: Record) -> Breach | None:
    """References are to entries that exist, are not struck, and are of the right kind."""
    if saying.type == "rebuttal" and saying.rebuttal_to is None:
        return Breach(4, "a rebuttal must carry rebuttal_to_seq, the number of the entry it answers")
    for name, seq in (("rebuttal_to_seq", saying.rebuttal_to), ("target_seq", saying.target)):
        if seq is None:
            continue
        if seq not in record.lines:
            return Breach(4, f"{name} is {seq}, and there is no such entry")
        if seq in record.redacted:
            return Breach(14, f"{name} is {seq}, and that entry has been redacted")
        if seq in record.withdrawn:
            return Breach(4, f"{name} is {seq}, and that entry was withdrawn")
    if saying.rebuttal_to is not None and not record.statement(saying.rebuttal_to, saying.role):
        return Breach(4, f"rebuttal_to_seq is {saying.rebuttal_to}, and that is no statement of the other side")
    return None


def is_labelled(saying: Saying, record: Record) -> Breach | None:  # noqa: ARG001
    if saying.type == "conjecture" and not saying.content.lstrip().startswith(LABEL):
        return Breach(9, f"a conjecture must begin with {LABEL}")
    return None


def is_paired(saying: Saying, record: Record) -> Breach | None:  # noqa: ARG001
    conjectures = saying.type == "conjecture" or saying.content.lstrip().startswith(LABEL)
    answers = saying.type == "rebuttal" or saying.rebuttal_to is not None
    if conjectures and answers and not saying.urls:
        return Breach(10, "it answers with a conjecture and has no source beside it")
    return None


def is_sourced(saying: Saying, record: Record) -> Breach | None:
    """Sentence by sentence: a figure that nobody has stated with a source, here or before, needs one, or the label.
    Openings and new points bring something that is not on the record, so each has a source, or the label on every
    paragraph."""
    if saying.type in INTERRUPTIONS:
        return None
    found = said_in(saying.content)
    stated = [*record.stated(saying.role), *(one.text for one in found if one.cites)]
    for number, one in enumerate(found, 1):
        if one.cites or one.labelled or all(stands(figure, stated) for figure in figures(one.text)):
            continue
        told = f"sentence {number} of {len(found)} states a figure that nobody has cited a source for, and cites none"
        return Breach(11, f"{told}: put a source there, as [1], or begin it with {LABEL}")
    if saying.type in ("opening_statement", "new_point") and not saying.urls and not all(one.labelled for one in found):
        return Breach(11, f"it has no source, and not every paragraph begins with {LABEL}")
    return None


def brings_nothing_new(saying: Saying, record: Record) -> Breach | None:
    if saying.type == "closing_statement" and set(saying.urls) - record.cited:
        return Breach(4, "a closing statement may cite only what stands on the record, and this has a new source")
    return None


def is_specific(saying: Saying, record: Record) -> Breach | None:
    if saying.type != "source_challenge":
        return None
    if saying.target is None or len(saying.urls) != 1 or word_count(saying.claim) < 3:
        return Breach(15, "a challenge names target_seq, one source by its url, and in `claim` what that fails to bear")
    if not record.statement(saying.target, saying.role):
        return Breach(15, f"target_seq is {saying.target}, and that is no statement of the other side")
    line = record.lines[saying.target]
    if saying.urls[0] not in line.urls:
        return Breach(15, f"the source challenged is not among those of entry {saying.target}")
    if (sentence := challenged_sentence(saying.claim, line.content, line.urls, saying.urls[0])) is None:
        told = f"entry {saying.target} does not cite this source for that"
        return Breach(15, f"{told}: copy the sentence you challenge, one that cites it, into `claim`")
    if (saying.target, saying.urls[0], sentence) in record.settled:
        return Breach(1, "this challenge was settled, and the ruling is final")
    return None


def challenged_sentence(claim: str, content: str, urls: Sequence[str], url: str) -> str | None:
    """The claim that a challenger means, among those that cite this source: the one that contains the words, or that
    shares most of them; None if there is none."""
    found = [
        cited.text
        for one in said_in(content)
        for cited in one.claims
        if any(urls[number - 1] == url for number in cited.sources if number <= len(urls))
    ]
    for text in found:
        if _within(claim, text) or _within(text, claim):
            return text
    if any(_within(claim, one.text) for one in said_in(content)):  # it is said, and not with this source
        return None
    wanted = set(words(claim))
    shares = [(len(wanted & set(words(text))), -place) for place, text in enumerate(found)]
    shared, place = max(shares, default=(0, 0))
    return found[-place] if shared and shared >= SAME_CLAIM * len(wanted) else None


def _within(words_of: str, text: str) -> bool:
    return find_quote(words_of.casefold(), text.casefold(), least=1) is not None


def withdraws_its_own(saying: Saying, record: Record) -> Breach | None:
    if saying.type != "withdraw":
        return None
    line = record.standing.get(saying.target) if saying.target is not None else None
    if line is None or line.speaker != saying.role or line.type in INTERRUPTIONS:
        return Breach(4, "what is withdrawn is a statement of your own that stands: put its number into target_seq")
    return None


CHECKS: tuple[Callable[[Saying, Record], Breach | None], ...] = (
    fits_phase,
    has_words,
    cites_addresses,
    refers,
    cites_at_sentences,
    names_known_addresses,
    is_labelled,
    is_paired,
    is_sourced,
    brings_nothing_new,
    is_specific,
    withdraws_its_own,
)
