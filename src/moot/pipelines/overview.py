"""Repeated gates in lists and on pages."""

import asyncio
from collections import Counter
from datetime import datetime

from moot.engine.staging.finding import GATE, KINDS, StudyFolder
from moot.errors import RunDamaged
from moot.pipelines.repeated import RepeatedGate, find_gate, ruling_of
from moot.record.stores.base import RESULT
from moot.studies.overview import RUNNING, Listed, Overview, Reader, is_running, line


def _overview(study: StudyFolder, made: datetime) -> Overview:
    gate = _gate(study)
    ruling, running = asyncio.run(ruling_of(gate)), is_running(study)
    stopped = RUNNING if running else "interrupted"
    counts = Counter(
        stopped if result.status == "interrupted" else result.status for result in ruling.results if result
    )
    title = line(gate.config.topic)
    return Overview(study, title, made, running, gate.repeat, dict(sorted(counts.items())), line(ruling.words))


def _rows(study: StudyFolder) -> list[Listed]:
    gate = _gate(study)
    ruling = asyncio.run(ruling_of(gate))
    runs = {str(number): known for number, known in gate.runs().items()}
    return [
        Listed(
            str(number),
            line(one.why),
            result.status if result else "",
            line(result.summary.headline) if result else "",
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


READER = Reader(
    KINDS[GATE], _overview, _rows, lambda _: None, files=lambda study: [run.path / RESULT for run in study.runs()]
)
