"""Runs a tournament: stage after stage, each a batch, within one budget, until it is settled or over.

    tournament.json   the file of the tournament as it was read
    stages/01/        the first stage, a batch folder with its runs

The same command continues a tournament where it stopped. A stage that has begun is never paired again.
"""

import json
import shlex
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from moot.engine.play.limits import Limits, Spending
from moot.engine.staging.finding import STAGES, TOURNAMENT
from moot.engine.staging.plan import Estimate
from moot.engine.staging.runs import slug
from moot.errors import ConfigError, RunDamaged
from moot.models.calling import ready
from moot.models.pool import pool
from moot.models.registry import ModelSettings, open_model
from moot.plugins.extras import require
from moot.record.files import locked, make_folder, write_whole
from moot.studies.batch.folder import Batch, create_batch, is_batch
from moot.studies.batch.items import BatchFile, short_hash
from moot.studies.batch.planning import BatchPlan, plan_batch
from moot.studies.batch.progress import Progress, Told
from moot.studies.batch.rows import Row
from moot.studies.batch.running import Executor, LocalExecutor, run_batch, spent_by
from moot.studies.looks import LEVEL, LOOK, levels
from moot.studies.runner import check_study, read_object
from moot.studies.tournament.analysis import analyse
from moot.studies.tournament.figures import Leaderboard
from moot.studies.tournament.file import TournamentFile
from moot.studies.tournament.pairing import Stage, rounds_of, sizes_of, stage_of, stages_of

ABOUT = TOURNAMENT


@dataclass(frozen=True, slots=True)
class Ended:
    """The state of a tournament: `done`, at its end or because it was settled; `limit`, with the reason; `failed`, if
    debates failed. `level` is the level of the tests between models."""

    status: str
    reason: str | None
    board: Leaderboard


@dataclass(frozen=True, slots=True)
class Tournament:
    """The folder of a tournament."""

    path: Path

    def about(self) -> dict[str, Any]:
        return read_object(self.path / ABOUT, "tournament")

    @property
    def file(self) -> TournamentFile:
        try:
            return TournamentFile.model_validate(self.about()["tournament"])
        except ValueError as error:
            raise RunDamaged(f"{self.path / ABOUT} is not what moot wrote: {error}") from error

    def stage(self, number: int) -> Batch:
        return Batch(self.path / STAGES / f"{number:02}")

    def stages(self) -> list[Batch]:
        """The stages that have begun."""
        every = (self.stage(number) for number in range(1, stages_of(self.file) + 1))
        return [batch for batch in every if is_batch(batch.path)]

    def rows(self) -> list[Row]:
        return [
            row.model_copy(update={"run": f"{STAGES}/{batch.path.name}/{row.run}"})
            if row.run and "://" not in row.run
            else row
            for batch in self.stages()
            for row in batch.rows()
        ]

    def level(self) -> float:
        """The significance level after the stages that have begun. Before all debates of a round robin up to a look
        are held, it is that of a look before the last: who looks more often must not find more."""
        file, begun = self.file, self.stages()
        if file.pairing == "swiss":
            return LEVEL
        unfinished = bool(begun) and begun[-1].is_unfinished()
        return LOOK if unfinished else levels(sizes_of(file))[max(0, len(begun) - 1)]

    def board(self) -> Leaderboard:
        return analyse(self.file, self.rows(), self.level())

    def write(self, name: str, data: bytes) -> None:
        write_whole(self.path / name, data)


def create_tournament(file: TournamentFile, name: str, out: Path | str | None = None) -> Tournament:
    """The folder of a tournament: a new one, or the one that holds exactly this tournament. Without `out` it is named
    after the file and its content, so that the same file is taken up."""
    content = file.model_dump(mode="json")
    frozen = {key: value for key, value in content.items() if key != "budget"}
    path = Path(out) if out else Path("tournaments") / f"{slug(Path(name).stem)}-{short_hash(frozen)[:8]}"
    found = Tournament(path)
    make_folder(path, "the tournament's folder")
    with locked(path):
        if (path / ABOUT).is_file():
            held = {key: value for key, value in found.about()["tournament"].items() if key != "budget"}
            if held != frozen:
                told = f"{path} holds another tournament: the file is not the same. Choose another folder"
                raise ConfigError(f"{told}, or take that one up with its own file ({shlex.quote(str(path / ABOUT))}).")
            return found
        if any(not child.name.startswith(f".{ABOUT}.") for child in path.iterdir()):
            raise ConfigError(f"{path} is not empty, and no tournament; choose another folder for this one")
        now = datetime.now(UTC).isoformat(timespec="seconds")
        about = {"file": Path(name).name, "created": now, "tournament": content}
        found.write(ABOUT, (json.dumps(about, ensure_ascii=False, indent=2) + "\n").encode())
    return found


async def run_tournament(
    tournament: Tournament,
    executor: Executor | None = None,
    *,
    limits: Limits | None = None,
    retry_failed: bool = False,
    told: Callable[[Told, Progress], None] | None = None,
) -> Ended:
    """Run a tournament, or resume it. `limits` replace the budget of its file."""
    require("studies")  # for the statistics; checked before anything is paid
    file, began = tournament.file, time.monotonic()
    total = limits or file.budget.limits
    check_study(tournament.path)
    with locked(tournament.path / ABOUT, f"another process is running the tournament {tournament.path}"):
        spent, progress, checked = Spending(), None, False
        for number in range(1, stages_of(file) + 1):
            batch = _stage(tournament, number)
            if batch is None:
                break
            if not checked and batch.is_unfinished():
                await _check_models(file, batch, executor)
                checked = True
            left = _left(total, spent, time.monotonic() - began)
            progress = await run_batch(batch, executor, limits=left, retry_failed=retry_failed, told=told)
            spent.add(spent_by(batch))
            if progress.reached or progress.stopped or progress.waiting:
                break
            if not is_batch(tournament.stage(number + 1).path) and tournament.board().settled:
                break
    board = tournament.board()
    if progress is not None and (progress.reached or progress.stopped):
        return Ended("limit", progress.reached or "a debate has reached its own limit", board)
    return Ended("failed" if board.unfinished else "done", None, board)


async def _check_models(file: TournamentFile, batch: Batch, executor: Executor | None) -> None:
    """Raise if a model cannot answer at all, for example without a key: once, instead of in every debate."""
    if executor is not None and not isinstance(executor, LocalExecutor):
        return  # the workers of a queue have their own keys
    own = executor.models or {} if executor is not None else {}
    options = batch.items()[0].configured(batch.runs).options
    settings = ModelSettings(options.timeout, options.concurrency, options.prices, rate=options.rate)
    async with pool():
        for name in dict.fromkeys([*file.models, *file.judges]):
            if name not in own and not name.startswith("scripted/"):
                await ready(open_model(name, settings))


def _stage(tournament: Tournament, number: int) -> Batch | None:
    """The batch of a stage, which is made if it has not begun."""
    batch, file = tournament.stage(number), tournament.file
    if is_batch(batch.path):
        return batch
    earlier = [_made(one, file) for one in tournament.stages()]
    places = tournament.board().places if number > 1 else []
    points = {one.model: one.points / one.debates if one.debates else 0.5 for one in places}
    stage = stage_of(file, number, earlier, points)
    if stage is None:
        return None
    items = file.items(stage.pairs, stage.motions)
    return create_batch(BatchFile(f"stage {number}", items, file.budget), batch.path)


def _made(batch: Batch, file: TournamentFile) -> Stage:
    """The stage that a batch was made for."""
    places = {topic: place for place, topic in enumerate(file.topics)}
    given = [item for item in batch.items() if item.design["sides"] == "given"]
    pairs = dict.fromkeys((str(item.factors["for"]), str(item.factors["against"])) for item in given)
    motions = dict.fromkeys(places[str(item.config["topic"])] for item in given)
    return Stage(int(batch.path.name), list(pairs), list(motions))


def _left(total: Limits, spent: Spending, seconds: float) -> Limits:
    """What is left of a budget."""

    def rest(limit: Any, used: Any) -> Any:
        return None if limit is None else max(0, limit - used)

    return Limits(
        rest(total.max_calls, spent.calls),
        rest(total.max_tokens, spent.tokens),
        rest(total.max_cost, spent.cost),
        rest(total.max_minutes, seconds / 60),
    )


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """What a tournament takes at most, and at least if it may stop early. `judges` are those of each pair, and those
    who are left out."""

    most: BatchPlan
    least: BatchPlan | None
    judges: Mapping[tuple[str, str], tuple[list[str], list[str]]]


async def plan_tournament(file: TournamentFile) -> TournamentPlan:
    """Estimate the cost of a tournament. Calls no model and writes no file. The pairs of a Swiss tournament are not
    known in advance, so its typical figures are those of an average pair, and its bounds those of the most expensive
    one."""
    judges = {pair: (file.jury_for(pair), file.left_out(pair)) for pair in file.pairs}
    every = await plan_batch(file.items(file.pairs, list(range(len(file.motions)))))
    if file.pairing == "round-robin":
        share = sizes_of(file)[0] / len(file.motions)
        return TournamentPlan(every, _scaled(every, share) if file.looks else None, judges)
    debates = rounds_of(file) * (len(file.models) // 2) * len(file.motions) * 2
    some = _scaled(every, debates / every.debates)
    return TournamentPlan(some.model_copy(update={"bound": _times(every.dearest, debates)}), None, judges)


def _scaled(planned: BatchPlan, share: float) -> BatchPlan:
    return planned.model_copy(
        update={
            "debates": round(planned.debates * share),
            "calls": round(planned.calls * share),
            "models": {name: round(number * share) for name, number in planned.models.items()},
            "typical": _times(planned.typical, share),
            "bound": _times(planned.bound, share),
        }
    )


def _times(one: Estimate, factor: float) -> Estimate:
    cost = None if one.cost is None else round(one.cost * factor, 6)
    return Estimate(input=round(one.input * factor), output=round(one.output * factor), cost=cost)
