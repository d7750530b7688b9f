"""What is submitted to a debate: a diff, or a text that is too long for a subject, becomes its first document."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from moot.engine.define.options import Subject
from moot.text import clip, one_line

LONGEST_SUBJECT = 20_000
LONGEST_TITLE = 150
ABOUT_CHANGE = "Should the change in [D1] be merged?"
"""The subject of a debate about a diff."""
UNNAMED = "as submitted"
"""The source of a document that did not come from a file."""


@dataclass(frozen=True, slots=True)
class Submission:
    """A subject that came as a document: the settings that put it to debate, the document, and the settings that follow
    from it where nobody gives others."""

    subject: Mapping[str, str]
    document: dict[str, str]
    implied: Mapping[str, Any]


def submission(subject: Subject, text: Any, source: str = "") -> Submission | None:
    """A diff or a long text as a document, from the file `source`; None for any other subject."""
    from moot.evidence.diffs import title_of_diff, unseen, without_colours

    if not isinstance(text, str):
        return None
    text = without_colours(text)
    document = {"text": text, "source": source or UNNAMED}
    if title := title_of_diff(text):
        question = {subject.key: f"{title}\n\n{ABOUT_CHANGE}" if subject.document else ABOUT_CHANGE}
        named = {subject.source: ""} if subject.source else {}  # its places are in the files that it changes
        return Submission(question | named, {**document, "title": title, "left_out": unseen(text)}, subject.of_diff)
    if not subject.document or len(text.strip()) <= LONGEST_SUBJECT:
        return None
    title = clip(one_line(text.strip().partition("\n")[0].lstrip("# ")), LONGEST_TITLE) or f"The {subject.name}"
    question = {subject.key: f"{title}\n\nThe {subject.name} itself is document [D1]."}
    return Submission(question, {**document, "title": title}, {})
