"""Runs and repeated gates by name on the command line: the arguments, what completes them, and finding a gate."""

import re
from contextlib import suppress
from pathlib import Path

import click

import moot
from moot.cli.options import runs_folder
from moot.engine.staging.finding import GATE, KINDS, LATEST, StudyFolder, find_study, list_studies
from moot.engine.staging.runs import POSTGRESQL, list_runs
from moot.record.stores.base import CONFIG
from moot.runs.gates import RepeatedGate, find_gate

MOST = 100
"""Names that a shell is offered, the newest of them."""
_PLAIN = re.compile(r"[A-Za-z0-9_.~-]+")


def complete_run(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The names of runs that begin so, the newest first, or the only one that has this in it; for `resume`, also those
    of repeated gates."""
    del param
    names: list[str] = []
    with suppress(moot.MootError, OSError):
        out = runs_folder(ctx.params.get("out"))
        if not out.startswith(POSTGRESQL):  # a key press should not wait for a server
            names = [run.name for run in list_runs(out)]
            names += [one.name for one in _gates(out)] if ctx.info_name == "resume" else []
    names = [one for one in sorted(names, reverse=True) if _PLAIN.fullmatch(one)]
    having = [one for one in names if incomplete in one]
    begun = [one for one in (*names, LATEST) if one.startswith(incomplete)]
    return begun[:MOST] or (having if len(having) == 1 else [])


RUN = click.argument("name", metavar="RUN", shell_complete=complete_run)
RUNS = click.argument("names", metavar="RUN…", nargs=-1, required=True, shell_complete=complete_run)


def runs_named(name: str, out: str) -> list[moot.Run]:
    """The run of that name, or those of the study of that name."""
    study = find_study(name, out)
    return study.runs() if study else [moot.find_run(name, out)]


def gate_named(name: str, out: str) -> RepeatedGate | None:
    """The repeated gate in this folder; or of this name or a unique part of it, if no run fits; or the newest as
    `latest`, if no run is newer."""
    if (itself := find_gate(Path(name))) is not None:
        return itself
    gates = _gates(out)
    if not gates:
        return None
    runs = list_runs(out)
    if name == LATEST:
        newest = max(gates, key=_made)
        fits = [newest] if not runs or _made(newest) > (runs[-1].path / CONFIG).stat().st_mtime_ns else []
    else:
        fits = [one for one in gates if one.name == name]
        fits = fits or [one for one in gates if name in one.name and not any(name in run.name for run in runs)]
    return find_gate(fits[0].path) if len(fits) == 1 else None


def _gates(out: str) -> list[StudyFolder]:
    return [one for one in list_studies(out) if one.kind == KINDS[GATE]]


def _made(gate: StudyFolder) -> int:
    """When it was made, in nanoseconds: names have whole seconds, and may be changed."""
    return (gate.path / GATE).stat().st_mtime_ns
