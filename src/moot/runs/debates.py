"""Debates with their reports: `moot.run` and related functions."""

from typing import Any

from moot.engine.define.config import RunConfig
from moot.engine.outcome.documents import REPORTS
from moot.engine.outcome.result import Result
from moot.engine.staging import run as engine_run
from moot.engine.staging.runs import Run
from moot.report import documents


async def run(config: RunConfig, *, reports: bool = True, **how: Any) -> Result:
    """Stage a new debate in a new folder. A debate that stops early also has a result: see its status.

    `how` is `follow`, a listener for entries; `models`, your models by the names in the config; and `prompter`, which
    asks people. Without `reports` only the result is written, which saves time if you run thousands; `rebuild`
    makes the reports later.
    """
    return await engine_run.run(config, finish=documents if reports else None, **how)


async def resume(folder: Run, *, reports: bool = True, **how: Any) -> Result:
    """Continue a run where it stopped. No reply on record is asked for again.

    `how` is as for `run`, and also other limits, or other models for what is still to be said. Without `reports` none
    are made, but where there are some already.
    """
    # Reports that are there already would be taken for those of the new result.
    wanted = reports or folder.place.read(REPORTS[0]) is not None
    return await engine_run.resume(folder, finish=documents if wanted else None, **how)


async def rebuild(folder: Run) -> Result:
    """Write the result and the reports again from config, log and journal. ReportFailed lists the documents that
    failed, after all others are written."""
    result, failed = await engine_run.rebuild(folder, documents)
    if failed is not None:
        raise failed
    return result
