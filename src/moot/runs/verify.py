"""Checking a run: is every line what was written, and does the result belong to it?"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import ValidationError

from moot.engine.outcome.material import gather
from moot.engine.outcome.result import NOT_COMPARED, Result, differing_keys, fold
from moot.engine.outcome.stored import Receipt, Status
from moot.engine.staging.runs import Run
from moot.errors import MootError, RunDamaged
from moot.record.entry import Entry
from moot.record.journal import GAVE_UP, Record, conversations
from moot.record.log import chain_faults, line_hash
from moot.record.payloads import COMMON, Payloads
from moot.record.stores.base import CONFIG, JOURNAL, LOG, RESULT
from moot.report import receipts
from moot.runs.derived import document_faults, log_faults
from moot.runs.questions import question_faults
from moot.runs.receipts import receipt_faults

GONE_ON = "the run went on since its result was written, and has not come to a new one"


@dataclass(frozen=True, slots=True)
class Verification:
    """`faults` is empty when all is well; `notes` are other remarks for readers."""

    entries: int
    replies: int
    faults: list[str]
    notes: list[str]


def verify(run: Run) -> Verification:
    """Check the chain of the log, every request hash of the journal, the receipt, what the result says, that the log
    and how the debate ended follow from the journal, that the documents for people were not edited, and that the
    questions about the debate were answered from it. `notes` say what was not checked."""
    run.check_readable()
    lines, payloads = run.place.read_lines(LOG), _payloads(run)
    faults = [f"{one}, and moot puts none there" for one in run.place.strangers()] + chain_faults(lines, payloads)
    notes = [f"what could not stay was set aside in {name}" for name in run.place.set_aside()]
    records: list[Record] = []
    try:
        records = run.records()
        list(conversations(records))
    except MootError as error:
        faults.append(str(error))
    if not faults:
        entries = [Entry.read(line, payloads) for line in lines]
        known = {record.key.removesuffix(GAVE_UP) for record in records}
        faults += [
            f"entry {entry.seq} rests on the reply at {entry.call}, which is not in the journal"
            for entry in entries
            if entry.call is not None and entry.call not in known
        ]
        faults += _receipt_faults(run, lines, entries, notes)
    if not faults:
        faults += log_faults(run, entries, records, None if GONE_ON in notes else run.result(), notes)
    if not faults:
        faults += question_faults(run, notes)
    replies = sum(record.kind == "reply" for record in records)
    return Verification(len(lines), replies, faults, notes)


def _payloads(run: Run) -> Payloads:
    """The payloads of the run's protocol; those of every log where its config cannot be read, which the receipt
    finds."""
    try:
        return run.config.protocol.payloads
    except MootError:
        return COMMON


def _receipt_faults(run: Run, lines: Sequence[bytes], entries: list[Entry], notes: list[str]) -> list[str]:
    """Whether the result was made from these files."""
    if run.place.read(RESULT) is None:
        notes.append("there is no result yet, so the last line is not vouched for")
        return []
    document = run.result() or {}
    try:
        receipt = Receipt.model_validate(document.get("receipt"))
    except ValidationError:
        return ["result.json has no receipt that can be read"]
    faults = []
    if receipt.entries > len(lines):
        faults.append(f"the receipt is for {receipt.entries} entries, and the log has {len(lines)}")
    elif receipt.entries and line_hash(lines[receipt.entries - 1]) != receipt.log_sha256:
        faults.append(f"entry {receipt.entries - 1} is not the one the receipt was made for: it was altered")
    if run.place.sha256(CONFIG) != receipt.config_sha256:
        faults.append("config.yaml is not the one the receipt was made for")
    return faults or _later_faults(run, document, receipt, entries[receipt.entries :], notes)


def _later_faults(
    run: Run, document: dict[str, Any], receipt: Receipt, later: list[Entry], notes: list[str]
) -> list[str]:
    """Whether nothing was added after the receipt that must not be: a finished run does not continue."""
    outside = sum(entry.outside for entry in later)
    if outside:
        notes.append(f"{outside} entries were appended from outside since the receipt was made")
    same_journal = run.place.sha256(JOURNAL) == receipt.calls_sha256
    if same_journal and outside == len(later):
        if why := run.config.protocol.missing:
            notes.append(f"its outcome was not computed again: {why}")
        return _result_faults(run, document, bool(outside), notes)
    if document.get("status") != "done" and _begins_with(run.place.read_lines(JOURNAL), receipt.calls_sha256):
        notes.append(GONE_ON)
        return []
    if same_journal:
        return [f"entries {receipt.entries} to {later[-1].seq} came after the receipt"]
    return ["calls.jsonl is not the one the receipt was made for"]


def _result_faults(run: Run, document: dict[str, Any], changed: bool, notes: list[str]) -> list[str]:
    """What the result says otherwise than the files that it was made from."""
    if run.config.protocol.missing:
        return []
    try:
        result = _folded(run, document)
        folded = result.document()
    except (KeyError, MootError, ValidationError) as error:
        return [f"result.json cannot be made again from the other files: {error}"]
    if (differs := run.config.plugin_differs) is not None and differing_keys(folded, document, but=NOT_COMPARED):
        notes.append(f"the result is not compared, since {differs}")
        return []
    faults = [f"result.json was altered at {key!r}" for key in differing_keys(folded, document, but=NOT_COMPARED)]
    return faults or document_faults(run, result, document, changed, notes)


def receipt_of_run_faults(run: Run, content: bytes) -> list[str]:
    """How a receipt from any place differs from a run with a result."""
    document = run.result() or {}
    try:
        hashes = Receipt.model_validate(document.get("receipt"))
        result = _folded(run, document).model_copy(update={"receipt": hashes})
        return receipt_faults(content, receipts.receipt_of(gather(run, result)))
    except (KeyError, MootError, ValidationError) as error:
        return [f"the receipt cannot be held against {run.name}: {error}"]


def _folded(run: Run, document: dict[str, Any]) -> Result:
    """The result made again; why the run stopped is in no other file. RunDamaged if that cannot be."""
    if document.get("status") not in get_args(Status):
        raise RunDamaged(f"the result of {run.name} has no status that there is")
    return fold(run, document["status"], document["reason"], document["longest_chain"], limit=document["limit"])


def _begins_with(lines: Sequence[bytes], sha256: str) -> bool:
    """Whether the first of these lines, however many, have that hash."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line + b"\n")
        if digest.hexdigest() == sha256:
            return True
    return False
