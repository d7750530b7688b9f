"""Evaluations in lists and on pages."""

from datetime import datetime
from pathlib import Path

from moot.engine.staging.finding import EVALUATION, KINDS, LEADS_ON, RUNS, StudyFolder, known_as
from moot.record.files import read_file
from moot.studies.evaluate.report import stored_page, stored_rows
from moot.studies.evaluate.running import ROWS, SUMMARY
from moot.studies.overview import Listed, Overview, Reader, is_running, line
from moot.studies.page import StudyPage
from moot.studies.runner import read_object
from moot.text.json import parse_json


def _overview(study: StudyFolder, made: datetime) -> Overview:
    running, spec = is_running(study), read_object(study.path / EVALUATION)
    title = line(f"Does debating pay? {spec['dataset']}")
    data = read_file(study.path / SUMMARY)
    if data is None or running:
        return Overview(study, title, made, running, None, {"begun": len(study.runs())})
    found = parse_json(data)
    headline = "; ".join(f"{verdict['debate']}: {verdict['finding']}" for verdict in found["verdicts"])
    done, total = int(found["done"]), int(found["questions"])
    return Overview(study, title, made, running, total, {"done": done}, line(headline) or "no verdict")


def _rows(study: StudyFolder) -> list[Listed]:
    """The answers, once they have been graded; before, the runs there are."""
    if read_file(study.path / ROWS) is None:
        return [
            Listed(run.name.partition(LEADS_ON)[2], "", "begun", "", {}, 0, None, None, None, (run.name,))
            for run in study.runs()
        ]
    return [
        Listed(
            row.question if row.epoch == 1 else f"{row.question}, {row.epoch}",
            line(row.truth),
            row.grade,
            line(row.answer or row.detail),
            {"method": row.method, **({"category": row.category} if row.category else {})},
            0,
            row.calls,
            row.cost,
            row.seconds,
            tuple(name for address in row.runs if (name := _named(study, address))),
        )
        for row in stored_rows(study.path)
    ]


def _named(study: StudyFolder, address: str) -> str | None:
    """The name of a run by the address that it had when the study was made."""
    parts = Path(address).parts
    starts = [place for place, part in enumerate(parts[:-1]) if part == RUNS and parts[place - 1] == study.path.name]
    inner = parts[starts[-1] + 1 : -1] if starts else ()
    return f"{study.name}{LEADS_ON}{known_as(*inner)}" if inner else None


def _page(study: StudyFolder) -> StudyPage | None:
    return stored_page(study.path)


READER = Reader(KINDS[EVALUATION], _overview, _rows, _page, lambda study: [study.path / SUMMARY])
