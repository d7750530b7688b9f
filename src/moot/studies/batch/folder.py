"""Batch folders: the frozen list of debates, their runs, and a ledger of finished debates.

    batch.json      the request: file, design, budget
    items.jsonl     every debate with its complete config; never changed
    ledger.jsonl    append-only: which debates began, and how they ended
    runs/ID/        the run of each debate, an ordinary run folder

Lines that the ledger loses in a crash are recovered from the runs, so nothing here has to wait for the disk.
"""

import json
import shlex
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from moot.engine.define.config import checked
from moot.engine.play.limits import Spending
from moot.engine.staging.finding import BATCH, RUNS
from moot.engine.staging.runs import Run, list_runs
from moot.errors import ConfigError, RunDamaged
from moot.present.data import read_as
from moot.record.files import locked, make_folder, write_whole
from moot.record.lines import LineFile, read_lines
from moot.studies.batch.design import Design
from moot.studies.batch.items import BatchFile, Item
from moot.studies.batch.rows import Row
from moot.studies.limits import TotalLimits, stored_limits
from moot.studies.runner import check_study, free_folder, read_object
from moot.text.json import parse_json

ITEMS, LEDGER, ABOUT = "items.jsonl", "ledger.jsonl", BATCH


@dataclass(frozen=True, slots=True)
class ItemState:
    """The state of an item in the ledger. If `settled`, it is not resumed automatically. `charged` is what it has cost
    the budget."""

    settled: bool = False
    row: Row | None = None
    charged: Spending | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch folder. Reading it takes no lock and works while the batch is running."""

    path: Path

    @property
    def runs(self) -> Path:
        return self.path / RUNS

    def about(self) -> dict[str, Any]:
        return read_object(self.path / ABOUT)

    @property
    def budget(self) -> TotalLimits:
        """The limits with which it was last run, or those of its file."""
        own = self.about().get("budget", {})
        return stored_limits(self.path) or checked(TotalLimits, own, f"{self.path / ABOUT}: `budget`")

    @property
    def carries(self) -> bool:
        return bool(self.about().get("carry"))

    def items(self) -> list[Item]:
        try:
            return [read_as(Item, line) for line in read_lines(self.path / ITEMS)]
        except ValueError as error:
            raise RunDamaged(f"{self.path / ITEMS} is not what moot wrote: {error}") from error

    def run_of(self, item: Item) -> Run | None:
        """The run of an item, once it has begun."""
        return next(iter(list_runs(str(self.runs / item.id))), None)

    def states(self) -> dict[str, ItemState]:
        """The state of each item in the ledger."""
        found: dict[str, ItemState] = {}
        for line in read_lines(self.path / LEDGER):
            try:
                noted = parse_json(line)
                if "began" in noted:
                    before = found.get(noted["began"], ItemState())
                    found[noted["began"]] = replace(before, settled=False)
                else:
                    row = Row.model_validate(noted["row"])
                    found[row.id] = ItemState(noted["settled"], row, Spending(**noted["charged"]))
            except (ValueError, KeyError, TypeError) as error:
                raise RunDamaged(f"{self.path / LEDGER} is not what moot wrote: {error}") from error
        return found

    def rows(self) -> list[Row]:
        """One row per item, in order, whether its debate is finished or not."""
        known = {key: state.row for key, state in self.states().items()}
        return [known.get(item.id) or self._unfinished(item, begun=item.id in known) for item in self.items()]

    def _unfinished(self, item: Item, *, begun: bool) -> Row:
        run = self.run_of(item)
        return Row.without_result(item, run, "interrupted" if run or begun else "waiting")

    def is_unfinished(self) -> bool:
        """Whether resuming the batch would resume a debate; debates that reached their own limit are not resumed."""
        states = self.states()
        return any(not states.get(item.id, ItemState()).settled for item in self.items())

    @contextmanager
    def hold(self) -> Iterator["Ledger"]:
        """Lock the batch against other processes; RunBusy if another process is running it."""
        busy = f"another process is running the batch {self.path}"
        check_study(self.path)
        with locked(self.path / ABOUT, busy), closing(LineFile(self.path / LEDGER)) as lines:
            lines.new_lines()  # sets aside a truncated last line
            yield Ledger(lines)
            lines.sync()

    def write(self, name: str, data: bytes) -> None:
        """Write a document of the batch atomically."""
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
    """Create the folder of a batch, or return the existing one if `out` already holds exactly this batch."""
    path = Path(out) if out else free_folder("batches", Path(wanted.name).stem)
    make_folder(path, "the batch folder")
    with locked(path):  # if another process is creating a batch here, wait for it and find its batch
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
        "tournament": wanted.tournament,
        "carry": wanted.carry,
    }
    # Written last: without this file the folder is not a batch.
    write_whole(path / ABOUT, (json.dumps(about, ensure_ascii=False, indent=2) + "\n").encode())
    return Batch(path)


def open_batch(path: Path | str) -> Batch:
    """Open a batch by its folder."""
    if not is_batch(Path(path)):
        raise ConfigError(f"{path} is not the folder of a batch")
    return Batch(Path(path))


def is_batch(path: Path) -> bool:
    return (path / ABOUT).is_file() and (path / ITEMS).is_file()


def _is_beginning(path: Path) -> bool:
    """Whether the folder was left by a process that was killed while creating a batch; no debate can have begun by
    then."""
    if path.name == RUNS:
        return path.is_dir() and not any(path.iterdir())
    return path.name == ITEMS or path.name.startswith((f".{ITEMS}.", f".{ABOUT}."))


def _same_batch(batch: Batch, wanted: BatchFile) -> Batch:
    # Comparing ids is not enough: ids from the file stay the same when the rest of the file changes.
    held, asked = ([(item.id, item.config, item.answer) for item in items] for items in (batch.items(), wanted.items))
    if held != asked:
        raise ConfigError(
            f"{batch.path} holds another batch: the file, the options or the defaults are not the same. Go on with "
            f"that one by `moot batch --resume {shlex.quote(str(batch.path))}`, or choose another folder."
        )
    return batch
