"""The outbox: sends everything once, and never repeats automatically.

`deliveries.jsonl` of a run gets a line before each attempt, and another with its result. A crash between the two makes
the result unknown, and the outbox says so. Addresses can contain passwords, so they are stored as salted, slow hashes
next to a name without secrets.
"""

import hashlib
import secrets
import shlex
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from pydantic import BaseModel, ValidationError

from moot.engine.staging.runs import Run
from moot.errors import RunDamaged
from moot.present.data import read_as
from moot.system import sync_folder

FILE = "deliveries.jsonl"
State = Literal["intent", "done", "missed", "failed", "unknown"]
"""`missed` certainly did not happen and can be tried again; `failed` happened and went wrong. `unknown`, and an
`intent` without a result, are uncertain."""


@dataclass(frozen=True, slots=True)
class Sent:
    """The result of an attempt. `answered` means that the receiver itself reported it."""

    state: State
    reason: str | None = None
    answered: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do once for a run. `to` is safe to show, `address` is secret.

    `send` gets the job's id, so that a receiver can recognise it. If it can be `repeated`, doing it twice does no harm.
    """

    to: str
    address: str
    send: Callable[[str], Awaitable[Sent]]
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a job, from now or (`before`) from an earlier attempt. `run` is the run's address."""

    to: str
    state: State
    reason: str | None
    before: bool
    run: str

    @property
    def well(self) -> bool:
        return self.state == "done"

    def words(self) -> str:
        """The report for people, with the next step."""
        command = f"moot runs deliver {shlex.quote(self.run)} …"
        reason = self.reason or "it was cut off"
        match self.state:
            case "done":
                return f"{self.to} {'had the result before' if self.before else 'has the result'}"
            case "missed":
                return f"{self.to} did not get the result: {reason}. To try again: {command}"
            case "failed":
                return f"{self.to} failed: {reason}. To run it again: {command} --again"
        return f"It is unclear whether {self.to} got the result: {reason}. To send it anyway: {command} --again"


class Note(BaseModel):
    """A line of the outbox."""

    at: str
    id: str
    to: str
    state: State
    reason: str | None = None


class _Salt(BaseModel):
    salt: str


async def run_jobs(run: Run, jobs: Sequence[Job], *, again: bool = False) -> list[Report]:
    """Do each job that has not been done yet, one after the other; with `again` all of them.

    RunBusy if another process is delivering, or is still running the debate.
    """
    if not jobs:
        return []
    with run.hold(), closing(_Outbox(run)) as outbox:
        return [await _once(run, outbox, job, again=again) for job in jobs]


async def _once(run: Run, outbox: "_Outbox", job: Job, *, again: bool) -> Report:
    key = outbox.id_of(job)
    known = outbox.known.get(key)

    def report(sent: Sent, *, before: bool = False) -> Report:
        return Report(job.to, sent.state, sent.reason, before, run.address)

    if known is not None and not again and known.state != "missed":
        if known.state in ("done", "failed"):
            return report(Sent(known.state, known.reason), before=True)
        if not job.repeated:
            reason = known.reason or "an earlier attempt was cut off"
            return report(Sent("unknown", reason), before=True)
    outbox.note(job, key, Sent("intent"))
    sent = await job.send(key)
    outbox.note(job, key, sent)
    return report(sent)


class _Outbox:
    """The open file; `known` has the last line of each job."""

    def __init__(self, run: Run) -> None:
        self._lines = run.place.lines(FILE)
        lines = self._lines.new_lines()
        try:
            self._salt = read_as(_Salt, lines[0]).salt if lines else ""
            notes = [read_as(Note, line) for line in lines[1:]]
        except ValidationError as error:
            self._lines.close()
            raise RunDamaged(
                f"{FILE} of {run.name} has a line that is not moot's: nobody can tell what left"
            ) from error
        self.known = {note.id: note for note in notes}
        if not self._salt:
            self._salt = secrets.token_hex(16)
            self._append(_Salt(salt=self._salt))
            if run.folder is not None:
                sync_folder(run.folder)

    def id_of(self, job: Job) -> str:
        return hashlib.scrypt(job.address.encode(), salt=bytes.fromhex(self._salt), n=2**14, r=8, p=1, dklen=16).hex()

    def note(self, job: Job, key: str, sent: Sent) -> None:
        """Write the current state and wait until it is on disk."""
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        note = Note(at=at, id=key, to=job.to, state=sent.state, reason=sent.reason)
        self._append(note)
        self.known[key] = note

    def _append(self, line: BaseModel) -> None:
        self._lines.append(line.model_dump_json().encode())
        self._lines.sync()

    def close(self) -> None:
        self._lines.close()
