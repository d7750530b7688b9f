"""The receipt: the outcome of a debate on one page, with its grounds and the hashes that bind it to the log.

Built from log and journal, like the result. Its id is the hash of the other fields, so a receipt can be checked without
the run.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from moot.engine.define.capabilities import ReceiptFields
from moot.engine.define.versions import own_version, written_by
from moot.engine.outcome.material import Material
from moot.engine.play.agent import part_of
from moot.engine.staging.runs import Run
from moot.record.entry import Entry, data_of
from moot.record.journal import Record
from moot.record.payloads import Given, Member
from moot.record.stores.base import CONFIG
from moot.report.signing import signature_of
from moot.text.json import parse_json

FILE = "receipt.json"


def receipt_of(material: Material) -> dict[str, Any] | None:
    """The receipt of a finished debate; None if it has not finished."""
    result = material.result
    if material.header is None or result.status != "done":
        return None
    fields, outcome = material.run.config.protocol.get(ReceiptFields), result.outcome
    rest = {
        "run": material.name,
        "date": next(entry for entry in reversed(material.entries) if not entry.outside).timestamp,
        "version": written_by(material.run.place.read(CONFIG) or b"") or own_version(),
        "protocol": result.protocol,
        "question": material.topic,
        "headline": result.summary.headline,
        "reached": result.summary.reached,
        "flags": [flag.model_dump(mode="json") for flag in result.flags],
        **({"gate": result.gate.model_dump(mode="json")} if result.gate else {}),
        **(fields.of(material) if fields else {"outcome": outcome and outcome.model_dump(mode="json")}),
        "brief": result.summary.brief.model_dump(mode="json"),
        **_documents(material.entries),
        **({"policy": policy.model_dump()} if (policy := material.run.config.policy) else {}),
        "agents": [_agent(member, material.records) for member in material.header.cast],
        "cost": result.spent.model_dump(mode="json"),
        **result.receipt.model_dump(mode="json"),
    }
    return {"id": receipt_id(rest), **rest}


def documents(material: Material) -> dict[str, str]:
    """The receipt by file name, if there is one."""
    receipt = receipt_of(material)
    if receipt is None:
        return {}
    signature = signature_of(receipt["id"]) or _standing_signature(material.run, receipt["id"])
    return {FILE: receipt_text(receipt if signature is None else {**receipt, "signature": signature})}


def _standing_signature(run: Run, receipt: str) -> Any:
    """The existing signature of the receipt, if the receipt is unchanged: whoever writes it again may not have the
    key."""
    try:
        standing = parse_json(run.place.read(FILE) or b"{}")
    except ValueError:
        return None
    return standing.get("signature") if isinstance(standing, dict) and standing.get("id") == receipt else None


def receipt_id(receipt: dict[str, Any]) -> str:
    """The hash of a receipt without its id and its signature."""
    rest = {key: value for key, value in receipt.items() if key not in ("id", "signature")}
    spelled = json.dumps(rest, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(spelled.encode()).hexdigest()


def receipt_text(receipt: dict[str, Any]) -> str:
    """The receipt as written to its file."""
    return json.dumps(receipt, ensure_ascii=False, indent=2) + "\n"


def _documents(entries: Sequence[Entry]) -> dict[str, Any]:
    """The documents of the debate by number, without their texts; nothing if it had none."""
    given = [one.model_dump(mode="json") for one in data_of(entries, Given)]
    return {"documents": given} if given else {}


def _agent(member: Member, records: Sequence[Record]) -> dict[str, Any]:
    """The agent and the models of its replies, in the order of first use; its configured models if it never replied."""
    spoke = [one.model for one in records if one.kind == "reply" and one.model and part_of(one.agent) == member.id]
    return {"name": member.name, "role": member.role, "models": list(dict.fromkeys(spoke)) or member.models}
