"""Batches in lists and on pages."""

from collections import Counter
from datetime import datetime

from moot.engine.staging.finding import BATCH, KINDS, LEADS_ON, StudyFolder, known_as
from moot.record.lines import read_lines
from moot.studies.batch.folder import LEDGER, Batch
from moot.studies.overview import RUNNING, Listed, Overview, Reader, changed, is_running, line
from moot.studies.page import StudyPage
from moot.text.json import parse_json
from moot.text.prose import plural


def _overview(study: StudyFolder, made: datetime) -> Overview:
    batch, running = Batch(study.path), is_running(study)
    about = batch.about()
    ended: dict[str, tuple[str, str | None]] = {}
    for written in read_lines(study.path / LEDGER):
        noted = parse_json(written)
        if "began" in noted:
            ended[str(noted["began"])] = (RUNNING if running else "interrupted", None)
        else:
            row = noted["row"]
            ended[str(row["id"])] = (str(row["status"]), row.get("outcome"))
    counts = Counter(status for status, _ in ended.values())
    outcomes = Counter(outcome for status, outcome in ended.values() if status == "done" and outcome)
    common = [f"{number:,} × {line(text)}" for text, number in outcomes.most_common(2)]
    rest = f" and {plural(len(outcomes) - 2, 'other outcome')}" if len(outcomes) > 2 else ""
    created = datetime.fromisoformat(str(about["created"]))
    return Overview(
        study,
        line(about["file"]),
        created if created.tzinfo else made,
        running,
        int(about["debates"]),
        dict(sorted(counts.items())),
        line("; ".join(common) + rest),
    )


def _rows(study: StudyFolder) -> list[Listed]:
    running = is_running(study)
    found = []
    for row in Batch(study.path).rows():
        status = RUNNING if running and row.status == "interrupted" else row.status
        here = row.run is not None and "://" not in row.run
        labels = {"protocol": row.protocol, **{key: str(value) for key, value in (row.factors | row.design).items()}}
        if row.correct is not None:
            labels["right"] = "yes" if row.correct else "no"
        found.append(
            Listed(
                row.id,
                line(row.topic),
                status,
                line(row.headline or row.reason or ""),
                labels,
                len(row.flags),
                row.calls if row.run else None,
                row.cost,
                row.seconds,
                (f"{study.name}{LEADS_ON}{known_as(row.id)}",) if here else (),
                row.run is not None and not here,
            )
        )
    return found


def _page(study: StudyFolder) -> StudyPage | None:
    from moot.studies.batch.documents import read_study

    return read_study(Batch(study.path), study.path.name)[1] if changed(study.path / LEDGER) else None


READER = Reader(KINDS[BATCH], _overview, _rows, _page, lambda study: [study.path / LEDGER])
