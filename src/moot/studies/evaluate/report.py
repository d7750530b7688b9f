"""The documents of an evaluation: rows for programs, and one report in Markdown and as a page without scripts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from moot.engine.staging.finding import EVALUATION
from moot.errors import RunDamaged
from moot.present import Table
from moot.record.files import read_file
from moot.record.lines import read_lines
from moot.studies.csv_file import csv_file
from moot.studies.evaluate.questions import Row
from moot.studies.evaluate.summary import LEVEL, Comparison, Evaluation, Method, Paired
from moot.studies.page import ReportSection, StudyPage
from moot.studies.runner import read_object
from moot.studies.template import template_of
from moot.text.json import parse_json

TEMPLATE = template_of("evaluate")


def documents(found: Evaluation, setup: Mapping[str, Any]) -> dict[str, bytes]:
    """All documents by file name. `setup` is that of the evaluation."""
    cells = (row.model_dump(mode="json").values() for row in found.rows)
    table = csv_file([*Row.model_fields, *Row.model_computed_fields], cells)
    return page_of(found, setup).files("summary.json", found, found.rows, table)


def stored_rows(folder: Path) -> list[Row]:
    """The rows of the evaluation in this folder; RunDamaged if they are not what moot wrote."""
    try:
        return [Row.model_validate(parse_json(line)) for line in read_lines(folder / "rows.jsonl")]
    except ValueError as error:
        raise RunDamaged(f"{folder / 'rows.jsonl'} is not what moot wrote: {error}") from error


def read_page(found: Evaluation) -> StudyPage:
    """The report of an evaluation, with the setup that its folder has."""
    return page_of(found, read_object(Path(found.folder) / EVALUATION))


def stored_page(folder: Path) -> StudyPage | None:
    """The report of the evaluation in this folder; None if it has none yet."""
    if (summary := read_file(folder / "summary.json")) is None:
        return None
    try:
        found = Evaluation.model_validate({**parse_json(summary), "rows": stored_rows(folder), "folder": str(folder)})
        return read_page(found)
    except (ValueError, TypeError, KeyError) as error:
        raise RunDamaged(f"{folder / 'summary.json'} is not what moot wrote: {error}") from error


def _row_table(found: Evaluation) -> Table:
    """Every question, as often as it was asked, with the answer of each method."""
    names = [method.method for method in found.methods]
    by_question: dict[tuple[str, int], dict[str, Row]] = {}
    for row in found.rows:
        by_question.setdefault(row.key, {})[row.method] = row
    rows = []
    for (question, epoch), given in by_question.items():
        truth = next(iter(given.values())).truth
        asked = f"{question}, try {epoch}" if found.epochs > 1 else question
        rows.append([asked, truth, *(_cell(given.get(name)) for name in names)])
    return Table(["Question", "Truth", *names], rows, texts=2 + len(names), name="Every question")


def _cell(row: Row | None) -> str:
    if row is None:
        return ""
    return f"{row.grade}: {row.answer}" if row.answer is not None else row.grade


def _other_ways(comparison: Comparison) -> dict[str, Paired]:
    found = {"not failed": comparison.over_all, "answered by both": comparison.over_answered}
    if comparison.failed:
        found |= {"all, failures against the debate": comparison.at_worst, "all, failures for it": comparison.at_best}
    return {over: paired for over, paired in found.items() if paired != comparison.over_read}


def page_of(found: Evaluation, setup: Mapping[str, Any]) -> StudyPage:
    """The report of an evaluation with this setup."""
    values = {
        **dict(found),
        "setup": setup,
        "level": LEVEL,
        "ordered": _best_first(found.methods),
        "several": len({comparison.debate for comparison in found.comparisons}) > 1,
        "other_ways": [
            (comparison, over, paired)
            for comparison in found.comparisons
            for over, paired in _other_ways(comparison).items()
        ],
        "by_category": [
            (name, method) for name, methods in found.categories.items() for method in _best_first(methods)
        ],
    }
    return TEMPLATE.page(
        values,
        found.notes,
        [ReportSection("rows", "Every question", "", [_row_table(found)])],
        title=f"Does debating pay? {found.dataset}",
        about=f"{found.done} of {found.questions} questions"
        + (f", each asked {found.epochs} times" if found.epochs > 1 else ""),
        name=Path(found.folder).name,
        unfinished=[found.reason, GO_ON.format(found.raised)] if found.reason else [],
    )


def _best_first(methods: Sequence[Method]) -> list[Method]:
    return sorted(methods, key=lambda method: -(method.right_of_all.rate or 0))


GO_ON = "Run the same command with this folder as --out and {} to go on; no reply that is on record is paid for again."
