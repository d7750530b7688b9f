"""Replaying: derives the log from the journal without asking any model, and compares it with the stored log."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import dataclass

from moot.engine.define.config import RunConfig
from moot.engine.outcome.result import vouched_for
from moot.engine.play.calls import Caller, PlannedCall
from moot.engine.play.casting import Casting
from moot.engine.play.room import Room
from moot.engine.play.structured import Shape
from moot.engine.staging.opening import setup_of
from moot.engine.staging.runs import Run
from moot.errors import CallFailed, MootError, RuleFailed, RunDamaged
from moot.models.base import ModelReply, Request
from moot.models.catalogue import SHIPPED_MODEL
from moot.models.sizes import needs_short_prompts
from moot.record.entry import Entry
from moot.record.files import remove_abandoned
from moot.record.journal import Journal, Record
from moot.record.ledger import MemoryLedger
from moot.record.log import chain_faults, take_back
from moot.record.stores.base import JOURNAL, LOG


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of playing the script from the journal. `waiting_for` is the call at which an unfinished run
    continues."""

    entries: list[Entry]
    replies: int
    waiting_for: str | None
    longest_chain: int
    differences: list[str]
    notes: list[str]


async def replay(folder: Run) -> Replay:
    """Derive the log again from the journal and compare it with the stored one."""
    records = folder.records()
    ledger, waiting_for, longest_chain = await played_again(folder.config, folder.entries(), records)
    differences = ledger.differences(waiting_for)
    known = vouched_for(folder)
    if known is not None and (known["status"] == "done") != (waiting_for is None) and known["status"] != "failed":
        differences.append(f"the result says {known['status']}, and the journal does not")
    if known is not None and known["status"] == "done" and known["longest_chain"] != longest_chain:
        differences.append(f"the result has a longest chain of {known['longest_chain']}, not {longest_chain}")
    replies = sum(record.kind == "reply" for record in records)
    notes = [differs] if (differs := folder.config.plugin_differs) is not None else []
    return Replay(ledger.entries, replies, waiting_for, longest_chain, differences, notes)


async def played_again(
    config: RunConfig, standing: Sequence[Entry], records: Sequence[Record]
) -> tuple[MemoryLedger, str | None, int]:
    """Play the script with these records against the stored entries. Returns the ledger, the call that waits for a
    reply (if any), and the longest chain."""
    ledger, journal = MemoryLedger(standing), Journal(None, records)
    journal.inherited = config.inherited
    casting = Casting(RecordedModel.by_name, config.options.model, config.options.roles)
    room = Room(setup_of(config, journal), write=ledger.write, journal=journal, caller=NobodyAnswers(), casting=casting)
    waiting_for = None
    try:
        await config.play(room)
    except (_Unanswered, CallFailed, RuleFailed) as stopped:
        waiting_for = stopped.key
    return ledger, waiting_for, room.longest_chain


def mend(folder: Run) -> None:
    """Move incomplete lines, which a crash left at the end of log and journal, to another file, and remove documents
    that it left half written; RunDamaged if the chain of the log is broken, so that nothing is paid for entries that
    somebody may have forged."""
    if folder.folder is not None:
        remove_abandoned(folder.folder)
    for name in (LOG, JOURNAL):
        with closing(folder.place.lines(name)) as lines, lines.locked():
            lines.new_lines()
    if faults := chain_faults(folder.place.read_lines(LOG), folder.config.protocol.payloads):
        raise RunDamaged(f"the log of {folder.name} was altered, and nothing is asked: {faults[0]}")


async def drop_unjournaled_entries(folder: Run) -> None:
    """Move aside the entries that do not follow from the journal: after a crash, the disk can have entries without the
    replies they rest on. Entries that differ from the script are left for the script to find.

    In PostgreSQL lines are committed in order, so there are none.
    """
    if folder.folder is None:
        return
    ledger, waiting_for, _ = await played_again(folder.config, folder.entries(), folder.records())
    seq = ledger.first_unjournaled()
    if waiting_for is None or seq is None:
        return
    receipt = (folder.result() or {}).get("receipt")
    rests_on = receipt.get("entries") if isinstance(receipt, dict) else None
    if isinstance(rests_on, int) and seq < rests_on:
        raise RunDamaged(
            f"the journal of {folder.name} no longer has {waiting_for}, on which its result rests. Both were on disk "
            "before there was a result, so this was no crash. Nothing was changed and nothing asked."
        )
    await asyncio.to_thread(take_back, folder.log_path, seq, folder.config.protocol.payloads)


class _Unanswered(MootError):
    """The journal has no reply at this point."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the journal has no reply at {key}")
        self.key = key


class NobodyAnswers(Caller):
    """The caller of a replay."""

    async def pay(self, question: PlannedCall) -> Record:
        raise _Unanswered(question.key)

    async def learn(self, shape: type[Shape], key: str, find: Callable[[], Awaitable[Shape]]) -> Shape:  # noqa: ARG002
        raise _Unanswered(key)

    def find_out(self, key: str) -> None:
        raise _Unanswered(key)


@dataclass(frozen=True, slots=True)
class RecordedModel:
    """A model that is just a name: all its replies are in the journal."""

    name: str
    small: bool = False
    context_window: int | None = None
    takes_images: bool = False

    @classmethod
    def by_name(cls, name: str) -> "RecordedModel":
        provider, _, rest = name.partition("/")
        return cls(name, small=provider == "embedded" and needs_short_prompts(name if rest else SHIPPED_MODEL))

    async def ready(self) -> None:
        pass

    async def reply(self, request: Request, on_text: object = None) -> ModelReply:  # noqa: ARG002 (a Model's signature)
        raise _Unanswered(request.key)
