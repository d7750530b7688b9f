"""Finding runs by name: those of a folder or database, and those inside studies: batches, evaluations, repeated gates.

The folder of a study has a file that says what it is, and its runs below `runs`, at any depth. A run there is known by
the study and by its place in it: `STUDY~PLACE`. Nothing is followed through links.
"""

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from moot.engine.staging.runs import POSTGRESQL, Run, in_database, is_run, list_runs
from moot.errors import ConfigError
from moot.record.stores.base import CONFIG
from moot.text.names import slug

BATCH, EVALUATION, GATE = "batch.json", "evaluation.json", "gate.yaml"
KINDS = {BATCH: "batch", EVALUATION: "evaluation", GATE: "gate"}
"""The kinds of studies by the file that makes a folder one."""
RUNS = "runs"
OWN_FOLDERS = {"debates": ("batches", "evaluations")}
"""The folders of `moot batch` and `moot eval`, next to the standard folder of runs."""
DEEPEST = 6
"""Folders between that of a study and a run."""
LEADS_ON = "~"
LATEST = "latest"
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")


@dataclass(frozen=True, slots=True)
class StudyFolder:
    path: Path
    kind: str

    @property
    def name(self) -> str:
        return known_as(self.path.name or self.path.resolve().name)

    def runs(self) -> list[Run]:
        """Its runs, in the order of their places."""
        found = ((known_as(*place), path) for place, path in _runs_below(self.path / RUNS))
        return [Run(path, known_as=f"{self.name}{LEADS_ON}{place}") for place, path in sorted(found)]

    def find(self, place: str) -> Run | None:
        """The run at that place."""
        folder: Path | None = self.path / RUNS
        for part in place.split(LEADS_ON):
            folder = _child(folder, part) if folder else None
        path = next(filter(is_run, _folders(folder)), None) if folder else None
        return Run(path, known_as=f"{self.name}{LEADS_ON}{place}") if path else None

    def run_at(self, path: Path) -> Run:
        """The run in this folder, which is one of the study's."""
        place = known_as(*path.parent.relative_to(self.path / RUNS).parts)
        return Run(path, known_as=f"{self.name}{LEADS_ON}{place}")


def known_as(*folders: str) -> str:
    """A name for folders inside each other, safe in addresses and commands; other folders have other names."""
    return LEADS_ON.join(one if _PLAIN.fullmatch(one) else _hashed(one) for one in folders)


def _hashed(name: str) -> str:
    digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{re.sub(r'[^a-z0-9-]', '', slug(name)).strip('-') or 'x'}-{digest}"


def study_at(path: Path) -> StudyFolder | None:
    """The study in this folder, if there is one."""
    kind = next((kind for file, kind in KINDS.items() if (path / file).is_file()), None)
    return StudyFolder(path, kind) if kind and not is_run(path) else None


def list_studies(out: str = "debates") -> list[StudyFolder]:
    """The studies in a folder, by name: the folder itself, its subfolders, and the standard ones next to the standard
    folder of runs. A database has none, since the tables of batches are always in a folder."""
    if out.startswith(POSTGRESQL):
        return []
    if itself := study_at(Path(out)):
        return [itself]
    places = (Path(folder) for folder in (out, *OWN_FOLDERS.get(out, ())))
    found = (study_at(path) for place in places for path in _folders(place))
    return sorted(filter(None, found), key=lambda one: one.name)


def find_study(name: str, out: str = "debates") -> StudyFolder | None:
    """The study of exactly that name."""
    return next((one for one in list_studies(out) if one.name == name), None)


def find_nested(name: str, out: str = "debates") -> Run | None:
    """The run of exactly that name inside a study."""
    study, _, place = name.partition(LEADS_ON)
    found = find_study(study, out) if place else None
    return found.find(place) if found else None


def find_run(name: str, out: str = "debates") -> Run:
    """A run by its folder or address, by its name or a unique part of it below `out`, or the newest as `latest`. Runs
    inside studies are found where no other fits."""
    if name.startswith(POSTGRESQL):
        out, _, name = name.partition("#")
    elif is_run(Path(name)):
        return Run(Path(name))
    if (nested := find_nested(name, out)) is not None:
        return nested
    runs = list_runs(out)
    matches = _matches(name, runs) or _matches(name, [run for one in list_studies(out) for run in one.runs()])
    if len(matches) == 1:
        return matches[0]
    if matches:
        listed = "\n  ".join(run.name for run in matches[:10])
        raise ConfigError(f"{name!r} fits {len(matches)} runs; say which:\n  {listed}")
    if not runs and not list_studies(out):
        none = "there are no runs" if name == LATEST else f"no run {name!r}: there are none"
        raise ConfigError(f"{none} in {_safe_address(out)} yet; `moot demo` shows a debate, `moot duel` holds one")
    raise ConfigError(f"no run {name!r}, as a folder or in {_safe_address(out)}; `moot list` shows all runs")


def _matches(name: str, runs: list[Run]) -> list[Run]:
    if name == LATEST and runs:
        return [max(runs, key=_made) if runs[0].known_as else runs[-1]]
    return [run for run in runs if run.name == name] or [
        run for run in runs if name and (name in run.name or name in run.place.name)
    ]


def _made(run: Run) -> tuple[int, str]:
    with suppress(OSError):
        return (run.path / CONFIG).stat().st_mtime_ns, run.name
    return 0, run.name


def _safe_address(out: str) -> str:
    return str(in_database("redacted")(out)) if out.startswith(POSTGRESQL) else out


def _folders(path: Path) -> list[Path]:
    """The subfolders of a folder that are not links, by name."""
    with suppress(OSError), os.scandir(path) as children:
        return sorted(Path(one.path) for one in children if one.is_dir(follow_symlinks=False))
    return []


def _runs_below(folder: Path) -> Iterator[tuple[tuple[str, ...], Path]]:
    """The runs below a folder, each with the folders that lead to it. A place has one run: the first."""
    waiting: list[tuple[tuple[str, ...], Path]] = [((), folder)]
    while waiting:
        place, path = waiting.pop()
        children = _folders(path)
        runs = [one for one in children if is_run(one)]
        if runs and place:
            yield place, runs[0]
        elif len(place) < DEEPEST:
            waiting += [((*place, one.name), one) for one in children]


def _child(folder: Path, name: str) -> Path | None:
    if _PLAIN.fullmatch(name) and (plain := folder / name).is_dir() and not plain.is_symlink():
        return plain
    return next((one for one in _folders(folder) if known_as(one.name) == name), None)
