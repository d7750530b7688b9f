"""The receipt: an arena's decision on one page, with what it rests on and the hashes that bind it to the log.

Folded from log and journal like the result. Its id is the hash of all the rest of it, so that whoever has nothing but
the receipt can tell that it is whole.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from moot.entry import Entry
from moot.journal import Record
from moot.payloads import Header, Member
from moot.protocols.arena.payloads import Background
from moot.protocols.arena.result import ArenaOutcome
from moot.result import Receipt, Result, part_of
from moot.runs import Run
from moot.text import printable

FILE = "receipt.json"


def receipt_of(
    result: Result, entries: Sequence[Entry], records: Sequence[Record], hashes: Receipt | None = None
) -> dict[str, Any] | None:
    """The receipt of a finished arena, None for anything else. `hashes` where others than the result's are meant;
    `records` are the journal's, which know through which models everybody spoke."""
    outcome = result.outcome
    if result.status != "done" or not isinstance(outcome, ArenaOutcome):
        return None
    header = next(entry.data for entry in entries if isinstance(entry.data, Header))
    rest = {
        "question": outcome.topic,
        "decision": outcome.decision,
        "verdict": outcome.verdict,
        "confidence": outcome.confidence,
        "agreed": outcome.agreed,
        "decided_by": outcome.decided_by,
        "reasons": outcome.reasons,
        "votes": [one.model_dump(mode="json", include=_OF_A_VOTE) for one in outcome.votes],
        "dissent": [one.model_dump(mode="json") for one in outcome.dissent],
        "agents": [_agent(one, records) for one in header.cast],
        "rounds": outcome.round,
        "evidence": _evidence(outcome, entries),
        "cost": result.spent.model_dump(mode="json"),
        **(hashes or result.receipt).model_dump(mode="json"),
    }
    return {"id": receipt_id(rest), **rest}


_OF_A_VOTE = {"agent", "choice", "confidence", "reason", "failure"}


def _agent(member: Member, records: Sequence[Record]) -> dict[str, Any]:
    """Who it is and through which models it spoke, in the order of their first replies; where it never spoke, through
    which it was to."""
    spoke = [one.model for one in records if one.kind == "reply" and one.model and part_of(one.agent) == member.id]
    return {"name": member.name, "role": member.role, "models": list(dict.fromkeys(spoke)) or member.models}


def receipt_id(receipt: dict[str, Any]) -> str:
    """The hash of a receipt without its id."""
    rest = {key: value for key, value in receipt.items() if key != "id"}
    spelled = json.dumps(rest, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(spelled.encode()).hexdigest()


def receipt_text(receipt: dict[str, Any]) -> str:
    """The receipt as it stands in its file."""
    return json.dumps(receipt, ensure_ascii=False, indent=2) + "\n"


def _evidence(outcome: ArenaOutcome, entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """What the decision rests on: the proposal that won, what was named as new evidence, the texts handed to all."""
    won = outcome.versions[outcome.winner][-1] if outcome.winner else None
    found: list[dict[str, Any]] = []
    if won is not None:
        found.append({"kind": "proposal", "by": outcome.winner, "seq": won.seq, "text": won.proposal})
    found += [
        {"kind": "new evidence", "by": one.agent, "round": one.round, "text": one.new_evidence}
        for one in outcome.changes_of_mind
        if one.new_evidence
    ]
    found += [
        {"kind": text.kind, "title": text.title, "seq": entry.seq}
        for entry in entries
        if isinstance(entry.data, Background)
        for text in entry.data.texts
    ]
    return found


_SAID = {"decision": "Decision", "winner": "Winner", "outcome": "Outcome"}


def as_text(run: Run, result: Result, key: str) -> str:
    """A result in a few lines, for people; the first one is the question."""
    document = result.document()
    said = (f"{word}: {document[name]}" for name, word in _SAID.items() if isinstance(document.get(name) or None, str))
    verdict, by, confidence = (document.get(name) for name in ("verdict", "decided_by", "confidence"))
    lines = [str(document.get("topic") or run.name), "", next(said, "Decision: none was reached")]
    if isinstance(verdict, str):
        sure = "" if confidence is None else f", confidence {confidence:.0%}"
        how = f", by {by}" if by and by != "none" else ""
        lines.append(f"Verdict: {verdict.replace('_', ' ')}{how}{sure}")
    lines += [f"Dissent of {one['agent']}: {one['reason']}" for one in document.get("dissent") or []]
    cost = "unknown" if result.spent.cost is None else f"${result.spent.cost:.4f}"
    lines += ["", f"Run {run.name}, {result.spent.calls} calls, cost {cost}"]
    lines += [f"Log {result.receipt.log_sha256}", f"Delivery {key}"]
    return printable("\n".join(lines)) + "\n"
