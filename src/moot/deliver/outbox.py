"""The outbox: what leaves a run once, and never a second time by itself.

`deliveries.jsonl` of a run gets a line before anything leaves, and another when it is known what came of it. A crash
between the two leaves a doubt, which is told and not guessed away. Addresses may hold passwords: they stand there as
salted hashes that are slow to try, beside a name that tells no secret.
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

from moot.engine.runs import Run
from moot.errors import RunDamaged
from moot.system import sync_folder

FILE = "deliveries.jsonl"
State = Literal["intent", "done", "missed", "failed", "unknown"]
"""`missed` certainly did not happen and may be tried again; `failed` happened and went wrong; of `unknown`, and of an
`intent` without an end, nobody can tell."""
Kind = Literal["delivery", "workflow"]


@dataclass(frozen=True, slots=True)
class Sent:
    """What came of sending something. `answered`: whoever it was sent to said so itself."""

    state: State
    reason: str | None = None
    answered: bool = False


@dataclass(frozen=True, slots=True)
class Errand:
    """Something to be done once for a run. `to` may be told to anybody, `address` to nobody.

    `send` gets the errand's id, which a receiver can know it by. `arrived` tells of an id whether it is there, for
    places where one can look.
    """

    kind: Kind
    to: str
    address: str
    send: Callable[[str], Awaitable[Sent]]
    arrived: Callable[[str], bool] | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What came of an errand, now or (`before`) at an earlier attempt. `run` is the run's address."""

    kind: Kind
    to: str
    state: State
    reason: str | None
    before: bool
    run: str

    @property
    def well(self) -> bool:
        return self.state == "done"

    def words(self) -> str:
        """The report for people, with what to do next."""
        option = "--origin" if self.kind == "delivery" else "--workflow"
        command = f"moot deliver {shlex.quote(self.run)} {option} …"
        because = self.reason or "it was cut off"
        if self.kind == "workflow":
            told = {
                "done": f"the workflow {self.to} {'has run before' if self.before else 'has run'}",
                "missed": f"the workflow {self.to} did not run: {because}. To try again: {command}",
                "failed": f"the workflow {self.to} failed: {because}. To run it once more: {command} --again",
            }
            doubt = f"nobody knows how far the workflow {self.to} got: {because}. To run it once more"
        else:
            told = {
                "done": f"the result {'was delivered before' if self.before else 'is delivered'} to {self.to}",
                "missed": f"the result did not get to {self.to}: {because}. To try again: {command}",
            }
            doubt = f"nobody knows whether the result got to {self.to}: {because}. To send it all the same"
        return told.get(self.state) or f"{doubt}: {command} --again"


class Note(BaseModel):
    """A line of the outbox."""

    at: str
    id: str
    kind: Kind
    to: str
    state: State
    reason: str | None = None


class _Salt(BaseModel):
    salt: str


async def run_errands(run: Run, errands: Sequence[Errand], *, again: bool = False) -> list[Report]:
    """Do each of these errands that was not done yet, one after the other; with `again` those too.

    RunBusy when another process is at it, or still runs the debate.
    """
    if not errands:
        return []
    with run.hold(), closing(_Outbox(run)) as outbox:
        return [await _once(run, outbox, errand, again=again) for errand in errands]


async def _once(run: Run, outbox: "_Outbox", errand: Errand, *, again: bool) -> Report:
    key = outbox.id_of(errand)
    known = outbox.known.get(key)

    def report(sent: Sent, *, before: bool = False) -> Report:
        return Report(errand.kind, errand.to, sent.state, sent.reason, before, run.address)

    if known is not None and not again and known.state != "missed":
        if known.state in ("done", "failed"):
            return report(Sent(known.state, known.reason), before=True)
        if errand.arrived is None:
            reason = known.reason or "an earlier attempt was cut off"
            return report(Sent("unknown", reason), before=True)
        if errand.arrived(key):
            outbox.note(errand, key, Sent("done"))
            return report(Sent("done"), before=True)
    outbox.note(errand, key, Sent("intent"))
    sent = await errand.send(key)
    outbox.note(errand, key, sent)
    return report(sent)


class _Outbox:
    """The open file; `known` has the last line about each errand."""

    def __init__(self, run: Run) -> None:
        self._lines = run.place.lines(FILE)
        lines = self._lines.new_lines()
        try:
            self._salt = _Salt.model_validate_json(lines[0]).salt if lines else ""
            notes = [Note.model_validate_json(line) for line in lines[1:]]
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

    def id_of(self, errand: Errand) -> str:
        said = f"{errand.kind}\n{errand.address}".encode()
        return hashlib.scrypt(said, salt=bytes.fromhex(self._salt), n=2**14, r=8, p=1, dklen=16).hex()

    def note(self, errand: Errand, key: str, sent: Sent) -> None:
        """Write what is known now, and wait until the disk has it."""
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        note = Note(at=at, id=key, kind=errand.kind, to=errand.to, state=sent.state, reason=sent.reason)
        self._append(note)
        self.known[key] = note

    def _append(self, line: BaseModel) -> None:
        self._lines.append(line.model_dump_json().encode())
        self._lines.sync()

    def close(self) -> None:
        self._lines.close()
