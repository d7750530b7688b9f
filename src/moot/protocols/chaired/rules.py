"""The rules of a chaired debate, a proposed entry, and the record that it is checked against. The checks by code are in
`checks`."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from moot.api import Draft, Entry
from moot.protocols.chaired.citing import LABEL, addresses_in, page_of, said_in, without
from moot.protocols.chaired.config import DEBATERS, INTERRUPTIONS, STATEMENTS
from moot.protocols.chaired.payloads import Challenge, Outcome, Redaction, Setup, Stronger, Withdrawal
from moot.text.language import word_count

WINNERS: Mapping[Outcome, Stronger] = {"affirmative_wins": "promoter", "negative_wins": "detractor"}
GAP = "\n\n…\n\n"
"""Stands where a sentence was withdrawn, so that no other is named across it."""
MOST_QUESTIONS = 2
MOST_SOURCES = 8
MOST_CITATIONS = 16
MOST_WORDS = {
    "opening_statement": 400,
    "new_point": 300,
    "rebuttal": 300,
    "conjecture": 150,
    "closing_statement": 300,
    "source_challenge": 120,
    "clarification_request": 80,
    "withdraw": 60,
    "audience_question": 60,
}
ALLOWED_IN = {
    "opening": ("opening_statement",),
    "rebuttal": ("new_point", "rebuttal", "conjecture", *INTERRUPTIONS),
    "closing": ("closing_statement", "withdraw"),
    "system": (),
}
"""The statement types that are allowed in each phase."""


@dataclass(frozen=True, slots=True)
class Rule:
    """`kept` says who enforces it: code, a judge (a model whose finding the chair rules on), or both."""

    number: int
    words: str
    kept: Literal["code", "judge", "code and judge"]


RULES = {
    rule.number: rule
    for rule in (
        Rule(1, "The chair's rulings are final.", "code and judge"),
        Rule(2, "The rules bind both sides alike.", "code"),
        Rule(3, "All speak in turn, and once.", "code"),
        Rule(4, "An entry has the type, form and length of its phase and role.", "code and judge"),
        Rule(5, "The debate keeps to its number of rounds.", "code"),
        Rule(6, "No attack on the person.", "judge"),
        Rule(7, "No misrepresentation of what the other side said.", "judge"),
        Rule(8, "Conceding a fact is allowed.", "code"),
        Rule(9, f"Speculation starts with {LABEL}.", "code"),
        Rule(10, "A conjecture never stands alone as a rebuttal: it is paired with a source.", "code"),
        Rule(
            11,
            f"A new fact has a source at its sentence or is labelled {LABEL}; reasoning, and what is computed from "
            "cited figures, needs none.",
            "code and judge",
        ),
        Rule(12, "No invented sources: every address in the words is among the sources.", "code and judge"),
        Rule(13, "A source contains what it is cited for, and a quotation stands where it is from.", "code and judge"),
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
    """The broken rule and the explanation; `words` do not repeat the statement, which may be struck. A fault of one
    `sentence` does not cost the turn, unless it is `grave`."""

    rule: int
    words: str
    sentence: str = ""
    grave: bool = False

    @property
    def costs_turn(self) -> bool:
        return self.grave or not self.sentence

    def __str__(self) -> str:
        return f"it breaks rule {self.rule} ({RULES[self.rule].words.rstrip('.')}): {self.words}"

    @property
    def told(self) -> str:
        """The fault for its author, with the sentence."""
        return f"“{self.sentence}”: {self.words}" if self.sentence else str(self)


@dataclass(frozen=True, slots=True)
class Saying:
    """A planned statement. `urls` are its sources; `claim` is the claim that a challenged source does not support."""

    role: str
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
    content: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """The valid entries, without the sentences that were withdrawn; those that were struck or withdrawn; the settled
    challenges. `limits` are the maximal lengths of statements in the config, by role."""

    lines: Mapping[int, Line]
    redacted: frozenset[int] = frozenset()
    withdrawn: frozenset[int] = frozenset()
    settled: frozenset[tuple[int, str, str]] = frozenset()
    limits: Mapping[str, int] = field(default_factory=dict)

    @property
    def standing(self) -> dict[int, Line]:
        """The entries that were neither struck nor withdrawn."""
        gone = self.redacted | self.withdrawn
        return {seq: line for seq, line in self.lines.items() if seq not in gone}

    @property
    def cited(self) -> set[str]:
        """Every source on the record."""
        return {url for line in self.standing.values() for url in line.urls}

    @property
    def sourced(self) -> list[str]:
        """The sentences of the record that cite a source."""
        return [
            one.text
            for line in self.standing.values()
            if line.type in STATEMENTS
            for one in said_in(line.content)
            if one.cites
        ]

    def statement(self, seq: int, speaker: str) -> bool:
        """Whether that entry is a statement of the opponent of `speaker`."""
        line = self.lines.get(seq)
        return line is not None and line.type in STATEMENTS and line.speaker in DEBATERS and line.speaker != speaker

    def moves(
        self, phase: str, speaker: str, *, interrupted: bool = False
    ) -> tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]]:
        """The types of turn that a debater can take now, the entries that it can answer, and those that an interruption
        can be about. `interrupted`: this turn's interruption was used."""
        answered = tuple(seq for seq in self.standing if self.statement(seq, speaker))
        sourced = tuple(seq for seq in answered if self.lines[seq].urls)
        own = tuple(
            seq for seq, line in self.standing.items() if line.speaker == speaker and line.type not in INTERRUPTIONS
        )
        lacking = {
            "rebuttal": not answered,
            "source_challenge": interrupted or not sourced,
            "clarification_request": interrupted,
            "withdraw": interrupted or not own,
        }
        types = tuple(one for one in ALLOWED_IN[phase] if not lacking.get(one))
        aimed = {*(sourced if "source_challenge" in types else ()), *(own if "withdraw" in types else ())}
        return types, answered if "rebuttal" in types else (), tuple(sorted(aimed))


def record_of(entries: Sequence[Entry | Draft]) -> Record:
    """The record that these entries make. Those from outside are not on it."""
    lines: dict[int, Line] = {}
    limits: Mapping[str, int] = {}
    gone, withdrawn = set[int](), set[int]()
    settled = set[tuple[int, str, str]]()
    for entry in entries:
        if entry.seq is None or (isinstance(entry, Entry) and entry.outside):
            continue
        urls = tuple(source.url for source in entry.sources)
        lines[entry.seq] = Line(entry.speaker, entry.type, urls, entry.content)
        target = target_of(entry)
        match entry.data:
            case Redaction() if target is not None:
                gone.add(target)
            case Withdrawal(sentences=[]) if target is not None:
                withdrawn.add(target)
            case Withdrawal(sentences=sentences) if target in lines:
                for sentence in sentences:
                    left = without(sentence, lines[target].content, GAP)
                    lines[target] = replace(lines[target], content=left)
            case Challenge(url=url, sentence=sentence) if target is not None:
                settled.add((target, page_of(url), sentence))
            case Setup():
                limits = entry.data.words
    return Record(
        lines,
        frozenset(gone),
        frozenset(withdrawn),
        frozenset(settled),
        limits,
    )


def target_of(entry: Entry | Draft) -> int | None:
    """The seq of the entry that this one is about."""
    target = entry.target_seq if isinstance(entry, Entry) else entry.target
    return target.seq if isinstance(target, Draft) else target


def may_ask(question: str, record: Record) -> bool:
    """Whether the audience may ask this: in few words, and of no page that is not on the record."""
    return 1 <= word_count(question) <= MOST_WORDS["audience_question"] and not unknown_addresses(
        question, record.cited
    )


def unknown_addresses(text: str, known: Iterable[str]) -> list[str]:
    """The web addresses in a text that are not among the known ones."""
    pages = {page_of(url) for url in known}
    return [one for one in addresses_in(text) if page_of(one) not in pages]


def citations(text: str) -> list[int]:
    """The entries that a text cites as #7, each once, in order of first mention."""
    return list(dict.fromkeys(int(number) for number in re.findall(r"#(\d{1,6})\b", text)))


def misquotes(text: str, record: Record) -> str | None:
    """The cited entries that are not on the record, or None. Redacted entries can be mentioned."""
    unknown = [f"#{seq}" for seq in citations(text) if seq not in record.lines]
    return f"it cites {', '.join(unknown)}, and there is no such entry on the record" if unknown else None


def statements_in(record: Record) -> dict[int, Line]:
    return {seq: line for seq, line in record.standing.items() if line.type in STATEMENTS}


def rests_badly(seqs: Sequence[int], record: Record) -> Iterator[str]:
    """Faults if a decision is based on what is no statement that stands."""
    for seq in seqs:
        if seq not in statements_in(record):
            yield f"rests_on has {seq}, and that is no statement that stands; a decision rests on those alone"


def unearned(seqs: Sequence[int], outcome: Outcome, record: Record) -> str | None:
    """A fault if a decision is based on no statement of the winning side."""
    winner, statements = WINNERS.get(outcome), statements_in(record)
    if winner is None or any(statements[seq].speaker == winner for seq in seqs if seq in statements):
        return None
    lacking = f"has no statement of the {winner}" if seqs else "is empty"
    return f"rests_on {lacking}, and a side that wins does so by statements of its own"


def contradicts(stronger: Stronger | None, outcome: Outcome) -> str | None:
    """Whether the answer of a decision follows another case than the winner's."""
    if stronger is None or outcome == "void" or WINNERS.get(outcome, "neither") == stronger:
        return None
    return f"`answer` follows {'the ' * (stronger != 'neither')}{stronger}, and the outcome is {outcome}"


def uneven(one: str, two: str) -> str | None:
    """Whether two summaries differ in length by more than half of the shorter, and by more than a dozen words."""
    shorter, longer = sorted((word_count(one), word_count(two)))
    if longer - shorter > max(12, shorter / 2):
        return f"both sides must be summed up at equal length, and these have {shorter} and {longer} words"
    return None
