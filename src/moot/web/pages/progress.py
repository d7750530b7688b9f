"""The content of the live page: the same for all readers at one moment."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import moot
from moot.engine.define.capabilities import Choices
from moot.engine.define.exporter import EXTRACTED
from moot.engine.outcome.material import Material, Spoken, gather, transcript
from moot.engine.outcome.result import fold
from moot.plugins.features import offered
from moot.present import Block, Map, Paragraph, Section, Table
from moot.record.journal import Record
from moot.record.payloads import Header
from moot.record.stores.base import JOURNAL, LOG
from moot.service.live import readable_since
from moot.service.shelf import where

_locks = tuple(threading.Lock() for _ in range(16))


@dataclass(frozen=True, slots=True)
class LiveMap:
    """The argument map of a debate: its title, the text above the drawing, and the same map as tables."""

    title: str
    said: Sequence[Paragraph]
    map: Map
    rest: Sequence[Block]


@dataclass(frozen=True, slots=True)
class LiveContent:
    """The progress of a debate: where it stands in words, its entries, its map, and its live sections; sections that
    reveal the verdict are kept apart. `given` is the section with its documents, if it has any."""

    material: Material
    at: str
    spoken: list[Spoken]
    map: LiveMap | None
    open: list[Section]
    covered: list[Section]
    given: list[Section]


@dataclass(frozen=True, slots=True)
class Shown:
    """An entry in its place. `title` is the heading of the part that begins with it, or None. A `verdict`, and entries
    that give it `away`, are covered until the reader opens them, or has voted where readers can `vote`."""

    spoken: Spoken
    title: str | None
    verdict: bool
    away: bool
    vote: bool

    @property
    def entry(self) -> moot.Entry:
        return self.spoken.entry

    @property
    def seq(self) -> int:
        return self.spoken.entry.seq

    @property
    def cast(self) -> Header | None:
        """The header, for the entry that introduces the cast."""
        return self.entry.data if isinstance(self.entry.data, Header) else None


def progress_of(run: moot.Run) -> LiveContent:
    """The progress of a run. Log and journal only grow, so their sizes tell whether anything is new. Simultaneous
    requests share one computation."""
    with _locks[hash(run.address) % len(_locks)]:
        taken = run.place.read(EXTRACTED) or b""
        return _known(_Version(run.address, run.place.size(LOG), run.place.size(JOURNAL), taken, run))


def shown(
    run: moot.Run, progress: LiveContent, seat: str | None = None, after: int = -1, upto: int | None = None
) -> list[Shown]:
    """The entries after the first number, up to the second; from a seat, only those visible to its agent."""
    seen = None if seat is None else {line.entry.seq for line in readable_since(run, run.entries(), -1, seat)}
    return [line for line in _every(progress, seen) if line.seq > after and (upto is None or line.seq <= upto)]


def reply_of(material: Material, entry: moot.Entry) -> Record | None:
    """The reply that an entry came from; the last one if it was asked for again."""
    replies = (one for one in reversed(material.records) if one.key == entry.call and one.kind == "reply")
    return next(replies, None) if entry.call else None


def _every(progress: LiveContent, seen: set[int] | None) -> Iterator[Shown]:
    protocol, before = progress.material.run.config.protocol, None
    live, vote = protocol.live, protocol.get(Choices) is not None
    for line in progress.spoken:
        if seen is None or line.entry.seq in seen:
            own = not line.entry.outside
            verdict = own and line.entry.type in live.verdicts
            away = own and line.entry.type in live.spoilers and not line.line.early
            yield Shown(line, line.group if line.group != before else None, verdict, away, vote)
            before = line.group


@dataclass(frozen=True, slots=True)
class _Version:
    """The state of a run: the sizes of its log and journal, and its extracted graph."""

    address: str
    log: int
    journal: int
    taken: bytes
    run: moot.Run = field(compare=False)


@lru_cache(maxsize=32)
def _known(version: _Version) -> LiveContent:
    """The current progress of a run, without asking a model, replaying or writing anything."""
    run = version.run
    files = run.entries(), run.records()
    material = gather(run, fold(run, "interrupted", None, 0, files), files)
    sections = [section for section in material.sections() if section.live]
    mapped = next((section for section in sections if any(isinstance(block, Map) for block in section.blocks)), None)
    return LiveContent(
        material,
        where(run, material.entries, material.result.spent.calls),
        transcript(material),
        _map(mapped) if mapped else _taken(run),
        [_without_outcome(section) for section in sections if section.live == "open" and section is not mapped],
        [section for section in sections if section.live == "covered" and section is not mapped],
        material.documents.section(material.entries),
    )


def _without_outcome(section: Section) -> Section:
    blocks = [block for block in section.blocks if not (isinstance(block, Table) and block.outcome)]
    return replace(section, blocks=blocks)


def _taken(run: moot.Run) -> LiveMap | None:
    """The map of the extracted arguments, if they can be read."""
    try:
        found = next((line for find in offered("map") if (line := find(run))), None)
    except moot.ConfigError:
        return None
    return LiveMap(found.title, [], found, []) if found else None


def _map(section: Section) -> LiveMap:
    """The first map of a section, with the text above it and the rest below."""
    place = next(place for place, block in enumerate(section.blocks) if isinstance(block, Map))
    drawing = section.blocks[place]
    assert isinstance(drawing, Map)  # noqa: S101 (found by that)
    above = [block for block in section.blocks[:place] if isinstance(block, Paragraph)]
    rest = [block for block in section.blocks if block is not drawing and block not in above]
    return LiveMap(section.title, above, drawing, rest)
