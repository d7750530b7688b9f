"""Studies in lists and on pages: their progress, their outcome, and their rows with the run of each.

Reading takes no lock and works while a study is running. The files may come from strangers: a fault in one of them is
reported in one line.
"""

import asyncio
import os
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from moot.engine.staging.finding import BATCH, EVALUATION, GATE, KINDS, LEADS_ON, RUNS, StudyFolder, known_as
from moot.errors import MootError, RunDamaged
from moot.record.files import read_file
from moot.record.lines import read_lines
from moot.record.stores.base import RESULT
from moot.runs.gates import RepeatedGate, find_gate, ruling_of
from moot.studies.batch.folder import LEDGER, Batch
from moot.studies.evaluate.running import ROWS, SUMMARY
from moot.studies.page import StudyPage
from moot.studies.runner import read_object
from moot.system import GUARDED, lock
from moot.text import clip, one_line
from moot.text.json import parse_json
from moot.text.prose import plural

RUNNING = "running"
LONGEST_LINE = 280


@dataclass(frozen=True, slots=True)
class Overview:
    """How far a study has come. `counts` are its debates, or the answers of an evaluation, by how they ended; `total`
    is None where it is not known before the end. `fault` says why it cannot be read."""

    study: StudyFolder
    title: str
    made: datetime
    running: bool = False
    total: int | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    headline: str = ""
    fault: str | None = None

    @property
    def name(self) -> str:
        return self.study.name

    @property
    def ended(self) -> int:
        """The number of debates that have ended in any way."""
        return sum(number for status, number in self.counts.items() if status not in (RUNNING, "interrupted"))

    @property
    def status(self) -> str:
        if self.fault is not None:
            return "unreadable"
        if self.running:
            return RUNNING
        return "done" if self.headline and self.total == self.ended else "interrupted"

    @property
    def progress(self) -> str:
        """How far it has come, in words."""
        if self.fault is not None:
            return self.fault
        if self.total is None:
            return f"{plural(self.counts.get('begun', 0), 'run')} so far"
        ends = ", ".join(
            f"{number:,} {status}" for status, number in self.counts.items() if status != "done" and number
        )
        what = "questions" if self.study.kind == KINDS[EVALUATION] else "debates"
        return f"{self.counts.get('done', 0):,} of {self.total:,} {what} done" + (f", {ends}" if ends else "")


@dataclass(frozen=True, slots=True)
class Listed:
    """A debate of a batch, or the answer of a method to a question. `runs` are the names of the runs behind it that are
    here; `labels` are what it can be filtered by, besides its status."""

    id: str
    text: str
    status: str
    came_to: str
    labels: Mapping[str, str]
    flagged: int
    calls: int | None
    cost: float | None
    seconds: float | None
    runs: tuple[str, ...] = ()
    elsewhere: bool = False


DAMAGE = (MootError, OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError)
"""What reading the files of a study can raise if somebody altered them."""


def overview_of(study: StudyFolder) -> Overview:
    """How far the study in this folder has come."""
    made = datetime.fromtimestamp(_changed(_marker(study)) / 1e9, UTC)
    title = study.path.name or study.path.resolve().name
    try:
        return _OVERVIEWS[study.kind](study, made)
    except DAMAGE as error:
        told = error.strerror if isinstance(error, OSError) else str(error)
        where = f"{study.path}{os.sep}"
        why = f"this {study.kind} cannot be read: {str(told).replace(where, '')}"
        return Overview(study, _line(title), made, fault=_line(why))


def version_of(study: StudyFolder) -> tuple[object, ...]:
    """A value that changes when the study has."""
    files = (_marker(study), *(study.path / name for name in (LEDGER, SUMMARY)))
    if study.kind == KINDS[GATE]:
        files += tuple(one.path / RESULT for one in study.runs())
    return (*map(_changed, files), *map(_size, files), is_running(study))


def is_running(study: StudyFolder) -> bool:
    """Whether a process is running it."""
    by_file = study.kind != KINDS[EVALUATION]
    try:
        handle = os.open(_marker(study) if by_file else study.path, os.O_RDONLY | (GUARDED if by_file else 0))
    except OSError:
        return False
    try:
        return not lock(handle, shared=True)
    finally:
        os.close(handle)


def rows_of(study: StudyFolder) -> list[Listed]:
    """The rows of a study, in order; MootError if its files are not what moot wrote."""
    return _ROWS[study.kind](study)


def page_of(study: StudyFolder) -> StudyPage | None:
    """The findings of a study, as in its report; None while there are none. A gate has only its rows."""
    if study.kind == KINDS[GATE]:
        return None
    if study.kind == KINDS[BATCH]:
        from moot.studies.batch.documents import page_of as batch_page

        return batch_page(Batch(study.path)) if _changed(study.path / LEDGER) else None
    from moot.studies.evaluate.report import stored_page

    return stored_page(study.path)


def _batch_overview(study: StudyFolder, made: datetime) -> Overview:
    batch, running = Batch(study.path), is_running(study)
    about = batch.about()
    ended: dict[str, tuple[str, str | None]] = {}
    for line in read_lines(study.path / LEDGER):
        noted = parse_json(line)
        if "began" in noted:
            ended[str(noted["began"])] = (RUNNING if running else "interrupted", None)
        else:
            row = noted["row"]
            ended[str(row["id"])] = (str(row["status"]), row.get("outcome"))
    counts = Counter(status for status, _ in ended.values())
    outcomes = Counter(outcome for status, outcome in ended.values() if status == "done" and outcome)
    common = [f"{number:,} × {_line(text)}" for text, number in outcomes.most_common(2)]
    rest = f" and {plural(len(outcomes) - 2, 'other outcome')}" if len(outcomes) > 2 else ""
    created = datetime.fromisoformat(str(about["created"]))
    return Overview(
        study,
        _line(about["file"]),
        created if created.tzinfo else made,
        running,
        int(about["debates"]),
        dict(sorted(counts.items())),
        _line("; ".join(common) + rest),
    )


def _evaluation_overview(study: StudyFolder, made: datetime) -> Overview:
    running, spec = is_running(study), read_object(study.path / EVALUATION)
    title = _line(f"Does debating pay? {spec['dataset']}")
    data = read_file(study.path / SUMMARY)
    if data is None or running:
        return Overview(study, title, made, running, None, {"begun": len(study.runs())})
    found = parse_json(data)
    headline = "; ".join(f"{one['debate']}: {one['finding']}" for one in found["verdicts"])
    done, total = int(found["done"]), int(found["questions"])
    return Overview(study, title, made, running, total, {"done": done}, _line(headline) or "no verdict")


def _gate_overview(study: StudyFolder, made: datetime) -> Overview:
    gate = _gate(study)
    ruling, running = asyncio.run(ruling_of(gate)), is_running(study)
    stopped = RUNNING if running else "interrupted"
    counts = Counter(stopped if one.status == "interrupted" else one.status for one in ruling.results if one)
    title = _line(gate.config.topic)
    return Overview(study, title, made, running, gate.repeat, dict(sorted(counts.items())), _line(ruling.words))


def _gate_rows(study: StudyFolder) -> list[Listed]:
    gate = _gate(study)
    ruling = asyncio.run(ruling_of(gate))
    runs = {str(number): known for number, known in gate.runs().items()}
    return [
        Listed(
            str(number),
            _line(one.why),
            result.status if result else "",
            _line(result.summary.headline) if result else "",
            {"passes": "yes" if one.passed else "no"},
            len(result.flags) if result else 0,
            result.spent.calls if result else None,
            result.spent.cost if result else None,
            result.seconds if result else None,
            (study.run_at(runs[str(number)].path).name,) if str(number) in runs else (),
        )
        for number, (one, result) in enumerate(zip(ruling.gates, ruling.results, strict=True), 1)
    ]


def _gate(study: StudyFolder) -> RepeatedGate:
    found = find_gate(study.path)
    if found is None:
        raise RunDamaged(f"{GATE} is not there")
    return found


def _batch_rows(study: StudyFolder) -> list[Listed]:
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
                _line(row.topic),
                status,
                _line(row.headline or row.reason or ""),
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


def _evaluation_rows(study: StudyFolder) -> list[Listed]:
    """The answers, once they have been graded; before, the runs there are."""
    from moot.studies.evaluate.report import stored_rows

    if read_file(study.path / ROWS) is None:
        return [
            Listed(run.name.partition(LEADS_ON)[2], "", "begun", "", {}, 0, None, None, None, (run.name,))
            for run in study.runs()
        ]
    return [
        Listed(
            row.question if row.epoch == 1 else f"{row.question}, {row.epoch}",
            _line(row.truth),
            row.grade,
            _line(row.answer or row.detail),
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


_OVERVIEWS = {
    KINDS[BATCH]: _batch_overview,
    KINDS[EVALUATION]: _evaluation_overview,
    KINDS[GATE]: _gate_overview,
}
_ROWS = {KINDS[BATCH]: _batch_rows, KINDS[EVALUATION]: _evaluation_rows, KINDS[GATE]: _gate_rows}


def _marker(study: StudyFolder) -> Path:
    return study.path / next(file for file, kind in KINDS.items() if kind == study.kind)


def _changed(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_mtime_ns
    return 0


def _size(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0


def _line(text: object) -> str:
    return clip(one_line(text), LONGEST_LINE)
