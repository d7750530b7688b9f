"""The outcome of a chaired debate, computed from its log."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel

from moot.api import Draft, Entry, header_of, shared_fields
from moot.api.capabilities import Ground
from moot.evidence import Status
from moot.protocols.chaired.citing import page_of, without_marks
from moot.protocols.chaired.config import DEBATERS, STATEMENTS
from moot.protocols.chaired.payloads import (
    STATUS_WORDS,
    Announcement,
    Conclusion,
    Leaning,
    Outcome,
    Redaction,
    Ruling,
    Setup,
    Verification,
    View,
)
from moot.protocols.chaired.record import mask_of, readable, taken_back
from moot.protocols.chaired.rules import record_of, target_of

STATUSES = tuple(STATUS_WORDS)

REFUSES: Mapping[Ground, Sequence[str]] = {
    "contradicted": ("answer_contradicts_verdict", "conclusion_not_compared", "reasons_contradict_outcome"),
    "unsupported": (
        "win_without_statement",
        "win_rests_on_refuted",
        "winner_cited_fabricated_sources",
        "no_source_judged",
    ),
    "incomplete": ("side_without_statement",),
}
"""Flags that make an outcome unreliable."""


class Redacted(BaseModel):
    """A struck entry and its ruling."""

    seq: int
    speaker: str
    ruling: int
    reason: str


class Side(BaseModel):
    """The log's figures for one debater. `rulings` are those against it, including redactions; `sources` counts the
    verifier's findings by status."""

    statements: int
    redacted: int
    withdrawn: int
    rulings: int
    sources: dict[str, int]


class Leant(BaseModel):
    """How far somebody leant to the topic, of 100, before and after, and the statements that moved it. Its reason is
    private."""

    before: int | None
    after: int | None
    moved_by: list[int]


class ChairedOutcome(BaseModel):
    """`outcome` is null if the chair did not reach one. `decided_by` code means that the rules alone made the debate
    void. `winner` is the debater whose side won."""

    topic: str
    outcome: Outcome | None
    winner: Literal["promoter", "detractor"] | None
    decided_by: Literal["chair", "code"] | None
    reasoning: str | None
    rounds: int
    sides: dict[str, Side]
    verification: dict[str, int]
    redactions: list[Redacted]
    audience_conclusion: str | None
    audience_cites: list[int]
    leanings: dict[str, Leant]
    names: dict[str, str]


def outcome(entries: Sequence[Entry]) -> ChairedOutcome:
    entries = readable([entry for entry in entries if not entry.outside])
    setup = header_of(entries, Setup)
    last = next((entry for entry in entries if isinstance(entry.data, Conclusion)), None)
    conclusion = last.data if last and isinstance(last.data, Conclusion) else None
    view = next((entry for entry in entries if isinstance(entry.data, View)), None)
    decided = conclusion.outcome if conclusion else None
    found = [one.status for one in findings(entries).values()]
    return ChairedOutcome(
        topic=setup.topic,
        outcome=decided,
        winner="promoter" if decided == "affirmative_wins" else "detractor" if decided == "negative_wins" else None,
        decided_by=conclusion.by if conclusion else None,
        reasoning=last.content if last else None,
        rounds=rounds_held(entries),
        sides={role: side_of(role, entries) for role in DEBATERS},
        verification={status: found.count(status) for status in STATUSES},
        redactions=redacted(entries),
        audience_conclusion=view.content if view else None,
        audience_cites=view.data.cites if view and isinstance(view.data, View) else [],
        names=setup.names,
        leanings={
            entry.speaker: Leant(**shared_fields(entry.data, "before", "after", "moved_by"))
            for entry in entries
            if isinstance(entry.data, Leaning)
        },
    )


def rounds_held(entries: Sequence[Entry]) -> int:
    """The number of announced rounds."""
    rounds = [entry.data.round or 0 for entry in entries if isinstance(entry.data, Announcement)]
    return max(rounds, default=0)


def redacted(entries: Sequence[Entry]) -> list[Redacted]:
    by_seq = {entry.seq: entry for entry in entries}
    return [
        Redacted(seq=one.seq, speaker=by_seq[one.seq].speaker, ruling=one.ruling, reason=one.reason)
        for one in mask_of(entries).struck.values()
    ]


def rulings_against(role: str, entries: Sequence[Entry | Draft]) -> int:
    """The number of rulings against a role; a redaction is a ruling too."""
    return sum(isinstance(one.data, Ruling | Redaction) and one.data.against == role for one in entries)


def findings(entries: Sequence[Entry | Draft]) -> dict[tuple[int | None, str, str], Verification]:
    """What was found of each citation, by entry, page and sentence. Where a challenge had one looked at again, that
    is what counts, unless nothing came of that look. A sentence that was withdrawn does not count, unless its source
    is fabricated."""
    gone = taken_back(entries)
    found = [
        ((target_of(one), page_of(one.data.url), one.data.sentence), one.data)
        for one in entries
        if isinstance(one.data, Verification)
        and (one.data.status == "fabricated" or not is_within(one.data.sentence, gone.get(target_of(one), ())))
    ]
    found.sort(key=lambda one: 0 if one[1].status == "unjudged" else 2 if one[1].challenged else 1)
    return dict(found)


def is_within(words: str, sentences: Sequence[str]) -> bool:
    """Whether the words are of one of these sentences."""
    return any(words in without_marks(one) for one in sentences)


def found_of(role: str, entries: Sequence[Entry | Draft]) -> Counter[Status]:
    """How many of a debater's citations have each status."""
    speakers = {one.seq: one.speaker for one in entries}
    return Counter(found.status for (seq, _, _), found in findings(entries).items() if speakers.get(seq) == role)


def side_of(role: str, entries: Sequence[Entry]) -> Side:
    record = record_of(entries)
    said = [entry.seq for entry in entries if entry.speaker == role and entry.type in STATEMENTS]
    found = found_of(role, entries)
    return Side(
        statements=sum(seq in record.standing for seq in said),
        redacted=sum(seq in record.redacted for seq in said),
        withdrawn=sum(seq in record.withdrawn - record.redacted for seq in said),
        rulings=rulings_against(role, entries),
        sources={status: found[status] for status in STATUSES},
    )
