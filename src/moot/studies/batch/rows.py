"""One row per debate of a batch: its outcome, in columns that all protocols share.

Columns that a protocol lacks, or that a debate did not reach, are null. A row is computed from the result and log of
the run alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from moot.engine.define.registry import get_protocol
from moot.engine.define.study import PLAIN, Answer, Findings, Study
from moot.engine.outcome.result import Result, seconds_taken, spent_on
from moot.engine.outcome.stored import Spent
from moot.engine.staging.runs import Run
from moot.errors import RunDamaged
from moot.present import Summary
from moot.record.entry import Entry, first_data
from moot.record.payloads import Header, Switch
from moot.stats import Clusters, lean_test
from moot.studies.batch.items import Item, Label, short_hash
from moot.text.prose import plain_words

Status = Literal["done", "limit", "failed", "interrupted", "waiting"]
MOST_LEVELS = 50
CONTESTANTS = ("debater", "proposer")
JUDGES = ("judge", "moderator", "chair")


class Contestant(BaseModel):
    """An agent that could win. `place` is 1 for the first speaker, null if there is no order; `won` is null if nothing
    was decided."""

    name: str
    model: str
    side: str | None
    place: int | None
    won: bool | None


class Flip(BaseModel):
    """An agent whose last decision differs from its first one. `evidence` says whether it named new evidence for the
    change; `right_before` and `right_after` are null if the right answer is unknown."""

    agent: str
    before: str
    after: str
    evidence: bool
    right_before: bool | None
    right_after: bool | None


class Vote(BaseModel):
    """One judge of a jury read the debate once, with the statements of `first` first; `winner` is null with the reason
    in `failure`."""

    judge: str
    model: str
    first: str
    winner: str | None
    failure: str | None = None


class Row(BaseModel):
    """`outcome` is what can be counted of the debate: what became of its claim or else its decision, or the
    headline of a protocol that records neither. `decided` says whether it reached a decision, as in the summary,
    and `upheld` whether the debated claim was upheld. `decision` is the decision, `first_decision` the decision
    there would have been without the debate, and `changed_by_debate` whether they differ: null if either is
    unknown. `correct` and `first_correct` compare both with `answer`; null is neither right nor wrong.
    `flags` are the codes of warnings, and `flag_texts` their sentences by code. For a judge,
    `confirmed` says whether it confirmed the winner when asked for the name alone, and `scores_contradict_winner`
    whether it gave the loser the higher score. `cell` is a hash of the settings without the seed, and `said` a hash
    of all replies: debates in which both are equal repeat each other word for word. `answered_by` are the models
    that answered according to the providers. `readings` are those of a jury, each in one order of showing."""

    model_config = ConfigDict(extra="forbid")

    id: str
    group: str
    design: dict[str, str]
    factors: dict[str, Label]
    protocol: str
    topic: str
    claim: str | None = None
    seed: int
    status: Status
    reason: str | None = None
    headline: str | None = None
    outcome: str | None = None
    decided: bool | None = None
    flags: list[str] = []
    flag_texts: dict[str, str] = {}
    winner: str | None = None
    winner_side: str | None = None
    first_speaker: str | None = None
    contestants: list[Contestant] = []
    judge: str | None = None
    judge_model: str | None = None
    upheld: bool | None = None
    decision: str | None = None
    first_decision: str | None = None
    changed_by_debate: bool | None = None
    confirmed: bool | None = None
    scores_contradict_winner: bool | None = None
    answer: Answer | None = None
    correct: bool | None = None
    first_correct: bool | None = None
    accepted: bool | None = None
    scores: dict[str, float | None] = {}
    flips: list[Flip] = []
    readings: list[Vote] = []
    minds_shown: bool = False
    """Whether the protocol records changes of mind."""
    failures: int = 0
    calls: int | None = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None
    run: str | None = None
    cell: str = ""
    said: str | None = None
    answered_by: list[str] = []

    @classmethod
    def without_result(cls, item: Item, run: Run | None, status: Status, reason: str | None = None) -> "Row":
        """The row of a debate that is not begun, not finished, or could not be run."""
        return cls(**_about(item), **_taken(item, run), status=status, reason=reason)


def row_of(item: Item, result: Result, entries: Sequence[Entry]) -> Row:
    """The row of a debate with a result."""
    header = first_data(entries, Header)
    found: dict[str, Any] = {}
    if header is not None and result.outcome is not None:
        study = get_protocol(result.protocol).get(Study) or PLAIN
        findings = Findings() if header.is_rehearsal else study.find(result.outcome, entries)
        models = _models(header, entries)
        contestants = _contestants(header, models, findings)
        found = _fields(findings, item.answer) | {
            "contestants": contestants,
            "winner_side": next((contestant.side for contestant in contestants if contestant.won), None),
            "first_speaker": next((contestant.name for contestant in contestants if contestant.place == 1), None),
            **_judge(header, models),
            "readings": [Vote(**asdict(reading), model=models[reading.judge]) for reading in findings.readings],
        }
    return Row(
        **(_about(item) | found | _compared(item.answer, found) | _spent(result.spent)),
        status=result.status,
        reason=result.reason,
        headline=result.summary.headline,
        outcome=_outcome(found, result.summary),
        decided=result.summary.decided,
        flags=[flag.code for flag in result.flags],
        flag_texts={flag.code: flag.text for flag in result.flags},
        failures=len(result.failures),
        seconds=result.seconds,
        run=_place(result.run, item),
        **_replies(result),
    )


def _outcome(found: Mapping[str, Any], summary: Summary) -> str:
    if not summary.decided:
        return "no decision"
    if (upheld := found.get("upheld")) is not None:
        return "claim upheld" if upheld else "claim not upheld"
    decision = found.get("decision")
    return summary.headline if decision in (None, found.get("winner")) else decision


def _replies(result: Result) -> dict[str, Any]:
    """A hash of the replies, and the models that answered."""
    records = [record for record in result.stored.records() if record.kind == "reply"]
    said = sorted((record.key, record.attempt, record.reply or "") for record in records)
    answered = dict.fromkeys(record.answered_by for record in records if record.answered_by)
    return {"said": short_hash(said) if said else None, "answered_by": list(answered)}


def _taken(item: Item, run: Run | None) -> dict[str, Any]:
    """What a run without a result has used according to its journal; unknown if the journal is damaged."""
    if run is None:
        return {}
    found = {"run": _place(run.address, item)}
    try:
        records = run.records()
    except RunDamaged:
        return found | {"calls": None}
    return found | _spent(spent_on(records)) | {"seconds": seconds_taken(records)}


def _spent(spent: Spent) -> dict[str, Any]:
    return {
        "calls": spent.calls,
        "input_tokens": spent.input,
        "output_tokens": spent.output,
        "cost": spent.cost,
    }


def _about(item: Item) -> dict[str, Any]:
    config = item.config
    key = get_protocol(config["protocol"]).subject.key
    subject = config.get(key) or config.get("topic") or config.get("claim") or ""
    return {
        "id": item.id,
        "group": item.group,
        "design": item.design,
        "factors": item.factors,
        "protocol": config["protocol"],
        "topic": subject if isinstance(subject, str) else str(subject.get("name") or subject.get("title") or subject),
        "claim": config.get("claim"),
        "seed": config.get("seed", 0),
        "answer": item.answer,
        "cell": short_hash({key: value for key, value in config.items() if key != "seed"}),
    }


def _place(address: str, item: Item) -> str:
    """The location of a run: its folder relative to the batch, or its address in a database."""
    return address if "://" in address else f"runs/{item.id}/{address.rstrip('/').rpartition('/')[2]}"


def _models(header: Header, entries: Sequence[Entry]) -> dict[str, str]:
    """The model of each agent; all of its models if one failed and another took over."""
    found = {member.name: [member.models[0]] for member in header.cast}
    for entry in entries:
        if isinstance(entry.data, Switch) and entry.data.agent in found:
            found[entry.data.agent].append(entry.data.to_model)
    return {name: ", ".join(dict.fromkeys(several)) for name, several in found.items()}


def _contestants(header: Header, models: Mapping[str, str], findings: Findings) -> list[Contestant]:
    members = [member for member in header.cast if member.role in CONTESTANTS]
    return [
        Contestant(
            name=member.name,
            model=models[member.name],
            side=member.side,
            place=number if findings.ordered else None,
            won=None if findings.winner is None else member.name == findings.winner,
        )
        for number, member in enumerate(members, 1)
    ]


def _judge(header: Header, models: Mapping[str, str]) -> dict[str, Any]:
    """The judge; several judges are named together."""
    judges = [member for member in header.cast if member.role in JUDGES]
    if not judges:
        return {}
    return {
        "judge": ", ".join(member.name for member in judges),
        "judge_model": ", ".join(dict.fromkeys(models[member.name] for member in judges)),
    }


def _fields(findings: Findings, answer: Answer | None) -> dict[str, Any]:
    """The columns filled from a protocol's findings."""
    columns = {
        field.name: getattr(findings, field.name)
        for field in fields(findings)
        if field.name not in ("changes", "ordered", "readings")
    }
    if columns["claim"] is None:
        del columns["claim"]
    flips = [
        Flip(
            **asdict(change),
            right_before=_same_words(change.before, answer),
            right_after=_same_words(change.after, answer),
        )
        for change in findings.changes or []
    ]
    return {**columns, "flips": flips, "minds_shown": findings.changes is not None}


def _compared(answer: Answer | None, found: Mapping[str, Any]) -> dict[str, Any]:
    """Whether the decision, and the decision without the debate, are right."""
    if isinstance(answer, bool):
        upheld = found.get("upheld")
        return {"correct": None if upheld is None else upheld is answer}
    return {
        "correct": _same_words(found.get("decision"), answer),
        "first_correct": _same_words(found.get("first_decision"), answer),
    }


def _same_words(said: str | None, answer: Answer | None) -> bool | None:
    return plain_words(said) == plain_words(answer) if said is not None and isinstance(answer, str) else None


def has_failed(row: Row) -> bool:
    """Whether the debate was begun and has no end: an outage, a limit, no usable reply."""
    return row.status in ("failed", "limit", "interrupted")


def failed_like(rows: Iterable[Row], held: Sequence[Row]) -> list[Row]:
    """The failed debates of the protocols that have finished debates."""
    kinds = {row.protocol for row in held}
    return [row for row in rows if has_failed(row) and row.protocol in kinds]


def p_at_worst(leans: Sequence[int], failed: int, related: Clusters) -> float | None:
    """The p-value if this many further cases had all gone against the sum of the others; `related` are the clusters of
    all. If that reverses the sum or makes it 0, the finding is lost."""
    lean = sum(leans)
    against = -1 if lean > 0 else 1
    if not failed:
        return lean_test(leans, related)
    if (p := lean_test([*leans, *[against] * failed], related)) is None:
        return None
    return 1.0 if lean * (lean + against * failed) <= 0 else p


def by_value_of(rows: Sequence[Row]) -> dict[str, dict[str, list[Row]]]:
    """The rows by factor and value. Properties that the design varies are factors too, under names that no grid key
    has."""
    found: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        varied = {f"design: {name}": value for name, value in row.design.items()}
        for name, value in {**row.factors, **varied}.items():
            if name != "repeat":
                found.setdefault(name, {}).setdefault(str(value), []).append(row)
    return found
