"""The receipt: the outcome of a debate on one page, with its grounds and the hashes that bind it to the log.

Built from log and journal, like the result. Its id is the hash of the other fields, so a receipt can be checked without
the run.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from moot.engine.material import Material
from moot.engine.result import Result, part_of
from moot.engine.runs import Run
from moot.record.journal import Record
from moot.record.payloads import Member
from moot.text import printable
from moot.text.figures import dollars

FILE = "receipt.json"


def receipt_of(material: Material) -> dict[str, Any] | None:
    """The receipt of a finished debate; None if it has not finished."""
    result = material.result
    if material.header is None or result.status != "done":
        return None
    rest = {
        "protocol": result.protocol,
        "question": material.topic,
        "headline": result.summary.headline,
        "reached": result.summary.reached,
        "flags": [flag.model_dump(mode="json") for flag in result.flags],
        **material.run.config.protocol.receipt(material),
        "dissent": [one.model_dump(mode="json") for one in result.summary.dissent],
        "agents": [_agent(member, material.records) for member in material.header.cast],
        "cost": result.spent.model_dump(mode="json"),
        **result.receipt.model_dump(mode="json"),
    }
    return {"id": receipt_id(rest), **rest}


def documents(material: Material) -> dict[str, str]:
    """The receipt by file name, if there is one."""
    receipt = receipt_of(material)
    return {} if receipt is None else {FILE: receipt_text(receipt)}


def receipt_id(receipt: dict[str, Any]) -> str:
    """The hash of a receipt without its id."""
    rest = {key: value for key, value in receipt.items() if key != "id"}
    spelled = json.dumps(rest, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(spelled.encode()).hexdigest()


def receipt_text(receipt: dict[str, Any]) -> str:
    """The receipt as written to its file."""
    return json.dumps(receipt, ensure_ascii=False, indent=2) + "\n"


def as_text(run: Run, result: Result, key: str) -> str:
    """A result in a few lines for people, starting with the question."""
    summary = result.summary
    lines = [str(result.document().get("topic") or run.name), "", f"{summary.kind}: {summary.headline}"]
    lines += [text for text in (summary.reached, summary.change) if text]
    lines += [f"Dissent of {one.who}: {one.reason}" for one in summary.dissent]
    lines += [f"{'Flag' if flag.severity == 'warning' else 'Note'}: {flag.text}" for flag in summary.flags]
    lines += ["", f"Run {run.name}, {result.spent.calls} calls, cost {dollars(result.spent.cost)}"]
    lines += [f"Log {result.receipt.log_sha256}", f"Delivery {key}"]
    return printable("\n".join(lines)) + "\n"


def _agent(member: Member, records: Sequence[Record]) -> dict[str, Any]:
    """The agent and the models of its replies, in the order of first use; its configured models if it never replied."""
    spoke = [one.model for one in records if one.kind == "reply" and one.model and part_of(one.agent) == member.id]
    return {"name": member.name, "role": member.role, "models": list(dict.fromkeys(spoke)) or member.models}
