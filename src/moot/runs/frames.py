"""The runs of a folder as a data frame, one row for each."""

from typing import Any

from moot.engine.outcome.frames import Library, make_frame
from moot.engine.staging.runs import Run, began, runs_below
from moot.engine.staging.stored import stored_result
from moot.errors import MootError

COLUMNS = (
    *("run", "began", "protocol", "topic", "status", "headline", "decided", "winner", "decision", "warnings"),
    *("calls", "input", "output", "cost", "seconds"),
)


def frame(out: str = "debates", *, library: Library | None = None) -> Any:
    """The runs in a folder or below it, the oldest first, as a frame of pandas or polars with one row per run.

    `status` is None for a run without a result, and `unreadable` for one that cannot be read. `warnings` are the codes
    of its flags, with commas between; tokens and cost are None if a model did not say.
    """
    return make_frame(COLUMNS, [_row(run) for run in runs_below(out)], library)


def _row(run: Run) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(COLUMNS)
    row |= {"run": run.address, "began": began(run.name)}
    try:
        row |= {"protocol": run.config.protocol.name, "topic": run.config.topic}
        found = stored_result(run)
    except MootError:
        return row | {"status": "unreadable"}
    if found is None:
        return row
    document = run.result() or {}
    named = {key: value for key in ("winner", "decision") if isinstance(value := document.get(key), str)}
    spent = found.spent.model_dump(include={"calls", "input", "output", "cost"})
    return (
        row
        | named
        | spent
        | {
            "status": found.status,
            "headline": found.summary.headline,
            "decided": found.summary.decided,
            "warnings": ",".join(flag.code for flag in found.flags if flag.severity == "warning"),
            "seconds": found.seconds,
        }
    )
