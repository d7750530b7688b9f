"""Runs: storage of debates in a folder or in PostgreSQL. `finding` finds them again by name."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from moot.engine.define.versions import unreadable
from moot.errors import ConfigError, MootError, RunDamaged
from moot.models.base import Message
from moot.plugins.features import needed
from moot.record.entry import Entry
from moot.record.files import read_file, write_whole
from moot.record.journal import Journal, Record, parse_journal
from moot.record.lines import line_of
from moot.record.log import Log, parse_log
from moot.record.stores.base import CONFIG, JOURNAL, LOG, RESULT, Place
from moot.record.stores.folder import Folder
from moot.text import clip, one_line
from moot.text.json import parse_json
from moot.text.names import slug
from moot.text.yaml import MAX_RUN_BYTES, parse_yaml

if TYPE_CHECKING:
    from moot.engine.define.config import RunConfig

POSTGRESQL = ("postgresql://", "postgres://")
LONGEST_LINE = 120
MOMENT = "%Y%m%dT%H%M%SZ"
HEAD_BYTES = 4096
"""The part of a stored config that contains the version of moot."""


@dataclass(frozen=True, repr=False)
class Run:
    """A run in its folder, or in another place. Reading it takes no lock and works during the debate."""

    where: Path | Place
    given: "RunConfig | None" = field(default=None, repr=False, compare=False)
    known_as: str | None = field(default=None, repr=False, compare=False)
    """Its name where that of its folder would not do, as inside a study."""

    def __repr__(self) -> str:
        return as_line("Run", self.address, *self._headline())

    def _headline(self) -> list[str]:
        """The protocol, and the headline if there is one, even if its files are damaged."""
        try:
            protocol, summary = self.config.protocol.name, (self.result() or {}).get("summary")
        except (MootError, OSError):
            return ["unreadable"]
        headline = summary.get("headline") if isinstance(summary, dict) else None
        return [protocol, headline] if isinstance(headline, str) else [protocol]

    @cached_property
    def place(self) -> Place:
        return Folder(self.where) if isinstance(self.where, Path) else self.where

    @cached_property
    def config(self) -> "RunConfig":
        if self.given:
            return self.given
        from moot.engine.define.config import thawed  # lists and results of runs do without

        self.check_readable()
        where = str(self._where(CONFIG)) if self.folder else self.address
        return thawed(parse_yaml(self._config_file(), where, most=MAX_RUN_BYTES), where)

    @cached_property
    def unreadable(self) -> str | None:
        """Why this version of moot cannot read the run, in one line, if another version wrote it; otherwise None."""
        if self.given:
            return None
        with suppress(OSError, RunDamaged):
            return unreadable(self._config_file(HEAD_BYTES), self.name)
        return None

    def check_readable(self) -> None:
        """ConfigError if another version of moot wrote this run."""
        if self.unreadable is not None:
            raise ConfigError(self.unreadable)

    @property
    def name(self) -> str:
        return self.known_as or self.place.name

    @property
    def address(self) -> str:
        """The address for `find_run`: its folder, or the database without the password, and the run's name."""
        return self.place.address

    @property
    def folder(self) -> Path | None:
        return self.where if isinstance(self.where, Path) else None

    @property
    def path(self) -> Path:
        if not isinstance(self.where, Path):
            raise ConfigError(f"{self.name} is kept in PostgreSQL and has no folder")
        return self.where

    @property
    def log_path(self) -> Path:
        return self.path / LOG

    @property
    def journal_path(self) -> Path:
        return self.path / JOURNAL

    def entries(self) -> list[Entry]:
        self.check_readable()
        return parse_log(self.place.read_lines(LOG), self._where(LOG), self.config.protocol.payloads)

    def readable(self) -> list[Entry]:
        """The entries for readers, without text that the debate itself struck from its record."""
        return self.config.protocol.redactions.entries(self.entries())

    def shown(self, messages: Sequence[Message]) -> list[Message]:
        """Messages to and from an agent, for readers."""
        show = self.config.protocol.redactions.messages(self.entries())
        return [Message(message.role, show("", message.content)) for message in messages]

    def records(self) -> list[Record]:
        return parse_journal(self.place.read_lines(JOURNAL), self._where(JOURNAL))

    def open_log(self) -> Log:
        self.check_readable()
        return Log(self.place.lines(LOG), self.config.protocol.payloads)

    def open_journal(self, name: str = JOURNAL) -> Journal:
        return Journal(self.place.lines(name))

    @property
    def result_path(self) -> Path:
        return self.path / RESULT

    def result(self) -> dict[str, Any] | None:
        """The result document, or None if it does not exist or cannot be read."""
        try:
            document = parse_json(self.place.read(RESULT) or b"")
        except ValueError:
            return None
        return document if isinstance(document, dict) else None

    def write(self, name: str, text: str) -> None:
        """Write a document of the run completely or leave it unchanged."""
        self.place.write(name, text)

    async def keep(self, documents: Mapping[str, str]) -> None:
        """Write several, without blocking the event loop."""
        await self.place.keep(documents)

    def hold(self) -> AbstractContextManager[None]:
        """Lock the run against other processes; RunBusy if it is already locked."""
        return self.place.hold()

    @property
    def busy(self) -> bool:
        return self.place.busy

    def _config_file(self, most: int = MAX_RUN_BYTES + 1) -> bytes:
        content = self.place.read(CONFIG) if self.folder is None else read_file(self.folder / CONFIG, most)
        return content or b""

    def _where(self, name: str) -> Path | str:
        return self.where / name if isinstance(self.where, Path) else f"{self.address}/{name}"


def create_run(config: "RunConfig", inherited: Sequence[Record] = ()) -> Run:
    """A new run, named by time and topic, with the stored config; a fork inherits records."""
    if config.options.out.startswith(POSTGRESQL):
        return _create_row(config, _name_of(config), inherited)
    run = create_folder(config, inherited)
    run.write(CONFIG, config.frozen())
    return run


def create_folder(config: "RunConfig", inherited: Sequence[Record] = ()) -> Run:
    """A new run in a folder, still without its config. It becomes a run with that, and so with all inherited
    records."""
    out, name = Path(config.options.out), _name_of(config)
    for numbered in _numbered(name):
        path = out / numbered
        try:
            path.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise ConfigError(f"the run folder {path} cannot be made: {error.strerror}") from error
        run = Run(path, config)
        if inherited:
            with closing(run.open_journal()) as journal:
                for record in inherited:
                    journal.note(record)
        return run
    raise ConfigError(f"{out} is full of runs named {name}")


def _name_of(config: "RunConfig") -> str:
    """The time, and the subject of the debate if it is a text, otherwise the protocol's name."""
    subject = getattr(config.debate, "topic", None) or getattr(config.debate, config.protocol.subject.key, None)
    return f"{datetime.now(UTC):{MOMENT}}-{slug(subject if isinstance(subject, str) else config.protocol.name)}"


def _create_row(config: "RunConfig", name: str, inherited: Sequence[Record]) -> Run:
    lines = [line_of(record) for record in inherited]
    create = in_database("create_run")
    return Run(create(config.options.out, _numbered(name), without_password(config).frozen(), lines), config)


def in_database(what: str) -> Any:
    """What the room of runs in PostgreSQL offers by this name; MissingFeature if it is not installed."""
    return needed(what, "a run in PostgreSQL", "database")


def without_password(config: "RunConfig") -> "RunConfig":
    """The config as it can be stored: a database address loses its password."""
    out = in_database("redacted")(config.options.out)
    return replace(config, options=config.options.model_copy(update={"out": out}))


def copy_run(run: Run, out: Path) -> Run:
    """A copy of a run in a folder with its name below `out`, identical to a run made there."""
    path = out / run.name
    path.mkdir(parents=True, exist_ok=True)
    for name in run.place.names():
        content = run.place.read(name)
        if content is None:
            content = b"".join(line + b"\n" for line in run.place.read_lines(name))
        # The config is written last: without it, the folder is not a run.
        write_whole(path / name, content, sync=False)
    return Run(path)


def _numbered(name: str) -> Iterator[str]:
    yield name
    for number in range(2, 10_000):
        yield f"{name}-{number}"


def list_runs(out: str = "debates") -> list[Run]:
    """All runs below `out`, oldest first."""
    if out.startswith(POSTGRESQL):
        return [Run(place) for place in in_database("all_runs")(out)]
    folder = Path(out)
    runs = [path for path in folder.iterdir() if is_run(path)] if folder.is_dir() else []
    return [Run(path) for path in sorted(runs, key=lambda path: ((path / CONFIG).stat().st_mtime_ns, path.name))]


def began(name: str) -> datetime | None:
    """The time in a run's name; None if it was renamed."""
    with suppress(ValueError):
        return datetime.strptime(name.partition("-")[0], MOMENT).replace(tzinfo=UTC)
    return None


def is_run(path: Path) -> bool:
    return (path / CONFIG).is_file()


def as_line(kind: str, *parts: str) -> str:
    """An object in one line, for example `<Result done · Ada wins, 8 to 6 · debates/…>`."""
    return f"<{kind} {' · '.join(clip(one_line(part), LONGEST_LINE) for part in parts if part)}>"
