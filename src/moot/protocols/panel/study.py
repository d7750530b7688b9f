"""A panel in batches and evaluations: its findings, and how it is asked a question."""

from collections.abc import Mapping, Sequence
from typing import Any

from moot.api import ConfigError, Entry
from moot.api.studies import TRUTH, Answer, Asking, Change, Content, Findings, FoundAnswer, Question, Study
from moot.protocols.panel.payloads import Position
from moot.protocols.panel.result import PanelOutcome
from moot.text.prose import plain_words

MOST_OPTIONS = 20


def find(outcome: PanelOutcome, entries: Sequence[Entry]) -> Findings:
    return Findings(
        decision=outcome.decision,
        first_decision=outcome.first_decision,
        changed_by_debate=outcome.changed,
        changes=_changed_positions(entries),
        accepted=outcome.accepted,
    )


def carry(content: Content, accepted: Sequence[Content]) -> Content:
    """The ideas accepted before are shown to the panel, so that it recognises near-duplicates."""
    return {**content, "accepted": [*content.get("accepted", []), *(one["idea"] for one in accepted)]}


def _changed_positions(entries: Sequence[Entry]) -> list[Change]:
    """Every change of label between rounds on the same version of the idea. Evidence is new if the persona had not
    named it before."""
    held: dict[tuple[str, int], tuple[str, set[str]]] = {}
    found = []
    for entry in entries:
        data = entry.data
        if not isinstance(data, Position) or data.label is None:
            continue
        key, named = (entry.speaker, data.version), {plain_words(one) for one in data.evidence}
        before, known = held.get(key, (data.label, set()))
        if before != data.label:
            found.append(Change(entry.speaker, before, data.label, bool(named - known)))
        held[key] = data.label, known | named
    return found


def check_answer(content: Content, given: Answer | None) -> Answer | None:
    """The right label, from the batch or from the debate's own `truth`."""
    if given is None:
        return content.get("truth")
    labels = content["kinds"][content["kind"]]["labels"]
    if isinstance(given, str) and plain_words(given) not in map(plain_words, labels):
        raise ConfigError(f"`answer` is {given!r}; a {content['kind']} decides {', '.join(labels)}", "answer")
    return given


def settings(given: Mapping[str, Any], question: Question, candidates: tuple[str, ...]) -> dict[str, Any]:  # noqa: ARG001
    """The panel votes on the options as its labels."""
    labels = {one.lower(): question.shown(one) for one in question.candidates}
    kind = {"question": "Which answer is right?", "labels": labels, "rounds": 2, "criteria": CRITERIA, "factual": True}
    return {"idea": question.task, "kind": "answer", "kinds": {**(given.get("kinds") or {}), "answer": kind}}


def read(outcome: PanelOutcome, question: Question, candidates: tuple[str, ...]) -> FoundAnswer:  # noqa: ARG001
    if not outcome.carried or outcome.decision is None:
        return FoundAnswer(None, True, outcome.short_of or "no consensus")
    return FoundAnswer(question.read(outcome.decision), False, f"agreement {outcome.agreement}")


def said(entry: Entry) -> str | None:
    return entry.data.label or "" if isinstance(entry.data, Position) else None


def refuses(question: Question) -> str | None:
    if question.match not in ("choice", "boolean"):
        return "a panel votes on options, so it needs `choices`, or yes and no"
    if len(question.candidates) > MOST_OPTIONS:
        return f"a panel votes on {MOST_OPTIONS} options at most"
    return None


STUDY = Study(
    find=find,
    check_answer=check_answer,
    subjects=("idea",),
    of_question=("truth",),
    carry=carry,
    asking=Asking(settings, read, refuses=refuses, said=said, rounds=lambda config: config.max_rounds),
)

CRITERIA = f"{TRUTH} Is the answer right, and does every step that leads to it hold?"
