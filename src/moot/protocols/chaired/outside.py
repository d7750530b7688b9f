"""Entries of outside programs in a chaired debate, and the reasons why some are refused."""

import json
from collections.abc import Sequence

from moot.api import Due, Entry
from moot.protocols.chaired import prompts
from moot.protocols.chaired.checks import faults, most_words
from moot.protocols.chaired.config import DEBATERS, INTERRUPTIONS, STATEMENTS, WITH_TURNS
from moot.protocols.chaired.payloads import Announcement, Conclusion, Question, Redaction, Ruling, Setup
from moot.protocols.chaired.record import readable
from moot.protocols.chaired.rules import ALLOWED_IN, PHASE_AFTER, Saying, poor_view, record_of, too_many_questions

ORDER: dict[str, tuple[str, ...]] = {
    "ready": DEBATERS,
    "round": (*DEBATERS, "audience"),
    "closings": tuple(reversed(DEBATERS)),
}
"""Who speaks after an announcement of a kind, in turn."""


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
    """The reason why an entry from outside is refused, or None. It must follow the rules of its role."""
    if speaker not in WITH_TURNS:
        return f"the {speaker} has no turns: it answers what it is asked, with entries of the type answer"
    record = record_of(entries)
    if phase != record.phase:
        return f"the debate is in its phase {record.phase}, not {phase}"
    for seq in (rebuttal_to, target):
        if seq is not None and seq in record.redacted:
            return f"entry {seq} has been redacted"
    if speaker in DEBATERS:
        claim = content if type == "source_challenge" else ""
        saying = Saying(speaker, phase, type, content, tuple(urls), rebuttal_to, target, claim)
        broken = faults(saying, record)
        return "; ".join(map(str, broken)) or None
    if type == "audience_question":
        questions = questions_in(content)
        if questions is None:
            return 'questions are given as {"questions": [{"to": "promoter", "question": "…"}]}; the list may be empty'
        found = too_many_questions(questions, record)
        return None if found is None else str(found)
    return poor_view(content, record)


def questions_in(content: str) -> list[str] | None:
    """The questions that an outside audience asks in one entry; None when it is not in their form."""
    try:
        listed = json.loads(content)["questions"]
        asked = [(one["to"], one["question"]) for one in listed]
    except (RecursionError, ValueError, KeyError, TypeError):
        return None
    if not isinstance(listed, list) or any(to not in DEBATERS or not isinstance(text, str) for to, text in asked):
        return None
    return [text for _, text in asked]


def due(entries: Sequence[Entry]) -> Due | None:
    """Whose turn it is by the log, and what is asked; None while the chair or the verifier is at work."""
    own = [entry for entry in entries if not entry.outside]
    marks = [at for at, one in enumerate(own) if isinstance(one.data, Announcement) and one.data.kind in PHASE_AFTER]
    if not marks:
        return None
    last = own[marks[-1]].data
    kind = last.kind if isinstance(last, Announcement) else ""
    since = own[marks[-1] :]
    if kind == "over":
        return _due_at_the_end(since)
    for role in ORDER.get(kind, ()):
        if role == "audience":
            return _due_audience(entries, since)
        if not _has_spoken(role, since):
            return _due_debater(entries, role, since)
    return None


def _due_at_the_end(since: Sequence[Entry]) -> Due | None:
    concluded = any(isinstance(one.data, Conclusion) for one in since)
    if not concluded or any(one.type == "audience_conclusion" for one in since):
        return None
    asked = prompts.VIEW.full.partition("{record}")[2].strip()
    return Due("audience", "system", ("audience_conclusion",), " ".join(asked.split()))


def _due_audience(entries: Sequence[Entry], since: Sequence[Entry]) -> Due | None:
    """The audience may ask nothing; then only its entry from outside shows that it was asked."""
    if any(one.speaker == "audience" and one.outside and one.seq > since[-1].seq for one in entries):
        return None
    if any(
        isinstance(one.data, Question) or (isinstance(one.data, Ruling) and one.data.about == "question")
        for one in since
    ):
        return None
    form = 'as JSON: {"questions": [{"to": "promoter", "question": "…"}]}; the list may be empty'
    asked = f"The round is over. Ask up to two questions of the debaters, of at most 60 words each, {form}."
    return Due("audience", "rebuttal", ("audience_question",), asked)


def _has_spoken(role: str, since: Sequence[Entry]) -> bool:
    """Whether a debater's turn is over: it made its statement, or lost its turn."""
    return any(
        (one.speaker == role and one.type in STATEMENTS)
        or (isinstance(one.data, Ruling) and one.data.about == "struck" and one.data.against == role)
        for one in since
    )


def _due_debater(entries: Sequence[Entry], role: str, since: Sequence[Entry]) -> Due | None:
    interrupted = [one for one in since if one.speaker == role and one.type in INTERRUPTIONS]
    if interrupted and interrupted[-1].type != "withdraw" and since[-1] is interrupted[-1]:
        return None  # the chair is settling it
    record = record_of(entries)
    types = tuple(kind for kind in ALLOWED_IN[record.phase] if not interrupted or kind not in INTERRUPTIONS)
    header = next(one.data for one in entries if isinstance(one.data, Setup))
    limits = ", ".join(f"{kind} (at most {most_words(kind, role, record)} words)" for kind in types)
    side = "for" if role == "promoter" else "against"
    said = [
        f"You are the {role}, {side} the topic: {header.topic}",
        f"It is your turn in the phase {record.phase}: {limits}.",
    ]
    if record.phase == "rebuttal":
        said.append(_to_answer(entries, role))
    said += [f"{one.speaker}, entry #{one.seq}: {one.content}" for one in _notes(entries, role)]
    return Due(role, record.phase, types, "\n\n".join(filter(None, [*said, prompts.CITING])))


def _to_answer(entries: Sequence[Entry], role: str) -> str:
    record = record_of(entries)
    others = [seq for seq, line in record.standing.items() if record.statement(seq, role) and line.speaker != role]
    return prompts.ANSWERING.format(seq=others[-1]).strip() if others else ""


def _notes(entries: Sequence[Entry], role: str) -> list[Entry]:
    """Rulings against a debater and questions to it since it last spoke."""
    shown = readable([entry for entry in entries if not entry.outside])
    spoke = max((one.seq for one in shown if one.speaker == role and one.type in STATEMENTS), default=-1)
    return [
        one
        for one in shown
        if one.seq > spoke
        and (
            (isinstance(one.data, Ruling | Redaction) and one.data.against == role)
            or (isinstance(one.data, Question) and one.data.to == role)
        )
    ]
