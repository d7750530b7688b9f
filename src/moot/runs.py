"""Run folders: where a debate lives on disk, and how to find one again."""

import fcntl
import json
import os
import re
import time
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

from moot.config import RunConfig, thaw
from moot.entry import Entry
from moot.errors import ConfigError, RunBusy
from moot.journal import Journal, Record, read_journal
from moot.log import read_log
from moot.models.base import Message


@dataclass(frozen=True)
class Run:
    """A run folder. Reading it takes no lock and works while the debate is going on."""

    path: Path
    given: RunConfig | None = field(default=None, repr=False, compare=False)

    @cached_property
    def config(self) -> RunConfig:
        return self.given or thaw(self.path / "config.yaml")

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def log_path(self) -> Path:
        return self.path / "log.jsonl"

    @property
    def journal_path(self) -> Path:
        return self.path / "calls.jsonl"

    def entries(self) -> list[Entry]:
        return read_log(self.log_path)

    def readable(self) -> list[Entry]:
        """The entries as readers get them: what the debate itself struck from its record is gone."""
        return self.config.protocol.readable(self.entries())

    def shown(self, messages: Sequence[Message]) -> list[Message]:
        """Messages to and from an agent as readers get them."""
        show = self.config.protocol.shown(self.entries())
        return [Message(message.role, show("", message.content)) for message in messages]

    def records(self) -> list[Record]:
        return read_journal(self.journal_path)

    @property
    def result_path(self) -> Path:
        return self.path / "result.json"

    def result(self) -> dict[str, Any] | None:
        """The result document, or None when the run has not come to one that can be read."""
        try:
            document = json.loads(self.result_path.read_text("utf-8"))
        except (FileNotFoundError, ValueError):
            return None
        return document if isinstance(document, dict) else None

    def write(self, name: str, text: str) -> None:
        """Write a document of the run whole or not at all."""
        temporary = self.path / f".{name}.{os.getpid()}"
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            # Else a crash of the machine may leave an empty file under the new name.
            os.fsync(file.fileno())
        temporary.replace(self.path / name)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Keep every other process from running this debate; RunBusy when one already does."""
        with self._lockable() as file:
            for _ in range(20):
                if _lock(file, fcntl.LOCK_EX):
                    break
                # Whoever asks whether the run is busy has the lock for an instant; that is not running it.
                time.sleep(0.01)
            else:
                raise RunBusy(f"another process is running {self.path}; wait for it to end, or stop it and resume")
            yield

    @property
    def busy(self) -> bool:
        with self._lockable() as file:
            return not _lock(file, fcntl.LOCK_SH)

    def _lockable(self) -> BinaryIO:
        # The frozen config is never written again, so its lock says nothing but "somebody runs this".
        return (self.path / "config.yaml").open("rb")


def _lock(file: BinaryIO, kind: int) -> bool:
    """Try to lock the file; it is unlocked when it is closed."""
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def create_run(config: RunConfig, inherited: Sequence[Record] = ()) -> Run:
    """A new folder, named for the moment and the topic, with the frozen config in it; a fork's inherits records."""
    name = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{slug(getattr(config.debate, 'topic', config.protocol.name))}"
    out = Path(config.options.out)
    for number in range(1, 10_000):
        path = out / (name if number == 1 else f"{name}-{number}")
        try:
            path.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise ConfigError(f"the run folder {path} cannot be made: {error.strerror}") from error
        run = Run(path, config)
        with closing(Journal(run.journal_path)) as journal:
            for record in inherited:
                journal.note(record)
        # Only now is it a run, with all that it inherits.
        run.write("config.yaml", config.frozen())
        return run
    raise ConfigError(f"{out} is full of runs named {name}")


def find_run(name: str, out: str = "debates") -> Run:
    """A run by its folder, by its name or a unique part of it below `out`, or the newest as `latest`."""
    if is_run(Path(name)):
        return Run(Path(name))
    runs = list_runs(out)
    if name == "latest" and runs:
        return runs[-1]
    matches = [run for run in runs if name and name in run.path.name]
    if len(matches) == 1:
        return matches[0]
    if matches:
        listed = "\n  ".join(run.path.name for run in matches[:10])
        raise ConfigError(f"{name!r} fits {len(matches)} runs; say which:\n  {listed}")
    raise ConfigError(f"no run {name!r}, neither as a folder nor in {out}; `moot list` shows what there is")


def list_runs(out: str = "debates") -> list[Run]:
    """All runs below `out`, oldest first."""
    folder = Path(out)
    runs = [path for path in folder.iterdir() if is_run(path)] if folder.is_dir() else []
    return [Run(path) for path in sorted(runs, key=lambda path: ((path / "config.yaml").stat().st_mtime_ns, path.name))]


def is_run(path: Path) -> bool:
    return (path / "config.yaml").is_file()


def slug(text: str) -> str:
    """Lower-case letters, digits and hyphens, at most 50; safe as a file name whatever the text."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:50].strip("-") or "debate"
