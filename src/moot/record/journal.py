"""The journal: every paid reply, random draw and other external fact, recorded before the script uses it.

Records are found by key, the place in the script. The journal does not interpret replies.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from moot.errors import ReplayDivergence, RunDamaged
from moot.models.base import FinishReason, Message, Usage, schema_json
from moot.present.data import Data, first_fault, read_as
from moot.record.entry import Moment, now
from moot.record.lines import LineFile, line_of, read_lines
from moot.record.stores.base import Lines

Sent = list[Message]
SHARED = "world/context/text/"
"""The beginning of the keys of facts that are the beginning of many messages."""
GAVE_UP = "/gave-up"
"""The suffix of the key for the fact that a call was given up. Its `model` failed last, if one did."""


class Record(Data):
    """One line of `calls.jsonl`.

    kind `reply`: the answer of a model. kind `failure`: an attempt without a reply, with its `error`. kind `fact`: a
    `value` that the script got from outside. `sent` holds the messages that this call added to earlier ones, `shape`
    the JSON Schema of the reply if it had one, so that the whole request can be rebuilt and checked against
    `request_sha256`. `small` means that the short form of the prompt was sent. `fault` is the reason why the previous
    reply could not be used, if this one replaces it. `doubt` is the reason why tokens and price are not those reported
    by the server: it reported none, as for an attempt that broke off, or impossible ones. `sampling` are the settings
    that were sent, if any, and `answered_by` is the model that answered according to the provider. On disk, `prefix` is
    the key of an earlier fact with which the first message begins, so that a long text is stored once; it is put back
    when the line is read.
    """

    key: str
    agent: str | None = None
    model: str | None = None
    request_sha256: str | None = None
    attempt: int = 1
    reply: str | None = None
    finish_reason: FinishReason | None = None
    usage: Usage | None = None
    started: Moment
    seconds: float = 0.0
    kind: Literal["reply", "failure", "fact"] = "reply"
    sent: Sent | None = None
    shape: dict[str, Any] | None = None
    small: bool = False
    fault: str | None = None
    doubt: str | None = None
    error: str | None = None
    value: Any = None
    sampling: dict[str, int | float | str] | None = None
    answered_by: str | None = None
    prefix: str | None = None


class Journal:
    """An open journal, in a file or in lines stored elsewhere; without either it is only in memory. The first
    `inherited` of its records were made by another run, from which this one was forked."""

    inherited = 0

    def __init__(self, where: Path | Lines | None, records: Sequence[Record] = ()) -> None:
        self._file: Lines | None = LineFile(where) if isinstance(where, Path) else where
        self.records = list(records)
        if self._file:
            with ExitStack() as failing:  # a run that failed to open must not stay locked
                failing.callback(self._file.close)
                with self._file.locked():
                    lines = self._file.new_lines()
                self.records += parse_journal(lines, self._file.path)
                failing.pop_all()
        self._replies = {(record.key, record.attempt): record for record in self.records if record.kind == "reply"}
        self.facts = {record.key: record for record in self.records if record.kind == "fact"}
        self.failures = [record for record in self.records if record.kind == "failure"]
        self._shared = {key: record.value for key, record in self.facts.items() if key.startswith(SHARED)}

    def reply(self, key: str, attempt: int) -> Record | None:
        return self._replies.get((key, attempt))

    def is_inherited(self, record: Record) -> bool:
        return any(one is record for one in self.records[: self.inherited])

    def fact(self, key: str) -> Record | None:
        return self.facts.get(key)

    def note(self, record: Record) -> None:
        """Append without waiting."""
        if self._file:
            self._file.append(line_of(_shortened(record, self._shared) if self._shared else record))
        self.records.append(record)
        if record.kind == "reply":
            self._replies[record.key, record.attempt] = record
        elif record.kind == "fact":
            self.facts[record.key] = record
        else:
            self.failures.append(record)

    def share(self, text: str) -> None:
        """Store the beginning of many messages once, before the first of them."""
        key = SHARED + hashlib.sha256(text.encode()).hexdigest()[:16]
        if key not in self._shared:
            self.note(Record(key=key, started=now(), kind="fact", value=text))
            self._shared[key] = text

    async def keep(self, record: Record) -> None:
        """Append, so that a crash of this process does not lose it."""
        self.note(record)
        if self._file:
            await self._file.kept()

    async def synced(self) -> None:
        """Wait until a crash of the machine would not lose any of it."""
        if self._file:
            await self._file.synced()

    async def certain(self, room: int) -> None:
        """Return when it is certain that a reply of that many bytes would be accepted here; RunBusy if another process
        has taken over. A database reports that it has no room when it is written."""
        if isinstance(self._file, LineFile):
            self._file.check(room)
        elif self._file:
            await self._file.certain()

    def sync(self) -> None:
        """Block until it is safe from a crash of the machine."""
        if self._file:
            self._file.sync()

    def close(self) -> None:
        if self._file:
            try:
                self._file.sync()
            finally:
                self._file.close()


def read_journal(path: Path) -> list[Record]:
    return parse_journal(read_lines(path), path)


def parse_journal(lines: Sequence[bytes], where: Path | str) -> list[Record]:
    """Parse these lines; `where` is for error messages."""
    records = [_parse(line, number, where) for number, line in enumerate(lines, 1)]
    shared = {record.key: record.value for record in records if record.kind == "fact" and record.key.startswith(SHARED)}
    return [_whole(record, shared) if record.prefix is not None else record for record in records]


def _shortened(record: Record, shared: Mapping[str, str]) -> Record:
    """The record with the shared beginning of its first message replaced by the key of that."""
    first = record.sent[0] if record.sent else None
    if first is None or first.role != "system":
        return record
    for key, text in shared.items():
        if first.content.startswith(text):
            rest = Message(first.role, first.content[len(text) :])
            return record.model_copy(update={"prefix": key, "sent": [rest, *(record.sent or [])[1:]]})
    return record


def _whole(record: Record, shared: Mapping[str, Any]) -> Record:
    """The record with the beginning of its first message put back."""
    beginning = shared.get(record.prefix or "")
    if not isinstance(beginning, str) or not record.sent:
        raise RunDamaged(f"the journal has no text {record.prefix}, with which the request at {record.key} begins")
    first = Message(record.sent[0].role, beginning + record.sent[0].content)
    return record.model_copy(update={"prefix": None, "sent": [first, *record.sent[1:]]})


def request_sha256(messages: Sequence[Message], shape: Mapping[str, Any] | None = None) -> str:
    """The hash of a conversation as JSON, a message a line, followed by the schema of the reply if it has one."""
    conversation = hashlib.sha256(b"".join([message.json + b"\n" for message in messages]))
    if shape is not None:
        conversation.update(schema_json(shape).encode())
    return conversation.hexdigest()


def divergence(record: Record, new: Sequence[Message], shape: Mapping[str, Any] | None = None) -> ReplayDivergence:
    """The error for a recorded reply whose request has changed, with the difference."""
    was = "\n".join(message.content for message in record.sent or [])
    now = "\n".join(message.content for message in new)
    if was == now and record.shape != shape:
        changed = "its prompt is the same, but the reply has another shape"
    elif was == now:
        changed = "its own prompt is the same, but something earlier in the agent's history changed"
    else:
        at = next((i for i, (a, b) in enumerate(zip(was, now, strict=False)) if a != b), min(len(was), len(now)))
        changed = f"the prompt was …{was[max(0, at - 30) : at + 50]!r} and is now …{now[max(0, at - 30) : at + 50]!r}"
    return ReplayDivergence(
        record.key,
        f"the journal's reply at {record.key} answers another question: {changed}",
        "The run was made by another version of moot or its config was edited; nothing was asked again.",
    )


def conversations(records: Sequence[Record]) -> Iterator[tuple[Record, list[Message]]]:
    """Every reply with the whole request, rebuilt from the messages of each call. If a system prompt is sent again, the
    hash shows whether the agent started without memory or continued.

    ReplayDivergence if a rebuilt request does not match its hash.
    """
    seen: dict[str | None, list[Message]] = {}
    replacing: dict[str, int] = {}
    for record in records:
        if record.kind == "fact" and "/fit/" in record.key:
            if not isinstance(record.value, int):
                raise RunDamaged(f"the journal's fact at {record.key} cannot be: {record.value!r}")
            replacing[f"{record.key}/summary"] = 2 * record.value
        if record.kind != "reply":
            continue
        history = seen.setdefault(record.agent, [])
        new = record.sent or []
        if new and new[0].role == "system":
            anew = request_sha256([new[0], new[-1]], record.shape) == record.request_sha256
            history = new[:1] if anew else [*new[:1], *history[1:]]
        cut = 1 + replacing[record.key] if record.key in replacing else len(history)
        request = history[:cut] + new[-1:]
        if request_sha256(request, record.shape) != record.request_sha256:
            raise ReplayDivergence(record.key, f"the request at {record.key} is not the one its reply was given to")
        yield record, request
        exchange = [*new[-1:], Message("assistant", record.reply or "")]
        seen[record.agent] = history[:1] + exchange + history[cut:] if record.key in replacing else history + exchange


def _parse(line: bytes, number: int, path: Path | str) -> Record:
    try:
        return read_as(Record, line)
    except ValidationError as error:
        raise RunDamaged(f"{path}, line {number} is not a journal record: {first_fault(error)}") from error
