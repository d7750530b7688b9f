"""Batch folders: the frozen list of debates, their runs, and the ledger of those that have come to an end.

    batch.json      what was asked for: the file, the design, the budget
    items.jsonl     every debate with its whole config; never written again
    ledger.jsonl    append-only: what was begun, what has ended and how
    runs/ID/        the run of each debate, a run folder like any other

Whatever the ledger lacks after a crash is found in the runs again, so nothing here has to wait for the disk.
"""

import json
import shlex
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from moot.engine.config import checked
from moot.engine.limits import Spending
from moot.engine.runs import Run, list_runs
from moot.errors import ConfigError, RunDamaged
from moot.record.files import read_file, write_whole
from moot.record.lines import LineFile, read_lines
from moot.studies.batch.design import Design
from moot.studies.batch.items import BatchFile, Item, TotalLimits
from moot.studies.batch.rows import Row
from moot.studies.runner import free_folder, locked
from moot.text.json import parse_json

ITEMS, LEDGER, ABOUT, RUNS = "items.jsonl", "ledger.jsonl", "batch.json", "runs"


@dataclass(frozen=True, slots=True)
class Standing:
    """How an item stands by the ledger. `settled`: it is not taken up again by itself. `charged` is what it has been
    counted with."""

    settled: bool = False
    row: Row | None = None
    charged: Spending | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch folder. Reading it takes no lock and works while the batch is going on."""

    path: Path

    @property
    def runs(self) -> Path:
        return self.path / RUNS

    def about(self) -> dict[str, Any]:
        try:
            found = parse_json(read_file(self.path / ABOUT) or b"")
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise RunDamaged(f"{self.path / ABOUT} is not what moot wrote")
        return found

    @property
    def budget(self) -> TotalLimits:
        return checked(TotalLimits, self.about().get("budget", {}), f"{self.path / ABOUT}: `budget`")

    def items(self) -> list[Item]:
        try:
            return [Item.model_validate_json(line) for line in read_lines(self.path / ITEMS)]
        except ValueError as error:
            raise RunDamaged(f"{self.path / ITEMS} is not what moot wrote: {error}") from error

    def run_of(self, item: Item) -> Run | None:
        """The run of an item, once it has begun."""
        return next(iter(list_runs(str(self.runs / item.id))), None)

    def standings(self) -> dict[str, Standing]:
        """How each item stands that the ledger speaks of."""
        found: dict[str, Standing] = {}
        for line in read_lines(self.path / LEDGER):
            try:
                noted = parse_json(line)
                if "began" in noted:
                    before = found.get(noted["began"], Standing())
                    found[noted["began"]] = replace(before, settled=False)
                else:
                    row = Row.model_validate(noted["row"])
                    found[row.id] = Standing(noted["settled"], row, Spending(**noted["charged"]))
            except (ValueError, KeyError, TypeError) as error:
                raise RunDamaged(f"{self.path / LEDGER} is not what moot wrote: {error}") from error
        return found

    def rows(self) -> list[Row]:
        """One row for each item, in their order: what it came to, or that it has not come to an end."""
        known = {key: one.row for key, one in self.standings().items()}
        return [
            known.get(item.id) or Row.unfinished(item, self.run_of(item), begun=item.id in known)
            for item in self.items()
        ]

    def is_unfinished(self) -> bool:
        """Whether there is a debate that is taken up when the batch is; one that reached a limit of its own is not."""
        standings = self.standings()
        return any(not standings.get(item.id, Standing()).settled for item in self.items())

    @contextmanager
    def hold(self) -> Iterator["Ledger"]:
        """Keep every other process from running this batch; RunBusy when one already does."""
        busy = f"another process is running the batch {self.path}"
        with locked(self.path / ABOUT, busy), closing(LineFile(self.path / LEDGER)) as lines:
            lines.new_lines()  # a last line that was cut off is set aside
            yield Ledger(lines)
            lines.sync()

    def write(self, name: str, data: bytes) -> None:
        """Write a document of the batch whole or not at all."""
        write_whole(self.path / name, data)


@dataclass(frozen=True, slots=True)
class Ledger:
    lines: LineFile

    def began(self, item: Item) -> None:
        self._note({"began": item.id})

    def ended(self, row: Row, charged: Spending, *, settled: bool) -> None:
        self._note({"settled": settled, "charged": asdict(charged), "row": row.model_dump(mode="json")})

    def _note(self, what: Mapping[str, Any]) -> None:
        self.lines.append(json.dumps(what, ensure_ascii=False).encode())


def create_batch(wanted: BatchFile, out: Path | str | None = None, design: Design | None = None) -> Batch:
    """The folder of a batch: a new one or, where `out` holds this very batch already, that one."""
    path = Path(out) if out else free_folder("batches", Path(wanted.name).stem)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"the batch folder {path} cannot be made: {error.strerror}") from error
    with locked(path):  # another process that makes a batch here is waited for, and then it is found
        return _same_batch(Batch(path), wanted) if is_batch(path) else _made(path, wanted, design or Design())


def _made(path: Path, wanted: BatchFile, design: Design) -> Batch:
    try:
        if not all(_is_beginning(child) for child in path.iterdir()):
            raise ConfigError(f"{path} is not empty, and no batch; choose another folder for this one")
        (path / RUNS).mkdir(exist_ok=True)
    except OSError as error:
        raise ConfigError(f"the batch folder {path} cannot be made: {error.strerror}") from error
    lines = "".join(f"{item.model_dump_json()}\n" for item in wanted.items)
    write_whole(path / ITEMS, lines.encode())
    about = {
        "file": wanted.name,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "debates": len(wanted.items),
        "design": asdict(design),
        "budget": wanted.budget.model_dump(exclude_none=True),
    }
    # Only now is it a batch, with all its debates.
    write_whole(path / ABOUT, (json.dumps(about, ensure_ascii=False, indent=2) + "\n").encode())
    return Batch(path)


def open_batch(path: Path | str) -> Batch:
    """A batch by its folder."""
    if not is_batch(Path(path)):
        raise ConfigError(f"{path} is not the folder of a batch")
    return Batch(Path(path))


def is_batch(path: Path) -> bool:
    return (path / ABOUT).is_file() and (path / ITEMS).is_file()


def _is_beginning(path: Path) -> bool:
    """Whether this is what a process left that was killed while it made a batch; nothing can have been run by then."""
    if path.name == RUNS:
        return path.is_dir() and not any(path.iterdir())
    return path.name == ITEMS or path.name.startswith((f".{ITEMS}.", f".{ABOUT}."))


def _same_batch(batch: Batch, wanted: BatchFile) -> Batch:
    # The ids alone will not do: those that the file gives stay the same whatever else in it changes.
    held, asked = ([(one.id, one.config, one.answer) for one in items] for items in (batch.items(), wanted.items))
    if held != asked:
        raise ConfigError(
            f"{batch.path} holds another batch: the file, the options or the defaults are not the same. Go on with "
            f"that one by `moot batch --resume {shlex.quote(str(batch.path))}`, or choose another folder."
        )
    return batch
