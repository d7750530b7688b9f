"""The result of a run, computed from its log and journal, and the receipt that binds it to them."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict, PrivateAttr, SerializeAsAny
from pydantic_core import to_json

from moot.engine.define.absent import Anything
from moot.engine.define.capabilities import TokenCounts
from moot.engine.define.gate import NOT_MET, Gate, judged
from moot.engine.define.protocol import RESERVED
from moot.engine.outcome.brief import with_places
from moot.engine.outcome.flags import common_flags, settings_flags, unfinished
from moot.engine.outcome.review import checked_findings
from moot.engine.outcome.stored import APART, Receipt, Spent, Status, whole_summary
from moot.engine.play.agent import part_of
from moot.engine.staging.runs import Run, as_line
from moot.plugins.guard import Broken, guarded
from moot.present import Finding, Flag, Summary
from moot.present.data import Model
from moot.record.entry import GENESIS, Entry, first_data
from moot.record.journal import GAVE_UP, Record
from moot.record.log import chain_faults, line_hash
from moot.record.payloads import Header, Switch
from moot.record.stores.base import CONFIG, JOURNAL, LOG
from moot.text import valid_text
from moot.text.figures import dollars
from moot.text.prose import plural


class Shortfall(Model):
    """Something that did not go according to the script: the place, the agent, and the reason. `call` is the key of
    the call, if it is about one."""

    key: str
    agent: str
    reason: str
    call: str | None = None


Files = tuple[Sequence[Entry], Sequence[Record]]
"""The entries and the records of a run."""


class Result(Model):
    """One document for every protocol. `summary` describes the outcome in the words that every interface shows, and its
    `flags` are warnings for readers. `outcome` is the protocol's part, whose fields are at the top level in JSON.
    `findings` are what is wrong with what was submitted, where the protocol looks for that.
    `limit` is the option that stopped the run, such as `max_calls`; None if no limit did. `gate` says what was decided
    on the submitted text, and whether that passes; None if nothing can be required of the protocol.
    """

    model_config = ConfigDict(frozen=True)

    run: str
    protocol: str
    status: Status
    reason: str | None
    limit: str | None
    summary: Summary
    gate: Gate | None = None
    outcome: SerializeAsAny[BaseModel] | None
    findings: list[Finding]
    failures: list[Shortfall]
    spent: Spent
    spent_by: dict[str, Spent]
    seconds: float
    longest_chain: int
    receipt: Receipt
    _stored: Run | None = PrivateAttr(None)

    @property
    def flags(self) -> list[Flag]:
        return self.summary.flags

    def stored_in(self, run: Run) -> "Result":
        """This result, linked to its run."""
        self._stored = run
        return self

    @property
    def stored(self) -> Run:
        """The run of this result."""
        if self._stored is None:
            raise RuntimeError("a result that was read from a document does not know its run")
        return self._stored

    def __repr__(self) -> str:
        spent = self.spent
        cost = "" if spent.cost is None else dollars(spent.cost)
        facts = [plural(spent.calls, "call"), cost, f"{self.seconds:.1f} s"]
        return as_line("Result", self.status, self.summary.headline, *facts, self.run)

    __str__ = __repr__

    def document(self) -> dict[str, Any]:
        """The result as in `result.json` and in the output of `--json`."""
        content = self.model_dump(mode="json")
        outcome = content.pop("outcome") or {}
        apart = {key: content["summary"].pop(key) for key in APART}
        head = {key: content.pop(key) for key in ("run", "protocol", "status", "reason", "limit", "summary", "gate")}
        return {**head, **apart, **outcome, **content}

    @classmethod
    def from_document(cls, document: dict[str, Any], run: Run) -> "Result":
        """Read a result from a document. ValidationError if it is not a result."""
        known = {key: document[key] for key in cls.model_fields if key in document and key != "summary"}
        rest = {key: value for key, value in document.items() if key not in {*cls.model_fields, *APART}}
        result = cls.model_validate({**known, "summary": whole_summary(document), "outcome": None})
        result = result.model_copy(update={"outcome": Anything.model_validate(rest) if rest else None})
        return result.stored_in(run)


def fold(
    run: Run,
    status: Status,
    reason: str | None,
    longest_chain: int,
    files: Files | None = None,
    *,
    limit: str | None = None,
) -> Result:
    """The result from the files of a run. `files` are their entries and records if they have already been read."""
    entries, records = files or (run.entries(), run.records())
    inherited = run.config.inherited
    paid = records[inherited:]
    names = cast_names(entries)
    header = first_data(entries, Header)
    outcome, summary, findings = _summarise(run, entries, records) if header else (None, NOT_BEGUN, [])
    rehearsed = header is not None and header.is_rehearsal
    if rehearsed:
        summary, findings = REHEARSED, []
    flags = common_flags(header, entries, records, names, inherited) if header else []
    flags += settings_flags(run.config.ignored)
    summary = summary.model_copy(update={"flags": [*unfinished(status, reason), *summary.flags, *flags]})
    gate = judged(run.config, status, reason, None if rehearsed else outcome, summary.flags, entries)
    if gate is not None and gate.passed is False and status == "done":
        summary = summary.model_copy(update={"flags": [Flag(code=NOT_MET, text=gate.why), *summary.flags]})
    elif gate is not None and gate.passed:
        summary = summary.model_copy(update={"reached": " ".join(filter(None, (summary.reached, gate.why)))})
    result = Result(
        run=run.address,
        protocol=run.config.protocol.name,
        status=status,
        reason=reason,
        limit=limit if status == "limit" else None,
        summary=summary,
        gate=gate,
        outcome=outcome,
        findings=findings,
        failures=shortfalls(entries, records, names),
        spent=spent_on(paid),
        spent_by=spent_by(paid, names),
        seconds=seconds_taken(paid),
        longest_chain=longest_chain,
        receipt=make_receipt(run, len(entries)),
    )
    return result.stored_in(run)


NOT_BEGUN = Summary(headline="The debate had not begun", decided=False)
REHEARSED = Summary(headline="A rehearsal, without a verdict", kind="Rehearsal", decided=False)


def _summarise(
    run: Run, entries: Sequence[Entry], records: Sequence[Record]
) -> tuple[BaseModel | None, Summary, list[Finding]]:
    """The protocol's outcome, summary and findings of the log. If its code fails, the result gets a flag instead."""
    outcome = guarded(lambda: _checked_outcome(outcome_of(run, entries, records)))
    if isinstance(outcome, Broken):
        return None, _no_summary(outcome), []

    def summed_up() -> tuple[Summary, list[Finding]]:
        summary = _checked_summary(run.config.protocol.summary(outcome, entries))
        brief = with_places(summary.brief, entries, run.config.options.documents)
        return summary.model_copy(update={"brief": brief}), checked_findings(run.config, outcome, entries)

    made = guarded(summed_up)
    return (outcome, _no_summary(made), []) if isinstance(made, Broken) else (outcome, *made)


def _no_summary(broken: Broken) -> Summary:
    why = valid_text(f"The protocol could not sum up its debate: {broken.why}")
    return Summary(headline="No summary", decided=False, flags=[Flag(code="summary_failed", text=why)])


def _checked_outcome(outcome: Any) -> BaseModel:
    """The outcome, if it can be stored: an object with serialisable fields that do not hide common fields of
    results."""
    if not isinstance(outcome, BaseModel):
        raise TypeError(f"an outcome should be a pydantic model, not {type(outcome).__name__}")
    if taken := sorted(RESERVED & outcome.model_dump(mode="json").keys()):
        raise ValueError(f"its outcome has a field `{taken[0]}`, which every result has")
    to_json(outcome)
    return outcome


def _checked_summary(summary: Summary) -> Summary:
    """The summary, if it can be stored. A decision without a brief is its own answer."""
    to_json(summary)
    checked = Summary.model_validate(summary.model_dump())
    if checked.brief.answer is not None or not checked.decided:
        return checked
    return checked.model_copy(update={"brief": checked.brief.model_copy(update={"answer": checked.headline})})


def outcome_of(run: Run, entries: Sequence[Entry], records: Sequence[Record]) -> BaseModel:
    """The protocol's outcome for the log and, if it wants them, the tokens of each call and the number of replies."""
    protocol = run.config.protocol
    outcome = protocol.outcome(entries)
    counts = protocol.get(TokenCounts)
    if counts is None:
        return outcome
    tokens: dict[str, list[int | None]] = {}
    for record in records:
        if record.usage is not None:
            tokens.setdefault(record.key, []).extend((record.usage.input, record.usage.output))
    replies = sum(record.kind == "reply" for record in records)
    return counts.add(outcome, {key: _sum(several) for key, several in tokens.items()}, replies)


def spent_on(records: Sequence[Record]) -> Spent:
    used = [record.usage for record in records if record.usage is not None]
    each = [(one.input, one.cached, one.output, one.cost, one.thinking or 0) for one in used]
    sums = zip(("input", "cached", "output", "cost", "thinking"), map(_sum, zip(*each, strict=True)), strict=False)
    return Spent(calls=sum(record.kind == "reply" for record in records), **dict(sums))


def spent_by(records: Sequence[Record], names: dict[str, str]) -> dict[str, Spent]:
    """The same for each agent, by name."""
    by_part: dict[str, list[Record]] = {}
    for record in records:
        by_part.setdefault(part_of(record.agent), []).append(record)
    return {name: spent_on(by_part.get(part, [])) for part, name in names.items()}


def shortfalls(entries: Sequence[Entry], records: Sequence[Record], names: dict[str, str]) -> list[Shortfall]:
    """Everything that failed, was cut or is missing, from both files. A failure that an entry reports is listed
    once."""
    reported = [(entry, one) for entry in entries if (one := _failure_in(entry)) is not None]
    reported_calls = _failures_told_of(reported, records)
    missed: list[Shortfall] = []

    def add(record: Record, reason: str) -> None:
        agent = names.get(part_of(record.agent), record.agent or "")
        missed.append(Shortfall(key=record.key, agent=agent, reason=reason, call=record.key))

    for record in records:
        if record.kind == "failure" and (record.key, record.model) not in reported_calls:
            add(record, f"{record.model}: {record.error}")
        if record.fault is not None:
            add(record, f"asked for again because the reply was unusable: {record.fault}")
        if record.finish_reason == "length":
            add(record, "the reply was cut off at the token limit")
    return missed + [one for _, one in reported]


def _failures_told_of(
    reported: Sequence[tuple[Entry, Shortfall]], records: Sequence[Record]
) -> set[tuple[str | None, str | None]]:
    """The calls and models whose failures these entries report: another model took over, or the call was abandoned
    when its last model failed."""
    given_up = {one.key.removesuffix(GAVE_UP): one.model for one in records if one.kind == "fact" and one.model}
    calls: set[tuple[str | None, str | None]] = set()
    for entry, one in reported:
        if isinstance(entry.data, Switch):
            calls.add((one.call, entry.data.failed))
        elif one.call in given_up:
            calls.add((one.call, given_up[one.call]))
    return calls


def _failure_in(entry: Entry) -> Shortfall | None:
    data = entry.data
    if isinstance(data, Switch):
        if data.call is None:
            return None
        return Shortfall(key=f"seq {entry.seq}", agent=data.agent, reason=entry.content, call=data.call)
    failure = getattr(data, "failure", None)
    if failure is None:
        return None
    who = data.failing if data is not None else None
    call = entry.call or getattr(data, "call", None)
    return Shortfall(key=f"seq {entry.seq}", agent=who or entry.speaker, reason=failure, call=call)


def cast_names(entries: Sequence[Entry]) -> dict[str, str]:
    """The name of each agent by its part in the script."""
    header = first_data(entries, Header)
    return {member.id: member.name for member in header.cast} if header else {}


def vouched_for(run: Run) -> dict[str, Any] | None:
    """The stored result document, if it was made from the current files."""
    document = run.result()
    if document is None or document.get("status") not in get_args(Status) or "reason" not in document:
        return None
    texts = (document.get("reason"), document.get("limit"))
    if not (isinstance(document.get("longest_chain"), int) and all(isinstance(text, str | None) for text in texts)):
        return None
    lines = run.place.read_lines(LOG)
    # The receipt has the hash of the last line, which confirms the others through the chain.
    fits = make_receipt(run, len(lines)).model_dump() == document.get("receipt") and not chain_faults(
        lines, run.config.protocol.payloads
    )
    return document if fits else None


NOT_COMPARED = frozenset({"run", "receipt"})
"""The place of a run does not belong to its result, and outside entries can be added to the log later."""


def differing_keys(one: dict[str, Any], other: dict[str, Any], *, but: frozenset[str] = frozenset()) -> list[str]:
    """The keys that only one has, or that have different values: null is a value, and true is not 1."""
    spelled = [{key: json.dumps(value, sort_keys=True) for key, value in each.items()} for each in (one, other)]
    return sorted(key for key in (one.keys() | other.keys()) - but if spelled[0].get(key) != spelled[1].get(key))


def make_receipt(run: Run, entries: int) -> Receipt:
    last = run.place.last_line(LOG)
    return Receipt(
        entries=entries,
        log_sha256=GENESIS if last is None else line_hash(last),
        calls_sha256=run.place.sha256(JOURNAL),
        config_sha256=run.place.sha256(CONFIG),
    )


def seconds_taken(records: Sequence[Record]) -> float:
    """The total time in which at least one call or lookup, such as fetching a page, was in progress, even if the run
    was stopped and resumed."""
    spans = sorted((datetime.fromisoformat(one.started).timestamp(), one.seconds) for one in records if one.seconds)
    total, busy_until = 0.0, 0.0
    for start, seconds in spans:
        total += max(0.0, start + seconds - max(start, busy_until))
        busy_until = max(busy_until, start + seconds)
    return round(total, 3)


def _sum(values: Sequence[Any]) -> Any:
    return None if None in values else sum(values)
