"""What the live page shows of a debate as it stands: the same for everybody who asks at the same moment."""

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from jinja2 import ChoiceLoader, DictLoader, Environment, PackageLoader
from markupsafe import Markup

import moot
from moot.hosting import readable_since
from moot.report.live import VERDICTS, Progress, so_far
from moot.report.page import Material, environment_of
from moot.report.persuasion import Row

TELLING: Mapping[str, tuple[str, ...]] = {"arena": ("vote", "tally", "judging", "assessment")}
"""Which entries of a protocol tell how it will end, before the verdict does."""
TELLING_FIGURES: Mapping[str, tuple[str, ...]] = {"arena": ("votes", "raw_votes")}
FRAME = {"page.html.jinja": "{% block body %}{% endblock %}"}
"""In place of the report's frame: of a protocol's template there is left what it draws."""


_locks = tuple(threading.Lock() for _ in range(16))


@dataclass(frozen=True, slots=True)
class Shown:
    """An entry in its place. `title` is the phase or round that begins with it, or None. A `verdict`, and what gives
    it `away`, is covered until the reader wants to see it."""

    row: Row
    title: str | None
    verdict: bool
    away: bool

    @property
    def seq(self) -> int:
        return self.row.item.entry.seq


def progress_of(run: moot.Run) -> Progress:
    """How far a run is. Its files only grow, so their sizes say whether anything is new. Of many who ask at the same
    moment one finds it out for all."""
    with _locks[hash(run.path) % len(_locks)]:
        return _known(run.path, _size(run.log_path), _size(run.journal_path))


def shown(
    run: moot.Run, progress: Progress, seat: str | None = None, after: int = 0, upto: int | None = None
) -> list[Shown]:
    """The entries after that one, up to the other; from a seat those that its agent may see."""
    seen = None if seat is None else {one.entry.seq for one in readable_since(run, run.entries(), 0, seat)}
    return [one for one in _every(progress, seen) if one.seq > after and (upto is None or one.seq <= upto)]


def figures(progress: Progress, *, telling: bool = False) -> Markup:
    """The protocol's charts, as its report draws them; empty where there is nothing to draw yet. Those that tell how
    it will end are drawn apart from the others."""
    protocol = progress.material.result.protocol
    template = _drawings().get_template(f"{protocol}.html.jinja")
    apart = TELLING_FIGURES.get(protocol, ())
    drawn = {name: value if (name in apart) == telling else None for name, value in progress.figures.items()}
    if not any(value is not None for value in drawn.values()):
        return Markup("")
    given = {**drawn, "run": progress.material, "result": progress.material.result}
    return Markup(template.render(**given))  # noqa: S704 (a template that escapes)


def reply_of(material: Material, entry: moot.Entry) -> moot.Record | None:
    """The reply that an entry came from: where it was asked for again, the last."""
    found = [one for one in material.records if one.key == entry.call and one.kind == "reply"] if entry.call else []
    return found[-1] if found else None


def _every(progress: Progress, seen: set[int] | None) -> Iterator[Shown]:
    before = None
    telling = TELLING.get(progress.material.result.protocol, ())
    for group in progress.rounds:
        for row in group.rows:
            entry = row.item.entry
            if seen is None or entry.seq in seen:
                verdict = entry.type in VERDICTS and not entry.outside
                away = entry.type in telling and not entry.outside
                yield Shown(row, group.title if group.title != before else None, verdict, away)
                before = group.title


@lru_cache(maxsize=32)
def _known(path: Path, log: int, journal: int) -> Progress:  # noqa: ARG001 (the sizes are what makes it new)
    return so_far(moot.Run(path))


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


@cache
def _drawings() -> Environment:
    return environment_of(ChoiceLoader([DictLoader(FRAME), PackageLoader("moot", "report")]), html=True)
