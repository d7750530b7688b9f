"""Compares the files of a run with those that follow from its config and journal."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from typing import Any

from moot.engine.define.versions import written_by
from moot.engine.outcome.documents import finished_from
from moot.engine.outcome.material import Material, gather
from moot.engine.outcome.result import Result
from moot.engine.outcome.stored import Receipt
from moot.engine.play.limits import Limits
from moot.engine.staging.replay import played_again
from moot.engine.staging.runs import Run
from moot.errors import ConfigError, MootError
from moot.plugins.extras import missed_extras
from moot.plugins.guard import Broken, guarded
from moot.record.entry import Entry
from moot.record.journal import Record
from moot.record.stores.base import CONFIG
from moot.report import documents_of, receipts
from moot.runs.receipts import receipt_faults


def log_faults(
    run: Run, entries: Sequence[Entry], records: Sequence[Record], document: dict[str, Any] | None, notes: list[str]
) -> list[str]:
    """What the log has that the journal does not make, and how the result says that the debate ended otherwise than the
    journal does."""
    if run.config.protocol.missing or run.config.plugin_differs is not None:
        why = run.config.protocol.missing or run.config.plugin_differs
        notes.append(f"the log was not derived again from the journal: {why}")
        return []
    with ThreadPoolExecutor(1) as thread:  # whoever asks may be in an event loop of its own
        played = thread.submit(asyncio.run, played_again(run.config, entries, records))
        made = guarded(played.result)  # an altered journal can make a protocol's code fail in any way
    if isinstance(made, Broken):
        if isinstance(made.error, ConfigError):  # such as a voting rule that is not installed
            notes.append(f"the log was not derived again from the journal: {made.error}")
            return []
        known = isinstance(made.error, MootError)
        return [str(made.error) if known else f"the journal cannot be played again: {made.why}"]
    ledger, waiting_for, longest_chain = made
    # A log that lags behind the journal is no contradiction: what is missing is written when the run is taken up.
    faults = ledger.differences(waiting_for or "the rest")
    if document is None or faults:
        return faults
    return _status_faults(document, waiting_for, longest_chain, notes)


def _status_faults(document: dict[str, Any], waiting_for: str | None, chain: int, notes: list[str]) -> list[str]:
    status, reason, limit = (document.get(key) for key in ("status", "reason", "limit"))
    if status == "done":
        faults = [f"the result says done, and the journal stops before {waiting_for}"] if waiting_for else []
        if reason is not None or limit is not None:
            faults.append("the result says done, and gives a reason why it stopped")
        if not waiting_for and document.get("longest_chain") != chain:
            faults.append(f"the result has a longest chain of {document.get('longest_chain')}, not {chain}")
        return faults
    if status == "limit" and waiting_for is None:
        return ["the result says that a limit stopped the debate, and the journal has all of its replies"]
    known = [one.name for one in fields(Limits)]
    if (limit in known) != (status == "limit") or not isinstance(reason, str):
        return [f"the result says {status}, and not why in a way that fits"]
    notes.append(f"why it stopped is in no other file, and was not checked: {status}, {reason}")
    return []


def document_faults(run: Run, result: Result, document: dict[str, Any], changed: bool, notes: list[str]) -> list[str]:
    """Which of the documents for people are not what they would be if they were made now. They are not compared where
    the run has `changed` since, or another version of moot wrote it."""
    standing = [name for name in run.place.names() if name.endswith((".md", ".html")) or name == receipts.FILE]
    if not standing:
        return []
    if (writer := written_by(run.place.read(CONFIG) or b"")) is not None:
        changed, why = True, f"moot {writer} made them"
    else:
        why = "entries were appended from outside since"
    hashes = Receipt.model_validate(document["receipt"])
    named = str(document.get("run")).rpartition("/")[2].rpartition("#")[2]
    material = replace(gather(run, result.model_copy(update={"receipt": hashes})), name=named)
    if changed:
        notes.append(f"the reports were not compared: {why}")
        return _receipt_faults(run, material, needed=False)
    with missed_extras() as missed:
        made, _ = finished_from(run, documents_of(material))
    made.pop(receipts.FILE, None)  # which may be signed
    faults = _receipt_faults(run, material, needed="report.md" in standing)
    if missed:
        notes.append(f"the reports were not compared: they are made with the extra {min(missed)!r}, which is missing")
        return faults
    faults += [
        f"{name} is not what the other files make: it was edited, or is older; `moot runs report` makes it anew"
        for name, text in made.items()
        if (content := run.place.read(name)) is not None and content != text.encode()
    ]
    return faults


def _receipt_faults(run: Run, material: Material, *, needed: bool) -> list[str]:
    """How receipt.json differs from the files it was made from."""
    content, made = run.place.read(receipts.FILE), receipts.receipt_of(material)
    if content is None:
        return [f"{receipts.FILE} is gone"] if needed and made is not None else []
    return receipt_faults(content, made)
