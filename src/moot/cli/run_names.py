"""Runs by name on the command line: the arguments, and what completes them."""

import re
from contextlib import suppress

import click

import moot
from moot.cli.options import runs_folder
from moot.engine.staging.finding import GATE, KINDS, LATEST, find_study, list_studies
from moot.engine.staging.runs import POSTGRESQL, list_runs

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
            if ctx.info_name == "resume":
                names += [study.name for study in list_studies(out) if study.kind == KINDS[GATE]]
    names = [one for one in sorted(names, reverse=True) if _PLAIN.fullmatch(one)]
    having = [one for one in names if incomplete in one]
    begun = [one for one in (*names, LATEST) if one.startswith(incomplete)]
    return begun[:MOST] or (having if len(having) == 1 else [])


LATEST_RUN = click.argument("name", metavar="[RUN]", default=LATEST, shell_complete=complete_run)
RUN = click.argument("name", metavar="RUN", shell_complete=complete_run)
RUNS = click.argument("names", metavar="RUN…", nargs=-1, required=True, shell_complete=complete_run)


def runs_named(name: str, out: str) -> list[moot.Run]:
    """The run of that name, or those of the study of that name."""
    study = find_study(name, out)
    return study.runs() if study else [moot.find_run(name, out)]
