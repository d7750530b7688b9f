"""Many panels together: their decisions, and their accuracy if the right labels are known."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from moot.engine.define.capabilities import Series
from moot.engine.define.gate import gate_of
from moot.engine.outcome.result import Result
from moot.errors import ConfigError
from moot.present import Block, Paragraph, Table
from moot.protocols.panel.callers import summarise_panels
from moot.protocols.panel.config import PanelConfig
from moot.protocols.panel.result import PanelOutcome
from moot.stats import wilson
from moot.text import clip, one_line
from moot.text.figures import bound_percent
from moot.voting.weighted import NO_CONSENSUS

LONGEST_IDEA = 40


class BatchAccuracy(BaseModel):
    """How many of the `known` labels were met. `low` and `high` are the 95 % confidence interval (Wilson's, which
    stays within 0…1 and is valid for few cases). `confusion` counts decisions by the right label; a panel without
    consensus is wrong."""

    known: int
    correct: int
    share: float
    low: float
    high: float
    confusion: dict[str, dict[str, int]]


class PanelSummary(BaseModel):
    """`decisions` counts the panels by what they decided; those that stopped early are `unfinished` and not counted.
    `accuracy` is null where no right label is known."""

    ideas: int
    accepted: int
    unfinished: int
    decisions: dict[str, int]
    requirement_missed: int
    accuracy: BatchAccuracy | None


def summarise(results: Sequence[Result]) -> PanelSummary:
    """The summary of these panels."""
    outcomes = [one.outcome if isinstance(one.outcome, PanelOutcome) else None for one in results]
    decided = [one for one in outcomes if one is not None and one.decision is not None]
    decisions = Counter(one.decision for one in decided)
    return PanelSummary(
        ideas=len(outcomes),
        accepted=sum(one.accepted for one in decided),
        unfinished=len(outcomes) - len(decided),
        decisions={str(label): number for label, number in sorted(decisions.items(), key=lambda pair: str(pair[0]))},
        requirement_missed=sum(
            one.status == "done" and (gate := gate_of(one)) is not None and not gate.passed for one in results
        ),
        accuracy=accuracy_of(decided),
    )


def accuracy_of(outcomes: Sequence[PanelOutcome]) -> BatchAccuracy | None:
    pairs = [
        (one.metrics.accuracy.truth, one.decision or NO_CONSENSUS, one.metrics.accuracy.correct)
        for one in outcomes
        if one.metrics.accuracy is not None
    ]
    if not pairs:
        return None
    correct = sum(right for _, _, right in pairs)
    low, high = (round(bound, 4) for bound in wilson(correct, len(pairs)))
    confusion: dict[str, dict[str, int]] = {}
    for truth, decision, _ in sorted(pairs):
        row = confusion.setdefault(truth, {})
        row[decision] = row.get(decision, 0) + 1
    share = round(correct / len(pairs), 4)
    return BatchAccuracy(known=len(pairs), correct=correct, share=share, low=low, high=high, confusion=confusion)


def line_settings(line: Any) -> dict[str, Any]:
    """The settings in one line of an ideas file: a text, or a document with its right label."""
    given = line if isinstance(line, dict) else {"idea": line}
    idea = given.get("idea")
    if not idea or not isinstance(idea, str | dict) or given.keys() - {"idea", "truth"}:
        raise ConfigError('should be a text, or {"idea": …, "truth": LABEL}', "idea")
    return {key: value for key, value in given.items() if value is not None}


def carry(results: Sequence[Result]) -> dict[str, Any]:
    """The ideas accepted so far, which are shown to the panel."""
    if not results:
        return {}
    debate = results[0].stored.config.debate
    before = debate.accepted if isinstance(debate, PanelConfig) else []
    outcomes = [one.outcome for one in results if one.status == "done" and isinstance(one.outcome, PanelOutcome)]
    accepted = [*before, *(one.idea for one in outcomes if one.accepted)]
    return {"accepted": accepted} if accepted else {}


def sum_up(results: Sequence[Result]) -> tuple[PanelSummary, list[Block]]:
    summary = summarise_panels(results)
    return summary, told(results, summary)


SERIES = Series(line_settings, carry, sum_up)


def told(results: Sequence[Result], summary: PanelSummary) -> list[Block]:
    """Many panels for people: a table, the decisions, and the accuracy."""
    rows = [_row(result) for result in results]
    counted = ", ".join(f"{number} {label.replace('_', ' ')}" for label, number in summary.decisions.items()) or "none"
    blocks: list[Block] = [
        Table(["Idea", "Decision", "Agreement", "Truth", "Run"], rows, texts=5, name="Panels"),
        Paragraph(f"{summary.ideas} ideas, {summary.accepted} accepted: {counted}."),
    ]
    if summary.unfinished:
        unfinished = f"{summary.unfinished} unfinished: each is a run that `moot resume` takes up."
        blocks.append(Paragraph(unfinished, "flag"))
    return blocks + (_accuracy(summary.accuracy) if summary.accuracy else [])


def _row(result: Result) -> list[str]:
    outcome, run = result.outcome, result.run.rpartition("/")[2]
    if not isinstance(outcome, PanelOutcome):
        return ["", result.status, "", "", run]
    accuracy = outcome.metrics.accuracy
    truth = "" if accuracy is None else f"{accuracy.truth}, {'right' if accuracy.correct else 'wrong'}"
    # Stored shares are rounded down, so they are shown in full.
    share = "" if outcome.agreement is None else f"{bound_percent(outcome.agreement)}%"
    decision = (outcome.decision or result.status).replace("_", " ")
    return [clip(one_line(outcome.topic), LONGEST_IDEA), decision, share, truth, run]


def _accuracy(accuracy: BatchAccuracy) -> list[Block]:
    share, low, high = (f"{100 * figure:.0f}" for figure in (accuracy.share, accuracy.low, accuracy.high))
    right = f"Right in {accuracy.correct} of {accuracy.known}: {share} % (95 % confidence: {low} to {high} %)."
    decisions = sorted({label for counts in accuracy.confusion.values() for label in counts})
    rows = [
        [truth, *(f"{counts.get(label, 0)}" for label in decisions)] for truth, counts in accuracy.confusion.items()
    ]
    return [Paragraph(right), Table(["Truth \\ decision", *decisions], rows, name="Decisions by the right label")]
