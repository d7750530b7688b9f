"""Checking a receipt: alone, by its own hash and its signature, and against the run that it is of."""

import hashlib
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from moot.engine.outcome.result import differing_keys
from moot.report import receipts
from moot.report.signing import PublicKey, signer_of
from moot.text.json import parse_json


@dataclass(frozen=True, slots=True)
class ReceiptCheck:
    """`faults` is empty when all is well. `signer` is whose key signed it; None where nobody's did."""

    receipt: dict[str, Any]
    signer: PublicKey | None = None
    faults: list[str] = field(default_factory=list)


def check_receipt(content: bytes, key: PublicKey | None = None) -> ReceiptCheck:
    """Whether a receipt is complete, and who signed it; with a `key`, whether it was signed with this key."""
    receipt = parsed(content)
    if receipt is None:
        return ReceiptCheck({}, faults=["it is not a receipt in the form in which moot writes them"])
    faults = []
    own_hash = receipts.receipt_id(receipt)
    if receipt.get("id") != own_hash:
        faults.append("the receipt was altered: its id is not the hash of the rest")
    signature, signer = receipt.get("signature"), None
    if signature is not None:
        # By what the receipt says now: of an altered one nobody signed anything.
        signer = signer_of(own_hash, signature)
        faults += [] if signer else ["the signature is not that of this receipt"]
    if key is not None and (signer is None or signer.raw != key.raw):
        faults.append(f"the receipt is not signed by {key}")
    return ReceiptCheck(receipt, signer, faults)


def about_file(receipt: dict[str, Any], content: bytes) -> tuple[bool, str]:
    """Whether a file is the text that passed or, if nothing was required, one that the debate was about; and what the
    file is to the receipt, in words."""
    found, gate = hashlib.sha256(content).hexdigest(), receipt.get("gate") or {}
    if found == gate.get("accepted_sha256"):
        revised = found != gate.get("submitted_sha256")
        return True, f"This is the text that passed{', as revised' if revised else ''}."
    free = gate.get("passed") is None
    if found == gate.get("submitted_sha256"):
        told = "This is the text that was submitted"
        return (
            free,
            f"{told}. Nothing was required of it." if free else f"{told}, and it did not pass. {gate.get('why')}",
        )
    if found in [one.get("sha256") for one in receipt.get("documents", []) if isinstance(one, dict)]:
        told = "This is a document of the debate"
        return free, f"{told}." if free else f"{told}, and not what the gate decided about."
    return False, "This is not the file: the receipt is about another text."


def receipt_faults(content: bytes, made: dict[str, Any] | None) -> list[str]:
    """How a receipt differs from the one that is made from the files of its run. The place of the files and the
    signature are not compared."""
    standing = parsed(content)
    if made is None or standing is None:
        return [f"{receipts.FILE} is not the receipt of this run"]
    if isinstance(standing.get("run"), str):
        made["run"] = standing["run"]
        made["id"] = receipts.receipt_id(made)
    if "signature" in standing:
        made["signature"] = standing["signature"]
        if signer_of(made["id"], made["signature"]) is None:
            return [f"the signature of {receipts.FILE} is not that of this run's receipt"]
    if content == receipts.receipt_text(made).encode():
        return []
    wrong = [f" at {key!r}" for key in differing_keys(made, standing)]
    return [f"{receipts.FILE} was altered{where}" for where in wrong or [" in the order of its keys"]]


def parsed(content: bytes) -> dict[str, Any] | None:
    """The receipt in a file; None unless it is byte for byte what moot writes, so that all readers read the same: no
    key twice, and no text that cannot be written."""
    with suppress(ValueError):  # also for half a character
        found = parse_json(content)
        if isinstance(found, dict) and receipts.receipt_text(found).encode() == content:
            return found
    return None
