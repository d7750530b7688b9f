"""Questions that were asked about a finished debate, read back from their journal in the run's folder.

The journal has for each question a fact with its words and models, the reply, and a seal: the hash of all lines before.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import ConfigDict
from pydantic_core import to_json

from moot.engine.sources.context import ContextDocument
from moot.engine.staging.runs import Run
from moot.errors import RunDamaged
from moot.models.base import Usage
from moot.present.data import Model
from moot.record.entry import Entry, Moment, texts_of
from moot.record.journal import Record, parse_journal
from moot.text import clip, one_line
from moot.text.citations import IN_ANSWERS, citations, is_in

QUESTIONS = "questions.jsonl"
READER = "reader"
"""The name of whoever answers."""
ANSWER = "answer"
_QUESTION, _SEAL = "/question", "/seal"


class Answer(Model):
    """A question about a debate and its answer. `entries` and `documents` are those that the answer cites, `faults` say
    which of its citations and quotations do not check out. `asked_before`: it was on record, and nothing was paid."""

    model_config = ConfigDict(frozen=True)

    question: str
    text: str
    model: str
    entries: list[int]
    documents: list[str]
    faults: list[str]
    usage: Usage | None
    at: Moment
    seconds: float
    asked_before: bool = True


@dataclass(frozen=True, slots=True)
class Question:
    """A question to these models, the later ones being fallbacks, and the version of moot that asked it. The same
    question to the same models has the same `agent`, by which its answer is found."""

    text: str
    models: tuple[str, ...]
    version: str

    @property
    def agent(self) -> str:
        return f"{READER}-{hashlib.sha256(to_json([self.text, self.models])).hexdigest()[:12]}"

    @property
    def place(self) -> str:
        """Where the fact with the question is, for `Room.fact`."""
        return f"{self.agent}{_QUESTION}"

    @property
    def key(self) -> str:
        """The key of the answer."""
        return f"{self.agent}/{ANSWER}"

    @property
    def seal(self) -> str:
        """The key of the seal."""
        return f"{self.agent}{_SEAL}"

    def is_sealed(self, records: Sequence[Record]) -> bool:
        return any(record.key == self.seal for record in records)


def asked(records: Sequence[Record]) -> Iterator[Question]:
    """The questions in the order in which they were asked, also those without an answer."""
    for record in records:
        if record.kind == "fact" and record.key.endswith(_QUESTION):
            match record.value:
                case [str(version), str(text), *models] if models and all(isinstance(one, str) for one in models):
                    yield Question(text, tuple(models), version)
                case _:
                    raise RunDamaged(f"the journal's fact at {record.key} cannot be: {record.value!r:.100}")


def question_records(run: Run) -> list[Record]:
    return parse_journal(run.place.read_lines(QUESTIONS), QUESTIONS)


def answers(records: Sequence[Record], entries: Sequence[Entry], given: Sequence[ContextDocument]) -> dict[str, Answer]:
    """The answers by the agent that gave them, in the order of the questions, with what they cite of these entries and
    documents."""
    replies = {record.key: record for record in records if record.kind == "reply"}
    texts = {f"E{entry.seq}": "\n".join(texts_of(entry)) for entry in public(entries)}
    texts |= {f"D{number}": "" if one.image else one.text for number, one in enumerate(given, 1)}
    return {
        question.agent: _answer(question, replies[question.key], texts)
        for question in asked(records)
        if question.key in replies
    }


def public(entries: Sequence[Entry]) -> list[Entry]:
    """What was said or decided in public; what other programs added is not part of the debate."""
    return [entry for entry in entries if entry.to == "all" and not entry.outside]


def _answer(question: Question, record: Record, texts: Mapping[str, str]) -> Answer:
    text = record.reply or ""
    cited, faults = checked_citations(text, texts)
    if record.finish_reason == "length":
        faults.append("The answer stops at the token limit.")
    return Answer(
        question=question.text,
        text=text,
        model=record.model or "",
        entries=[int(one[1:]) for one in cited if one.startswith("E")],
        documents=[one for one in cited if one.startswith("D")],
        faults=faults,
        usage=record.usage,
        at=record.started,
        seconds=record.seconds,
    )


def checked_citations(text: str, texts: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """The sources that a text cites, in order, and what is wrong with its citations. `texts` are the texts of all
    sources by number; an image has none."""
    cited: dict[str, None] = {}
    faults: dict[str, None] = {}
    for one in citations([text], IN_ANSWERS):
        for number in one.numbers:
            if number in texts:
                cited[number] = None
            else:
                kind = "document" if number.startswith("D") else "public entry"
                faults[f"It cites {kind} {number}, which does not exist."] = None
        found = [texts[number] for number in one.possible if number in texts]
        if one.quote and found and all(found) and not any(is_in(one.quote, text) for text in found):
            faults[f"These words are not in {' or '.join(one.numbers)}: “{clip(one_line(one.quote), 300)}”"] = None
    if not cited:
        faults["It cites nothing of the record."] = None
    return list(cited), list(faults)


def seal_faults(run: Run, records: Sequence[Record]) -> list[str]:
    """Whether lines were altered, removed or added since they were sealed."""
    digest, found = hashlib.sha256(), []
    for line, record in zip(run.place.read_lines(QUESTIONS), records, strict=True):
        if record.key.endswith(_SEAL) and record.value != digest.hexdigest():
            found.append(f"{QUESTIONS} is not as it was when {record.key.removesuffix(_SEAL)} had answered")
        digest.update(line + b"\n")
    return found
