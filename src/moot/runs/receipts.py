"""Checking a receipt: alone, by its own hash and its signature, and against the run that it is of."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from moot.engine.outcome.result import differing_keys
from moot.errors import ConfigError
from moot.report import receipts
from moot.report.signing import PublicKey, signer_of
from moot.text.json import parse_json


@dataclass(frozen=True, slots=True)
class ReceiptCheck:
    """`faults` is empty when all is well. `signer` is whose key signed it; None where nobody's did."""

    receipt: dict[str, Any]
    signer: PublicKey | None = None
    faults: list[str] = field(default_factory=list)


def check_receipt(path: Path, key: PublicKey | None = None) -> ReceiptCheck:
    """Whether a receipt is complete, and who signed it; with a `key`, whether it was signed with this key. ConfigError
    if the file is not a receipt."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    return check_content(content, str(path), key)


def check_content(content: bytes, where: str, key: PublicKey | None = None) -> ReceiptCheck:
    """The same for the content of a file."""
    receipt = parsed(content)
    if receipt is None or "id" not in receipt:
        raise ConfigError(f"{where} is no receipt")
    faults = []
    own_hash = receipts.receipt_id(receipt)
    if receipt["id"] != own_hash:
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
    # A key that stands there twice says one thing to some readers and another to others.
    return [f"{receipts.FILE} was altered{where}" for where in wrong or [""]]


def parsed(content: bytes) -> dict[str, Any] | None:
    """The receipt in a file; None if it is missing or ambiguous, such as with a duplicate key."""
    try:
        found = parse_json(content)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
