"""The bin of a folder of runs: `.bin` inside it. A run is moved there whole, and back again; nothing is ever deleted.

Moving is one rename, so a run is in one place or the other. Runs in a database, and runs that belong to a study, have
no bin.
"""

from contextlib import suppress
from pathlib import Path

from moot.engine.staging.finding import LEADS_ON
from moot.engine.staging.runs import POSTGRESQL, Run, is_run, list_runs
from moot.errors import ConfigError, RunDamaged

BIN = ".bin"


def discard(run: Run) -> Run:
    """Move a run to the bin of its folder, and return it there. RunBusy if a process is running it."""
    if run.folder is None:
        raise ConfigError(f"{run.name} is kept in PostgreSQL, which has no bin")
    if LEADS_ON in run.name:
        raise ConfigError(f"{run.name} is a part of a study, which would lack it: it is not moved to the bin")
    if run.folder.absolute().parent.name == BIN:
        raise ConfigError(f"{run.name} is in the bin already")
    place = _place(run.folder.absolute().parent)
    with run.hold():
        return Run(_moved(run.folder, place))


def restore(name: str, out: str = "debates") -> Run:
    """Move a run from the bin back to its folder, by its name or a unique part of it."""
    found = binned(out)
    matches = [run for run in found if run.name == name] or [run for run in found if name and name in run.name]
    if len(matches) != 1:
        several = ":\n  " + "\n  ".join(run.name for run in matches[:10]) if matches else ""
        raise ConfigError(f"{name!r} fits {len(matches) or 'no'} run{'s' * (len(matches) != 1)} in the bin{several}")
    if is_run(Path(out) / matches[0].name):
        raise ConfigError(f"{matches[0].name} is not restored: another run has its name")
    with matches[0].hold():
        return Run(_moved(matches[0].path, Path(out), numbered=False))


def binned(out: str = "debates") -> list[Run]:
    """The runs in the bin, oldest first."""
    return [] if out.startswith(POSTGRESQL) or (Path(out) / BIN).is_symlink() else list_runs(str(Path(out) / BIN))


def _place(out: Path) -> Path:
    place = out / BIN
    with suppress(FileExistsError):
        place.mkdir()
    if place.is_symlink() or not place.is_dir():
        raise RunDamaged(f"{place} leads elsewhere, so nothing is moved there")
    return place


def _moved(source: Path, place: Path, *, numbered: bool = True) -> Path:
    """Rename a folder into another one. A name that is taken gets a number, since an earlier run may have had it."""
    names = [source.name, *(f"{source.name}-{number}" for number in range(2, 1000) if numbered)]
    target = next((path for name in names if not (path := place / name).exists()), None)
    if target is None:
        raise ConfigError(f"{source.name} cannot be moved: its name is taken in {place}")
    try:
        source.rename(target)
    except OSError as error:
        raise ConfigError(f"{source.name} cannot be moved to {place}: {error.strerror}") from error
    return target
