"""What a program that is not moot may say in a chaired debate, and why it may not."""

import json
from collections.abc import Sequence

from moot.protocols.chaired.checks import breach
from moot.protocols.chaired.config import DEBATERS, FROM_OUTSIDE
from moot.protocols.chaired.rules import Saying, poor_view, record_of, too_many_questions
from moot.record.entry import Entry


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
    """Why an entry from outside is not taken, or None. It must keep the rules that bind the role it speaks for."""
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
