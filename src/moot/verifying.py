"""Checking a run: is every line what was written, and does the result belong to it?"""

from dataclasses import dataclass

from pydantic import ValidationError

from moot.entry import Entry
from moot.errors import MootError
from moot.journal import Record, conversations
from moot.jsonl import read_lines
from moot.log import chain_faults, line_hash
from moot.result import Receipt, file_hash
from moot.runs import Run


@dataclass(frozen=True, slots=True)
class Verification:
    """`faults` is empty when all is well; `notes` are what a reader may want to know besides."""

    entries: int
    replies: int
    faults: list[str]
    notes: list[str]


def verify(run: Run) -> Verification:
    """Check the chain of the log, every request hash of the journal, and the receipt.

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
    document = run.result()
    if document is None:
        notes.append("there is no result yet, so the last line is not vouched for")
        return []
    try:
        receipt = Receipt.model_validate(document.get("receipt"))
    except ValidationError:
        return ["result.json has no receipt that can be read"]
    faults = []
    if receipt.entries > len(lines):
        faults.append(f"the receipt is for {receipt.entries} entries, and the log has {len(lines)}")
    elif receipt.entries and line_hash(lines[receipt.entries - 1]) != receipt.log_sha256:
        faults.append(f"entry {receipt.entries} is not the one the receipt was made for: it was altered")
    later = entries[receipt.entries :]
    if any(not entry.outside for entry in later):
        faults.append(f"entries {receipt.entries + 1} to {len(entries)} came after the receipt")
    elif later:
        notes.append(f"{len(later)} entries were appended from outside since the receipt was made")
    if file_hash(run.journal_path) != receipt.calls_sha256:
        faults.append("calls.jsonl is not the one the receipt was made for")
    if file_hash(run.path / "config.yaml") != receipt.config_sha256:
        faults.append("config.yaml is not the one the receipt was made for")
    return faults
