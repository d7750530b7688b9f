"""Entries from outside: the rules for other programs that append to a run's log."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from moot.engine.define.config import RunConfig
from moot.engine.staging.runs import Run
from moot.errors import ConfigError
from moot.models.base import Request
from moot.present.data import first_fault
from moot.record.entry import Draft, Entry, Source, first_data
from moot.record.files import read_file, write_whole
from moot.record.log import read_log
from moot.record.payloads import Answer, Header, Outside
from moot.text import valid_text
from moot.text.json import parse_json

MAX_TEXT = 200_000
NOTE = "note"
READER_VOTE = "reader_vote"
"""A reader's own decision: the speaker is the voter, and the content is the choice."""
ANSWER = "answer"
"""The reply of an outside agent to a question."""
WAITING = "waiting.json"
"""The file in a run's folder with the questions that wait for an answer, by their calls."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to an outside agent that waits for its answer: the `call` to name, the phase, what is asked, and the
    JSON Schema of the answer if JSON is requested."""

    role: str
    call: str
    phase: str
    asked: str
    schema: Mapping[str, Any] | None


def next_question(run: Run, role: str) -> Question | None:
    """The first question to that role that waits for an answer; ConfigError if no outside agent can hold the role in
    this run."""
    entries, inbox = run.entries(), inbox_of(run)
    if (holder := _held_by_model(entries, role)) is not None:
        raise ConfigError(holder)
    phases = [one.phase for one in entries if not one.outside and one.phase in run.config.protocol.outside.phases]
    if inbox is None or not phases:
        return None
    for call, one in inbox.questions().items():
        if one["role"] == role and inbox.answered(role, call, one["attempt"]) is None:
            asked = "\n\n".join(message["content"] for message in one["messages"])
            return Question(role, call, phases[-1], asked, one["schema"])
    return None


def _held_by_model(entries: Sequence[Entry], role: str) -> str | None:
    """Why no outside agent speaks for a role: a model, or a person asked by moot, holds it. Otherwise None."""
    header = first_data(entries, Header)
    member = next((one for one in header.cast if role in (one.id, one.name)), None) if header else None
    if member is None or any(model.partition("/")[0] == "external" for model in member.models):
        return None
    return (
        f"the {role} is held by {', then '.join(member.models)}; `--role {role}=external` leaves it to an outside agent"
    )


def append_outside(
    run: Run,
    *,
    phase: str,
    speaker: str,
    type: str,  # noqa: A002 (the name of the field)
    content: str,
    sources: Sequence[Mapping[str, Any]] = (),
    rebuttal_to: int | None = None,
    target: int | None = None,
    call: str | None = None,
) -> int:
    """Append one entry and return its seq; ConfigError if role, phase, type or a reference is not allowed. `call` is
    the question that an entry of the type `answer` answers.

    The entry is marked as coming from outside: agents never see it and no result depends on it. It can be added while
    others run the debate.
    """
    try:
        cited = TypeAdapter(list[Source]).validate_python(list(sources))
    except ValidationError as error:
        raise ConfigError(f"sources must be a list of {{url, title, accessed}}: {first_fault(error)}") from None
    _check_text(content, cited)
    entries = run.entries()
    if type != ANSWER:
        _check_words(run.config, entries, phase, speaker, type)
    for name, seq in (("rebuttal-to", rebuttal_to), ("target", target)):
        # An entry that exists now still exists when this one is written: a log accepts nothing while it is mended.
        if seq is not None and not 0 <= seq < len(entries):
            raise ConfigError(f"--{name} {seq}: there is no such entry; the log has {len(entries)}, counted from 0")
    data = _checked_answer(run, speaker, content, call) if type == ANSWER else Outside()
    draft = Draft(
        phase, speaker, type, content, to=[], data=data, sources=cited, rebuttal_to=rebuttal_to, target=target
    )
    return run.place.add_entry(draft.at(0, "").model_dump_json().encode())


def _checked_answer(run: Run, role: str, content: str, call: str | None) -> Answer:
    """The payload of an answer; ConfigError if nobody waits for it, or it does not fit the question."""
    refusal = "this answer is refused: "
    if (held := _held_by_model(run.entries(), role)) is not None:
        raise ConfigError(refusal + held)
    inbox = inbox_of(run)
    question = inbox.questions().get(call or "") if inbox is not None else None
    if inbox is None or call is None or question is None or question["role"] != role:
        raise ConfigError(
            f"{refusal}no question {call!r} waits for the {role}; `moot log next` names the one that does"
        )
    if (waiting := inbox.answered(role, call, question["attempt"])) is not None:
        raise ConfigError(f"{refusal}entry {waiting.seq} answers it already")
    if question["schema"] is not None and (fault := _unlike(question["schema"], content)) is not None:
        raise ConfigError(f"{refusal}{fault}")
    return Answer(to_call=call, attempt=question["attempt"])


def _unlike(schema: Mapping[str, Any], content: str) -> str | None:
    """Why a text is not a JSON object with that schema, judged by its keys; otherwise None."""
    try:
        value = parse_json(content.encode())
    except ValueError as error:
        return f"JSON is asked for, and this is none: {error}"
    lacking = [key for key in schema.get("required", ()) if not isinstance(value, dict) or key not in value]
    return (
        f"a JSON object with {', '.join(schema['required'])} is asked for, and {lacking[0]} is missing"
        if lacking
        else None
    )


def _check_text(content: str, cited: Sequence[Source]) -> None:
    if not content.strip():
        raise ConfigError("the content is empty")
    text = "".join([content, *(part for source in cited for part in (source.url, source.title, source.accessed))])
    if len(text) > MAX_TEXT:
        raise ConfigError(f"content and sources may have {MAX_TEXT:,} characters together, not {len(text):,}")
    if valid_text(text) != text:
        raise ConfigError("content or sources have half a character in them (a lone surrogate), which no file takes")


def _check_words(config: RunConfig, entries: Sequence[Entry], phase: str, speaker: str, entry_type: str) -> None:
    phases = config.protocol.outside.phases
    if phases and phase not in phases:
        raise ConfigError(f"a {config.protocol.name} has no phase {phase!r}; it has {', '.join(phases)}")
    header = first_data(entries, Header)
    of_cast = header is not None and any(speaker in (one.id, one.name) for one in header.cast)
    allowed = (NOTE,) if of_cast else (NOTE, READER_VOTE)
    if entry_type not in allowed:
        who = speaker if of_cast else f"{speaker!r}, who is not of the cast,"
        raise ConfigError(f"{who} may append {', '.join(allowed)}, not {entry_type!r}")
    if not speaker.strip() or len(speaker) > 60 or not speaker.isprintable():
        raise ConfigError("the speaker must be a name of at most 60 printable characters")


def reader_votes(entries: Sequence[Entry]) -> dict[str, str]:
    """The choice of each reader; a later vote replaces an earlier one."""
    return {entry.speaker: entry.content for entry in entries if entry.type == READER_VOTE}


@dataclass(frozen=True, slots=True)
class FolderInbox:
    """The questions to outside agents of a run in a folder, and the answers that they append to its log."""

    folder: Path

    def questions(self) -> dict[str, dict[str, Any]]:
        """The questions that wait for an answer, by their calls, in the order in which they were put."""
        try:
            found = parse_json(read_file(self.folder / WAITING) or b"{}")
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def put_up(self, request: Request) -> None:
        question = {
            "role": request.agent.partition("@")[0],
            "attempt": request.attempt,
            "messages": [{"role": one.role, "content": one.content} for one in request.messages],
            "schema": request.schema,
        }
        self._keep({**self.questions(), request.key: question})

    def take_down(self, request: Request) -> None:
        self._keep({call: one for call, one in self.questions().items() if call != request.key})

    def _keep(self, questions: Mapping[str, Any]) -> None:
        if questions:
            write_whole(self.folder / WAITING, json.dumps(questions, ensure_ascii=False).encode(), sync=False)
        else:
            (self.folder / WAITING).unlink(missing_ok=True)

    def answer_to(self, request: Request) -> Entry | None:
        return self.answered(request.agent.partition("@")[0], request.key, request.attempt)

    def answered(self, role: str, call: str, attempt: int) -> Entry | None:
        """The entry of that role that answers a question."""
        for one in read_log(self.folder / "log.jsonl"):
            data = one.data
            if isinstance(data, Answer) and (one.speaker, data.to_call, data.attempt) == (role, call, attempt):
                return one
        return None


def inbox_of(run: Run) -> FolderInbox | None:
    """The inbox of a run in a folder; otherwise None."""
    return None if run.folder is None else FolderInbox(run.folder)
