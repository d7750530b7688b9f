"""The documents of an evaluation: rows for programs, and one report in Markdown and as a page without scripts."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from moot.engine.staging.finding import EVALUATION
from moot.errors import RunDamaged
from moot.present import Facts, Table
from moot.record.files import read_file
from moot.record.lines import read_lines
from moot.stats import Rate
from moot.studies.cells import percent, sampling_words
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
    rows = [row.model_dump(mode="json") for row in found.rows]
    texts = {
        "rows.jsonl": "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows),
        "rows.csv": csv_file([*Row.model_fields, *Row.model_computed_fields], (row.values() for row in rows)),
        "summary.json": json.dumps(found.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n",
        **page_of(found, setup).documents(),
    }
    return {name: text.encode() for name, text in texts.items()}


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
    findings = TEMPLATE.findings("evaluation", values, found.notes)
    return StudyPage(
        kind=findings.kind,
        title=f"Does debating pay? {found.dataset}",
        about=f"{found.done} of {found.questions} questions{_times(found)}",
        headline=findings.headline,
        claims=findings.claims,
        notes=findings.notes,
        parts=[
            *findings.parts,
            ReportSection("rows", "Every question", "", [_row_table(found)]),
            ReportSection("made", "What this was made with", "", [Facts(_made_with(found, setup))]),
        ],
        name=Path(found.folder).name,
        unfinished=[found.reason, GO_ON.format(found.raised)] if found.reason else [],
    )


def _best_first(methods: Sequence[Method]) -> list[Method]:
    return sorted(methods, key=lambda method: -(method.right_of_all.rate or 0))


def _times(found: Evaluation) -> str:
    return f", each asked {found.epochs} times" if found.epochs > 1 else ""


def _made_with(found: Evaluation, setup: Mapping[str, Any]) -> list[tuple[str, str]]:
    budget = f"at most {found.budget} tokens a debate" if found.budget else "no budget for a debate"
    voices = [
        (f"Models of the speakers of {name}", "; ".join(", then ".join(models) for models in one))
        for name, one in found.voices.items()
    ]
    return [
        ("Dataset", f"{found.dataset}, SHA-256 {found.sha256}"),
        ("Answers compared as", ", ".join(f"{kind} × {number}" for kind, number in found.kinds.items())),
        ("Questions", asked_how(setup)),
        ("Seed", f"{found.seed}; {found.voters} voters; {budget}"),
        ("Level of the tests", level_words(found)),
        *_scorer(found),
        *([("Models that answered", ", ".join(found.answered_by))] if found.answered_by else []),
        *voices,
        ("Sampling", sampling_words(setup["sampling"])),
    ]


def asked_how(setup: Mapping[str, Any]) -> str:
    """How the questions of an evaluation were put, by its setup."""
    return f"options {'shuffled' if setup['shuffle_options'] else 'in the order of the dataset'}"


def level_words(found: Evaluation) -> str:
    """The level of the tests, which several debates share."""
    several = len(found.verdicts)
    return f"{LEVEL:g}" + (f", divided by the number of debates ({several})" if several > 1 else "")


def scorer_words(scorer: Mapping[str, Any]) -> str:
    """A scorer with its agreement with people."""
    name = str(scorer["scorer"])
    if "checked" not in scorer:
        return f"{name}; not checked against people, so that nothing is known of its errors (--checked)"
    agreement = Rate.model_validate(scorer["agreement"])
    bounds = f"{percent(agreement.low, 1)} to {percent(agreement.high, 1)}"
    return (
        f"{name}; agrees with people on {percent(agreement.rate, 1)} of {agreement.n} checked answers ({bounds}), "
        f"accepted {scorer['accepted_wrong']} wrong ones and refused {scorer['refused_right']} right ones"
    )


def _scorer(found: Evaluation) -> list[tuple[str, str]]:
    if found.scorer is None:
        return []
    return [("Answers scored by", scorer_words(found.scorer))]


GO_ON = "Run the same command with this folder as --out and {} to go on; no reply that is on record is paid for again."
