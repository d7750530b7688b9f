"""Checking a run: is every line what was written, and does the result belong to it?"""

import hashlib
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from moot.entry import Entry
from moot.errors import MootError
from moot.journal import Record, conversations
from moot.jsonl import read_lines
from moot.log import chain_faults, line_hash
from moot.result import Receipt, file_hash, fold
from moot.runs import Run


@dataclass(frozen=True, slots=True)
class Verification:
    """`faults` is empty when all is well; `notes` are what a reader may want to know besides."""

    entries: int
    replies: int
    faults: list[str]
    notes: list[str]


def verify(run: Run) -> Verification:
    """Check the chain of the log, every request hash of the journal, the receipt, and what the result says.

    Whether the log follows from the journal is for `replay` to say.
    """
    lines = read_lines(run.log_path)
    faults = chain_faults(lines)
    notes = [f"a cut-off line was set aside in {path.name}" for path in sorted(run.path.glob("*.torn-*"))]
    records: list[Record] = []
    try:
        records = run.records()
        list(conversations(records))
    except MootError as error:
        faults.append(str(error))
    if not faults:
        entries = [Entry.model_validate_json(line) for line in lines]
        known = {record.key for record in records}
        faults += [
            f"entry {entry.seq} rests on the reply at {entry.call}, which is not in the journal"
            for entry in entries
            if entry.call is not None and entry.call not in known
        ]
        faults += _receipt_faults(run, lines, entries, notes)
    replies = sum(record.kind == "reply" for record in records)
    return Verification(len(lines), replies, faults, notes)


def _receipt_faults(run: Run, lines: list[bytes], entries: list[Entry], notes: list[str]) -> list[str]:
    """Whether the result was made from these files."""
    if not run.result_path.exists():
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
        faults.append(f"entry {receipt.entries} is not the one the receipt was made for: it was altered")
    if file_hash(run.path / "config.yaml") != receipt.config_sha256:
        faults.append("config.yaml is not the one the receipt was made for")
    return faults or _later_faults(run, document, receipt, entries[receipt.entries :], notes)


def _later_faults(
    run: Run, document: dict[str, Any], receipt: Receipt, later: list[Entry], notes: list[str]
) -> list[str]:
    """Whether nothing was added since the receipt that may not be: a run that was done does not go on."""
    outside = sum(entry.outside for entry in later)
    if outside:
        notes.append(f"{outside} entries were appended from outside since the receipt was made")
    same_journal = file_hash(run.journal_path) == receipt.calls_sha256
    if same_journal and outside == len(later):
        return _result_faults(run, document)
    if document.get("status") != "done" and _begins_with(read_lines(run.journal_path), receipt.calls_sha256):
        notes.append("the run went on since its result was written, and has not come to a new one")
        return []
    if same_journal:
        return [f"entries {receipt.entries + 1} to {later[-1].seq} came after the receipt"]
    return ["calls.jsonl is not the one the receipt was made for"]


def _result_faults(run: Run, document: dict[str, Any]) -> list[str]:
    """What the result says otherwise than the files that it was made from."""
    try:
        folded = fold(run, document["status"], document["reason"], document["longest_chain"]).document()
    except (KeyError, MootError, ValidationError) as error:
        return [f"result.json cannot be made again from the other files: {error}"]
    # Where the run stands is no part of it, and entries from outside may have been added.
    wrong = [key for key in folded.keys() | document.keys() if folded.get(key) != document.get(key)]
    return [f"result.json was altered at {key!r}" for key in sorted(set(wrong) - {"run", "receipt"})]


def _begins_with(lines: list[bytes], sha256: str) -> bool:
    """Whether the first of these lines, however many, have that hash."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line + b"\n")
        if digest.hexdigest() == sha256:
            return True
    return False
