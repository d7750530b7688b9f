"""How the entries of a chaired debate are displayed."""

from collections.abc import Sequence
from dataclasses import replace

from moot.api import Entry, Header, plain_line
from moot.present import Line, Lines
from moot.protocols.chaired.config import DEBATERS
from moot.protocols.chaired.documents import stretch_of
from moot.protocols.chaired.payloads import (
    STATUS_WORDS,
    Announcement,
    Challenge,
    Conclusion,
    Leaning,
    Question,
    Redaction,
    Ruling,
    Setup,
    Spoken,
    Verification,
    View,
    Withdrawal,
)

STEPS = {
    "topic": "is wording the topic",
    "turn": "is preparing a statement",
    "turn-again": "is mending a statement",
    "check": "is checking a source",
    "conduct": "is weighing the conduct",
    "clarify": "is clarifying",
    "questions": "is listening",
    "relay": "is choosing questions",
    "go-on": "is deciding whether to go on",
    "unresolved": "is naming what is unresolved",
    "decision": "is deciding",
    "leaning": "is saying in private what it leans to",
    "view": "is taking stock",
    "summary": "is writing the summary",
    "post": "is writing the post",
    "post-again": "is writing the post again",
    "assessment": "is assessing the debate",
}
PLACES = {
    "openings": "the opening statements",
    "closings": "the closing statements",
    "over": "the decision",
    "end": "the reports",
}


def place(entries: Sequence[Entry]) -> str:
    """What the chair announced last."""
    at, most = "the beginning", 0
    for entry in entries:
        if isinstance(entry.data, Setup):
            most = entry.data.max_rounds
        elif isinstance(entry.data, Announcement) and entry.data.kind == "round":
            at = f"round {entry.data.round} of at most {most}"
        elif isinstance(entry.data, Announcement):
            at = PLACES.get(entry.data.kind, at)
    return at


def lines() -> Lines:
    """Puts a chaired debate's entries into lines, each in its section of the debate."""
    sides: dict[str, str] = {}
    stretch = ""

    def line(entry: Entry) -> Line | None:
        nonlocal stretch
        if entry.outside:
            return None
        if isinstance(entry.data, Header):
            sides.update({member.name: member.side for member in entry.data.cast if member.side})
        stretch = stretch_of(entry, stretch)
        return replace(_line(entry, sides.get(entry.speaker)) or plain_line(entry), group=stretch)

    return line


def _line(entry: Entry, side: str | None) -> Line | None:  # noqa: C901, PLR0912 (a case for each kind)
    words = entry.type.replace("_", " ")
    match entry.data:
        case Spoken(round=number):
            when = f"round {number}" if number else entry.phase
            return Line("statement", " · ".join(filter(None, [side, words, when])))
        case Challenge():
            return Line("mark", "challenges a source", "challenge")
        case Verification(status=status, url=url, explanation=why, sentence=sentence):
            tone = "good" if status == "confirmed" else "bad"
            text = f"“{sentence}”, {url}: {why}" if sentence else f"{url}: {why}"
            return Line("mark", "reports to the chair", STATUS_WORDS[status], text=text, tone=tone)  # type: ignore[arg-type]
        case Withdrawal(sentences=[]):
            return Line("mark", "takes back an entry", "withdrawn")
        case Withdrawal(sentences=sentences):
            text = f"{' '.join(f'“{one}”' for one in sentences)} {entry.content}"
            return Line("mark", "takes back words", "withdrawn", text=text)
        case Redaction():
            return Line("mark", "strikes an entry", "redacted", tone="bad")
        case Ruling(rule=rule):
            return Line("mark", "rules", f"rule {rule}")
        case Question(to=to):
            return Line("statement", f"asks the {to}")
        case Leaning():
            return Line("note", "tells in private how far it leans")
        case Conclusion():
            return Line("verdict", "concludes")
        case View():
            return Line("statement", "takes home")
        case Announcement(kind="missing"):
            return Line("mark", "continues without", "missing", tone="bad")
        case Announcement():
            return Line("note", "announces", tone="strong")
        case _:
            return Line("statement", words) if entry.speaker in DEBATERS else None
