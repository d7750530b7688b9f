"""The rules of a chaired debate, including those that a program can check.

Each check is a function of a planned statement and the current record; the first breach counts. The same checks apply
to both debaters, to replies of models, and to entries of other programs.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from moot.protocols.chaired.config import DEBATERS, FROM_OUTSIDE, INTERRUPTIONS, STATEMENTS
from moot.protocols.chaired.payloads import Announcement, Redaction
from moot.record.entry import Draft, Entry

LABEL = "[CONJECTURE]"
CONCESSION = re.compile(r"\s*I concede\b", re.IGNORECASE)
MOST_QUESTIONS = 2
MOST_SOURCES = 8
MOST_WORDS = {
    "opening_statement": 400,
    "new_point": 300,
    "rebuttal": 300,
    "conjecture": 150,
    "closing_statement": 300,
    "source_challenge": 120,
    "clarification_request": 80,
    "audience_question": 60,
}
ALLOWED_IN = {
    "opening": ("opening_statement",),
    "rebuttal": ("new_point", "rebuttal", "conjecture", *INTERRUPTIONS),
    "closing": ("closing_statement",),
    "system": (),
}
"""The statement types that are allowed in each phase."""
PHASE_AFTER = {
    "ready": "opening",
    "openings": "opening",
    "round": "rebuttal",
    "closings": "closing",
    "over": "system",
    "end": "system",
}
"""The phase after an announcement of this kind; other kinds change nothing."""


@dataclass(frozen=True, slots=True)
class Rule:
    """`kept` says who enforces it: code, a judge (a model whose finding the chair rules on), or both."""

    number: int
    words: str
    kept: Literal["code", "judge", "code and judge"]


RULES = {
    rule.number: rule
    for rule in (
        Rule(1, "The chair's rulings are final.", "code"),
        Rule(2, "The rules bind both sides alike.", "code"),
        Rule(3, "Everybody speaks in turn, and once.", "code"),
        Rule(4, "An entry has the type, form and length of its phase and role.", "code"),
        Rule(5, "The debate keeps to its number of rounds.", "code"),
        Rule(6, "No attack on the person.", "judge"),
        Rule(7, "No misrepresentation of what the other side said.", "judge"),
        Rule(8, "Conceding a fact is allowed.", "code"),
        Rule(9, f"Speculation starts with {LABEL}.", "code"),
        Rule(10, "A conjecture never stands alone as a rebuttal: it is paired with a source.", "code"),
        Rule(11, f"A factual claim has a source or is labelled {LABEL}.", "code"),
        Rule(12, "No invented sources.", "code and judge"),
        Rule(13, "A source contains what it is cited for.", "code and judge"),
        Rule(14, "The verifier's findings bind.", "code"),
        Rule(15, "A challenge is specific: the entry, the source, and the claim it does not support.", "code"),
        Rule(16, "The reporter is strictly neutral.", "judge"),
        Rule(17, "What was redacted appears in no document.", "code"),
        Rule(18, "There is no blog post on a void debate.", "code"),
        Rule(19, "The verifier reports to the chair alone.", "code"),
        Rule(20, "A fabricated source is dealt with first.", "code"),
    )
}


@dataclass(frozen=True, slots=True)
class Breach:
    """The broken rule and the explanation; `words` do not repeat the statement."""

    rule: int
    words: str

    def __str__(self) -> str:
        return f"it breaks rule {self.rule} ({RULES[self.rule].words.rstrip('.')}): {self.words}"


@dataclass(frozen=True, slots=True)
class Saying:
    """A planned statement. `urls` are its sources; `claim` is the claim that a challenged source does not support."""

    role: str
    phase: str
    type: str
    content: str
    urls: tuple[str, ...] = ()
    rebuttal_to: int | None = None
    target: int | None = None
    claim: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """An entry of the record with the fields that the rules need."""

    speaker: str
    type: str
    urls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """The entries, the struck ones, and the current phase. `interrupted`: the speaker has used this turn's
    interruption."""

    lines: Mapping[int, Line]
    redacted: frozenset[int] = frozenset()
    interrupted: bool = False
    phase: str = "system"

    @property
    def cited(self) -> set[str]:
        """Every source of an entry that is not struck."""
        return {url for seq, line in self.lines.items() if seq not in self.redacted for url in line.urls}

    def statement(self, seq: int, speaker: str) -> bool:
        """Whether that entry is a statement of the opponent of `speaker`."""
        line = self.lines.get(seq)
        return line is not None and line.type in STATEMENTS and line.speaker in DEBATERS and line.speaker != speaker


def record_of(entries: Sequence[Entry | Draft], *, interrupted: bool = False) -> Record:
    """The record from these entries, without outside ones."""
    lines, redacted, phase = {}, set(), "system"
    for entry in entries:
        if entry.seq is None or (isinstance(entry, Entry) and entry.outside):
            continue
        lines[entry.seq] = Line(entry.speaker, entry.type, tuple(source.url for source in entry.sources))
        if isinstance(entry.data, Redaction) and (target := target_of(entry)) is not None:
            redacted.add(target)
        if isinstance(entry.data, Announcement):
            phase = PHASE_AFTER.get(entry.data.kind, phase)
    return Record(lines, frozenset(redacted), interrupted, phase)


def target_of(entry: Entry | Draft) -> int | None:
    """The seq of the entry that this one is about."""
    target = entry.target_seq if isinstance(entry, Entry) else entry.target
    return target.seq if isinstance(target, Draft) else target


def breach(saying: Saying, record: Record) -> Breach | None:
    """The first rule that a debater would break with this statement, or None."""
    return next((found for check in CHECKS if (found := check(saying, record)) is not None), None)


def fits_phase(saying: Saying, record: Record) -> Breach | None:
    allowed = ALLOWED_IN.get(saying.phase, ()) if saying.role in DEBATERS else ()
    if saying.type not in allowed:
        may = f"may use {' or '.join(allowed)}" if allowed else "has no turn"
        return Breach(4, f"in the phase {saying.phase} the {saying.role} {may}, not {saying.type}")
    if saying.type in INTERRUPTIONS and record.interrupted:
        return Breach(3, "the one interruption of this turn is spent; now the statement itself is wanted")
    return None


def has_words(saying: Saying, record: Record) -> Breach | None:  # noqa: ARG001 (a check's signature)
    count, most = len(saying.content.split()), MOST_WORDS.get(saying.type, 0)
    if count == 0:
        return Breach(4, "there are no words in it")
    return Breach(4, f"it has {count} words, and a {saying.type} may have {most}") if count > most else None


def cites_addresses(saying: Saying, record: Record) -> Breach | None:  # noqa: ARG001
    """A URL stays visible even if the words around it are struck, so it must not carry a message."""
    if any(not url or len(url.split()) != 1 for url in saying.urls):
        return Breach(4, "the url of a source is an address, without spaces")
    if len(saying.urls) > MOST_SOURCES:
        return Breach(4, f"it has {len(saying.urls)} sources, and {MOST_SOURCES} are the most")
    return None


def refers(saying: Saying, record: Record) -> Breach | None:
    """References must be to entries that exist, are not struck, and have the right type."""
    if saying.type == "rebuttal" and saying.rebuttal_to is None:
        return Breach(4, "a rebuttal must carry rebuttal_to_seq, the number of the entry it answers")
    for name, seq in (("rebuttal_to_seq", saying.rebuttal_to), ("target_seq", saying.target)):
        if seq is None:
            continue
        if seq not in record.lines:
            return Breach(4, f"{name} is {seq}, and there is no such entry")
        if seq in record.redacted:
            return Breach(14, f"{name} is {seq}, and that entry has been redacted")
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


def is_sourced(saying: Saying, record: Record) -> Breach | None:  # noqa: ARG001
    """Without a source every paragraph needs a label, unless the statement concedes. Closings rely on earlier
    statements."""
    if saying.urls or saying.type not in ("opening_statement", "new_point", "rebuttal"):
        return None
    if saying.type == "rebuttal" and CONCESSION.match(saying.content):
        return None
    if all(part.lstrip().startswith(LABEL) for part in re.split(r"\n\s*\n", saying.content.strip())):
        return None
    return Breach(11, f"it has no source, and not every paragraph begins with {LABEL}")


def brings_nothing_new(saying: Saying, record: Record) -> Breach | None:
    if saying.type == "closing_statement" and set(saying.urls) - record.cited:
        return Breach(4, "a closing statement may cite only what stands on the record, and this has a new source")
    return None


def is_specific(saying: Saying, record: Record) -> Breach | None:
    if saying.type != "source_challenge":
        return None
    if saying.target is None or len(saying.urls) != 1 or len(saying.claim.split()) < 3:
        return Breach(15, "a challenge names target_seq, one source by its url, and in `claim` what that fails to bear")
    if not record.statement(saying.target, saying.role):
        return Breach(15, f"target_seq is {saying.target}, and that is no statement of the other side")
    if saying.urls[0] not in record.lines[saying.target].urls:
        return Breach(15, f"the source challenged is not among those of entry {saying.target}")
    return None


CHECKS: tuple[Callable[[Saying, Record], Breach | None], ...] = (
    fits_phase,
    has_words,
    cites_addresses,
    refers,
    is_labelled,
    is_paired,
    is_sourced,
    brings_nothing_new,
    is_specific,
)


def too_many_questions(questions: Sequence[str]) -> Breach | None:
    """The limits for the audience's questions after a round."""
    if len(questions) > MOST_QUESTIONS:
        return Breach(3, f"the audience may ask {MOST_QUESTIONS} questions after a round, not {len(questions)}")
    for question in questions:
        if not 1 <= (count := len(question.split())) <= MOST_WORDS["audience_question"]:
            return Breach(4, f"a question may have {MOST_WORDS['audience_question']} words, not {count}")
    return None


def citations(text: str) -> list[int]:
    """The entries that a text cites as #7, each once, in order of first mention."""
    return list(dict.fromkeys(int(number) for number in re.findall(r"#(\d{1,6})\b", text)))


def poor_view(text: str, record: Record) -> str | None:
    """The fault of an audience's conclusion, or None."""
    count, cites = len(text.split()), citations(text)
    if not 200 <= count <= 400:
        return f"it has {count} words, and 200 to 400 are wanted"
    if not 2 <= len(cites) <= 3:
        return f"it cites {len(cites)} entries by their numbers, such as #5, and two or three are wanted"
    unknown = [seq for seq in cites if seq not in record.lines or seq in record.redacted]
    return f"it cites entry {unknown[0]}, which is not on the record" if unknown else None


def misquotes(text: str, record: Record) -> str | None:
    """The cited entries that are not on the record, or None. Redacted entries can be mentioned."""
    unknown = [f"#{seq}" for seq in citations(text) if seq not in record.lines]
    return f"it cites {', '.join(unknown)}, and there is no such entry on the record" if unknown else None


def uneven(one: str, two: str) -> str | None:
    """Whether two summaries differ in length by more than half of the shorter, and by more than a dozen words."""
    shorter, longer = sorted((len(one.split()), len(two.split())))
    if longer - shorter > max(12, shorter / 2):
        return f"both sides must be summed up at equal length, and these have {shorter} and {longer} words"
    return None


def refused(
    entries: Sequence[Entry],
    *,
    phase: str,
    speaker: str,
    type: str,  # noqa: A002 (the name of the field)
    content: str,
    urls: Sequence[str],
    rebuttal_to: int | None,
    target: int | None,
) -> str | None:
    """Why an entry from outside is refused, or None. It must follow the rules of its role."""
    if speaker not in FROM_OUTSIDE:
        return f"no outside agent speaks for the {speaker}; only for {', '.join(FROM_OUTSIDE)}"
    record = record_of(entries)
    if phase != record.phase:
        return f"the debate is in its phase {record.phase}, not {phase}"
    for seq in (rebuttal_to, target):
        if seq is not None and seq in record.redacted:
            return f"entry {seq} has been redacted"
    if speaker in DEBATERS:
        claim = content if type == "source_challenge" else ""
        saying = Saying(speaker, phase, type, content, tuple(urls), rebuttal_to, target, claim)
        found = breach(saying, record)
        return None if found is None else str(found)
    if type == "audience_question":
        questions = questions_in(content)
        if questions is None:
            return 'questions are given as {"questions": [{"to": "promoter", "question": "…"}]}; the list may be empty'
        found = too_many_questions(questions)
        return None if found is None else str(found)
    return None


def questions_in(content: str) -> list[str] | None:
    """The questions in one entry of an outside audience; None if the format is wrong."""
    try:
        listed = json.loads(content)["questions"]
        asked = [(one["to"], one["question"]) for one in listed]
    except (RecursionError, ValueError, KeyError, TypeError):
        return None
    if not isinstance(listed, list) or any(to not in DEBATERS or not isinstance(text, str) for to, text in asked):
        return None
    return [text for _, text in asked]
